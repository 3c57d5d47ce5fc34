/* The model table: one loop runs all models by handle, on one pool, and names none of them.
 *
 *   stillpool compile digits.tflite novelty.tflite --workspace-pool sram --shim table -o table
 */
#include "digits_model.h"
#include "novelty_model.h"

#include "answers.h"

enum { MODELS = 2, BYTES = 4096 };
static const stillpool_model *const models[MODELS] = {&digits_model, &novelty_model};

__attribute__((aligned(16))) static uint8_t sram[BYTES];
static void *pointers[MODELS][DIGITS_MODEL_POINTERS + NOVELTY_MODEL_POINTERS];

int main(void)
{
    stillpool_handle handles[MODELS];
    uint32_t answers[MODELS];
    void *pools[] = {sram + 1};
    int sample, i;

    if (stillpool_open(&handles[0], models[0], pointers[0], pools) != STILLPOOL_ERROR_MISALIGNED
        || stillpool_run(&handles[0]) != STILLPOOL_ERROR_NULL) {
        return 1;
    }
    pools[0] = sram;
    for (i = 0; i < MODELS; ++i) {
        answers[i] = NO_ANSWERS;
        if (models[i]->pool[0].bytes > BYTES || stillpool_open(&handles[i], models[i], pointers[i], pools) != 0) {
            return 2;
        }
    }
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (i = 0; i < MODELS; ++i) {
            const stillpool_tensor_info *const given = models[i]->input, *const taken = models[i]->output;
            fill((int8_t *)stillpool_input(&handles[i], 0), samples_pixels[sample], (int32_t)given->count,
                 given->scale, given->zero_point);
            if (stillpool_run(&handles[i]) != STILLPOOL_OK) {
                return 3;
            }
            answers[i] = mixed(answers[i], (int8_t *)stillpool_output(&handles[i], 0), (int32_t)taken->bytes);
        }
    }
    for (i = 0; i < MODELS; ++i) {
        printf("%s %08lx\n", models[i]->name, (unsigned long)answers[i]);
    }
    return 0;
}

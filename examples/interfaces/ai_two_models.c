/* The ai interface: a program that knows no model's name. It goes through all linked models, creates each on one buffer
 * of activations, and lets them take turns.
 *
 *   stillpool compile digits.tflite --interface ai -o digits
 *   stillpool compile novelty.tflite --interface ai -o novelty
 */
#include "ai_runtime_api.h"

#include "answers.h"

enum { MODELS = 4, BYTES = 4096 };
AI_ALIGNED(16) static uint8_t activations[BYTES];
static uint8_t small[16];

static int refusals(ai_model_info *model)
{
    ai_handle handle;
    if (ai_create(model, small, &handle) != AI_STATUS_ERROR || ai_get_error(handle)[0] == '\0') {
        return 1;
    }
    if (ai_create(model, NULL, &handle) != AI_STATUS_ERROR || ai_get_error(handle)[0] == '\0') {
        return 2;
    }
    if (ai_create(model, activations + 1, &handle) != AI_STATUS_ERROR || ai_get_error(handle)[0] == '\0') {
        return 3;
    }
    if (ai_run(handle) != AI_STATUS_ERROR || ai_run(AI_HANDLE_NULL) != AI_STATUS_ERROR) {
        return 4;
    }
    return ai_create(NULL, activations, &handle) != AI_STATUS_ERROR ? 5 : 0;
}

int main(void)
{
    ai_handle handles[MODELS];
    uint32_t answers[MODELS];
    int32_t count = 0, i;
    int sample;
    ai_model_iterator it;

    for (it = ai_model_iterator_begin(); it != ai_model_iterator_end(); it = ai_model_iterator_next(it)) {
        ai_model_info *model = ai_model_iterator_value(it);
        const int refused = refusals(model);
        if (refused != 0) {
            printf("%s: case %d was not refused\n", model->name, refused);
            return 1;
        }
        if (count == MODELS || ai_create(model, activations, &handles[count]) != AI_STATUS_OK) {
            printf("%s: %s\n", model->name, ai_get_error(handles[count]));
            return 1;
        }
        answers[count++] = NO_ANSWERS;
    }
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (i = 0; i < count; ++i) {
            ai_tensor *const input = ai_get_input(handles[i], 0), *const output = ai_get_output(handles[i], 0);
            const ai_quantization_info *const quant = ai_get_quantization(input);
            fill((int8_t *)input->dltensor.data, samples_pixels[sample], (int32_t)get_tensor_elts(input),
                 quant->scale[0], quant->zero_point[0]);
            if (ai_run(handles[i]) != AI_STATUS_OK) {
                printf("%s: %s\n", ai_get_name(handles[i]), ai_get_error(handles[i]));
                return 1;
            }
            answers[i] = mixed(answers[i], (int8_t *)output->dltensor.data, (int32_t)get_tensor_size(output));
        }
    }
    for (i = 0; i < count; ++i) {
        printf("%s %08lx\n", ai_get_name(handles[i]), (unsigned long)answers[i]);
        if (ai_get_output(handles[i], 1) != NULL || ai_get_error(handles[i])[0] == '\0') {
            return 2;
        }
        if (ai_destroy(handles[i]) != AI_STATUS_OK || ai_run(handles[i]) != AI_STATUS_ERROR) {
            return 2;
        }
    }
    return 0;
}

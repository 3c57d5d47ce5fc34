/* U2: two models share one workspace pool, which is as large as the larger of them needs. They run one at a time: a
 * run of one leaves nothing of the other in the pool, and needs nothing.
 *
 *   stillpool compile digits.tflite novelty.tflite -o u2 --workspace-pool sram
 */
#include "digits.h"
#include "novelty.h"
#include "scans.h"

enum { ROUNDS = 1000 };

STILLPOOL_ALIGNED(DIGITS_SRAM_POOL_ALIGN) static uint8_t sram[DIGITS_SRAM_POOL_SIZE];

/* What the digits model says of a scan. */
static int classify(digits_workspace_pools *pools, const uint8_t *pixels)
{
    int8_t *image = digits_map_inputs(pools).image;
    for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        image[i] = quantise(pixels[i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
    }
    return digits_run(pools) == DIGITS_OK ? best(digits_map_outputs(pools).scores, DIGITS_OUTPUT_SCORES_COUNT) : -1;
}

/* How far a scan is from any digit: the mean squared error of the autoencoder, 1.0 being the whole range of a pixel. */
static float novelty(novelty_workspace_pools *pools, const uint8_t *pixels)
{
    int8_t *given = novelty_map_inputs(pools).pixels;
    float error = 0.0f;
    for (int i = 0; i < NOVELTY_INPUT_PIXELS_COUNT; ++i) {
        given[i] = quantise(pixels[i], NOVELTY_INPUT_PIXELS_SCALE, NOVELTY_INPUT_PIXELS_ZERO_POINT);
    }
    if (novelty_run(pools) != NOVELTY_OK) {
        return -1.0f;
    }
    const int8_t *expected = novelty_map_outputs(pools).expected;
    for (int i = 0; i < NOVELTY_OUTPUT_EXPECTED_COUNT; ++i) {
        const float level = (float)(expected[i] - NOVELTY_OUTPUT_EXPECTED_ZERO_POINT);
        const float off = level * NOVELTY_OUTPUT_EXPECTED_SCALE - (float)pixels[i] / 16.0f;
        error += off * off;
    }
    return error / (float)NOVELTY_OUTPUT_EXPECTED_COUNT;
}

int main(void)
{
    digits_workspace_pools digits = {sram};
    novelty_workspace_pools other = {sram};
    static int classes[SAMPLES_COUNT];
    static float errors[SAMPLES_COUNT];
    int right = 0, strange = 0;

    /* Each model on its own, one after the other. */
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        classes[sample] = classify(&digits, samples_pixels[sample]);
        right += classes[sample] == samples_labels[sample];
    }
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        errors[sample] = novelty(&other, samples_pixels[sample]);
        strange += errors[sample] > 0.08f;
    }
    /* In turn, on scans of their own: the answers stay what they were. */
    for (int turn = 0; turn < ROUNDS; ++turn) {
        const int one = turn % SAMPLES_COUNT, another = turn * 7 % SAMPLES_COUNT;
        if (classify(&digits, samples_pixels[one]) != classes[one] ||
            memcmp(&errors[another], &(float){novelty(&other, samples_pixels[another])}, sizeof(float)) != 0) {
            printf("two models: an answer changed in turn %d\n", turn);
            return 1;
        }
    }
    printf("two models: %d turns in one pool of %d bytes, %d scans are no digits\n", ROUNDS, (int)sizeof sram, strange);
    return verdict("two models", right);
}

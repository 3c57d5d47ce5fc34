/* Classifies the held-out samples with the compiled model: what an application does, on the host.
 *
 * The inputs and outputs lie in the workspace: the application asks where, writes pixels there, runs, reads scores.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "digits.h"
#include "samples.h"

/* All RAM that the network needs. On a microcontroller: any memory that is free while the network runs. */
static STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];

/* A pixel of 0 to 16 as the model takes it: 0.0 to 1.0, quantised. */
static int8_t quantise(uint8_t pixel)
{
    const float real = (float)pixel / 16.0f;
    const float level = floorf(real / DIGITS_INPUT_IMAGE_SCALE + 0.5f) + (float)DIGITS_INPUT_IMAGE_ZERO_POINT;
    return (int8_t)fminf(fmaxf(level, -128.0f), 127.0f);
}

int main(void)
{
    digits_workspace_pools pools = {workspace};
    const digits_inputs inputs = digits_map_inputs(&pools);
    const digits_outputs outputs = digits_map_outputs(&pools);
    int right = 0;

    printf("sample  label  prediction  score\n");
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        int best = 0;
        for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
            inputs.image[i] = quantise(samples_pixels[sample][i]);
        }
        const int32_t status = digits_run(&pools);
        if (status != DIGITS_OK) {
            fprintf(stderr, "digits_run returned %d\n", (int)status);
            return 1;
        }
        for (int i = 1; i < DIGITS_OUTPUT_SCORES_COUNT; ++i) {
            if (outputs.scores[i] > outputs.scores[best]) {
                best = i;
            }
        }
        const int label = samples_labels[sample];
        const int level = outputs.scores[best] - DIGITS_OUTPUT_SCORES_ZERO_POINT;
        printf("%6d  %5d  %10d  %5.2f%s\n", sample, label, best, (double)level * (double)DIGITS_OUTPUT_SCORES_SCALE,
               best == label ? "" : "  wrong");
        right += best == label;
    }
    printf("%d of %d right\n", right, SAMPLES_COUNT);
    return 0;
}

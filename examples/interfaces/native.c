/* The native interface: what all others must agree with.
 *
 *   stillpool compile digits.tflite novelty.tflite --workspace-pool sram -o native
 */
#include "digits.h"
#include "novelty.h"

#include "answers.h"

STILLPOOL_ALIGNED(DIGITS_SRAM_POOL_ALIGN) static uint8_t sram[DIGITS_SRAM_POOL_SIZE];

int main(void)
{
    digits_workspace_pools digits = {sram};
    novelty_workspace_pools novelty = {sram};
    uint32_t scores = NO_ANSWERS, expected = NO_ANSWERS;
    int sample;

    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(digits_map_inputs(&digits).image, samples_pixels[sample], DIGITS_INPUT_IMAGE_COUNT,
             DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
        if (digits_run(&digits) != DIGITS_OK) {
            return 1;
        }
        scores = mixed(scores, digits_map_outputs(&digits).scores, DIGITS_OUTPUT_SCORES_COUNT);
        fill(novelty_map_inputs(&novelty).pixels, samples_pixels[sample], NOVELTY_INPUT_PIXELS_COUNT,
             NOVELTY_INPUT_PIXELS_SCALE, NOVELTY_INPUT_PIXELS_ZERO_POINT);
        if (novelty_run(&novelty) != NOVELTY_OK) {
            return 1;
        }
        expected = mixed(expected, novelty_map_outputs(&novelty).expected, NOVELTY_OUTPUT_EXPECTED_COUNT);
    }
    printf("digits %08lx\nnovelty %08lx\n", (unsigned long)scores, (unsigned long)expected);
    return 0;
}

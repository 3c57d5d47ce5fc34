/* U7: a run keeps its input. The application classifies a scan, and after it looks at the same bytes again: it counts the
 * ink without a copy of its own, and a second run on what is there gives the same answer.
 *
 *   stillpool compile digits.tflite -o u7 --keep-inputs
 */
#include "digits.h"
#include "scans.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];

static int ink(const int8_t *image)
{
    int dark = 0;
    for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        dark += image[i] > 0;
    }
    return dark;
}

int main(void)
{
    digits_workspace_pools pools = {workspace};
    const digits_inputs inputs = digits_map_inputs(&pools);
    const digits_outputs outputs = digits_map_outputs(&pools);
    int right = 0;

    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
            inputs.image[i] =
                quantise(samples_pixels[sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
        }
        const int before = ink(inputs.image);
        int answers[2];
        for (int again = 0; again < 2; ++again) {
            if (digits_run(&pools) != DIGITS_OK) {
                return 2;
            }
            answers[again] = best(outputs.scores, DIGITS_OUTPUT_SCORES_COUNT);
        }
        if (answers[0] != answers[1] || ink(inputs.image) != before) {
            return 3;
        }
        right += answers[0] == samples_labels[sample];
    }
    return verdict("kept inputs", right);
}

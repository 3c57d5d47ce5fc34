/* U5: some tensors lie in the workspace, others belong to the application. Here the network reuses the image's bytes,
 * and writes the scores where they are kept.
 *
 *   stillpool compile digits.tflite -o u5 --workspace-io image
 */
#include "digits.h"
#include "scans.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];

int main(void)
{
    static int8_t log_of_scores[SAMPLES_COUNT][DIGITS_OUTPUT_SCORES_COUNT];
    digits_workspace_pools pools = {workspace};
    const digits_inputs inputs = digits_map_inputs(&pools);
    int right = 0;

    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        digits_outputs outputs = {log_of_scores[sample]};
        for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
            inputs.image[i] =
                quantise(samples_pixels[sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
        }
        if (digits_run(&outputs, &pools) != DIGITS_OK) {
            return 2;
        }
    }
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        right += best(log_of_scores[sample], DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("selective I/O", right);
}

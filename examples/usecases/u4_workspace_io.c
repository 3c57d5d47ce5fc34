/* U4: inputs and outputs lie in the workspace. The application asks where, writes there, runs, reads there; their
 * bytes serve the network in between.
 *
 *   stillpool compile digits.tflite -o u4 --workspace-io all
 */
#include "digits.h"
#include "scans.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];

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
        if (digits_run(&pools) != DIGITS_OK) {
            return 2;
        }
        right += best(outputs.scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("workspace I/O", right);
}

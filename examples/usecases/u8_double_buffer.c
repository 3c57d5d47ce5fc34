/* U8: inputs have two slots. The next scan is written to one while the network runs on the other, as a DMA channel would: here
 * the callback starts the transfer, in the middle of the run.
 *
 *   stillpool compile digits.tflite -o u8 --double-buffer-inputs --input-released-callback
 */
#include "digits.h"
#include "scans.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];
static digits_workspace_pools pools = {workspace};
static int next_sample = 0;

static void transfer(int slot)
{
    const digits_inputs inputs = digits_map_inputs(&pools, slot);
    for (int i = 0; next_sample < SAMPLES_COUNT && i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        inputs.image[i] =
            quantise(samples_pixels[next_sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
    }
    ++next_sample;
}

void digits_input_released(int32_t input)
{
    if (input == DIGITS_INPUT_IMAGE_NUMBER) {
        transfer(next_sample % 2);
    }
}

int main(void)
{
    const digits_outputs outputs = digits_map_outputs(&pools);
    int right = 0;

    transfer(0);
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        if (digits_run(&pools, sample % 2) != DIGITS_OK) {
            return 2;
        }
        right += best(outputs.scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("double-buffered inputs", right);
}

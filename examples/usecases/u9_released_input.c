/* U9: one place for the input, refilled during the run: as soon as the network has read it, it says so, and the application
 * writes the next scan there while the rest of the network runs. No second buffer, and no waiting.
 *
 *   stillpool compile digits.tflite -o u9 --keep-inputs --input-released-callback
 */
#include "digits.h"
#include "scans.h"

#if DIGITS_INPUT_IMAGE_RELEASED_AFTER != 0
#error "the first operator alone reads the image"
#endif

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];
static digits_workspace_pools pools = {workspace};
static int next_sample = 0;

void digits_input_released(int32_t input)
{
    const digits_inputs inputs = digits_map_inputs(&pools);
    (void)input;
    for (int i = 0; next_sample < SAMPLES_COUNT && i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        inputs.image[i] =
            quantise(samples_pixels[next_sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
    }
    ++next_sample;
}

int main(void)
{
    const digits_outputs outputs = digits_map_outputs(&pools);
    int right = 0;

    digits_input_released(DIGITS_INPUT_IMAGE_NUMBER);
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        if (digits_run(&pools) != DIGITS_OK) {
            return 2;
        }
        right += best(outputs.scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("released input", right);
}

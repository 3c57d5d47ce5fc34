/* U1: the pool is built in. The application owns the input and output arrays and knows nothing of pools.
 *
 *   stillpool compile digits.tflite -o u1 --builtin-pools --workspace-io none
 */
#include "digits.h"
#include "scans.h"

int main(void)
{
    static int8_t image[DIGITS_INPUT_IMAGE_COUNT];
    static int8_t scores[DIGITS_OUTPUT_SCORES_COUNT];
    digits_inputs inputs = {image};
    digits_outputs outputs = {scores};
    int right = 0;

    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
            image[i] = quantise(samples_pixels[sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
        }
        if (digits_run(&inputs, &outputs) != DIGITS_OK) {
            return 2;
        }
        right += best(scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("built-in pool", right);
}

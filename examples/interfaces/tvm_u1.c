/* TVM's interface, U1 of RFC 0009: the workspace is built in, the application owns inputs and outputs.
 *
 *   stillpool compile digits.tflite --interface tvm --name default -o tvm_u1
 */
#include "tvmgen_default.h"

#include "answers.h"

int main(void)
{
    static int8_t image[TVMGEN_DEFAULT_IMAGE_SIZE], scores[TVMGEN_DEFAULT_SCORES_SIZE];
    struct tvmgen_default_inputs inputs = {image};
    struct tvmgen_default_outputs outputs = {scores};
    uint32_t answers = NO_ANSWERS;
    int sample;

    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(image, samples_pixels[sample], TVMGEN_DEFAULT_IMAGE_COUNT, TVMGEN_DEFAULT_IMAGE_SCALE,
             TVMGEN_DEFAULT_IMAGE_ZERO_POINT);
        if (tvmgen_default_run(&inputs, &outputs) != 0) {
            return 1;
        }
        answers = mixed(answers, scores, TVMGEN_DEFAULT_SCORES_SIZE);
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return TVMGEN_DEFAULT_WORKSPACE_SIZE > 0 ? 0 : 1;
}

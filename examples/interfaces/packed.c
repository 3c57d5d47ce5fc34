/* The packed calling convention: a registry finds the model by name, arguments are tagged values. The second call of
 * each scan has tensors of another shape, which is refused.
 *
 *   stillpool compile digits.tflite --workspace-io none --builtin-pools --shim packed -o packed
 */
#include "digits_packed.h"

#include "digits.h"

#include "answers.h"

static const stillpool_packed_entry *const registry[] = {&digits_packed_entry};

static stillpool_dltensor tensor(int8_t *data, int32_t rank, int64_t *shape)
{
    stillpool_dltensor made;
    memset(&made, 0, sizeof made);
    made.data = data;
    made.device.type = 1;
    made.ndim = rank;
    made.dtype.bits = 8;
    made.dtype.lanes = 1;
    made.shape = shape;
    return made;
}

int main(void)
{
    static int8_t image[DIGITS_INPUT_IMAGE_COUNT], scores[DIGITS_OUTPUT_SCORES_COUNT];
    int64_t given_shape[] = {1, 8, 8}, taken_shape[] = {1, DIGITS_OUTPUT_SCORES_COUNT};
    stillpool_dltensor given = tensor(image, 3, given_shape), taken = tensor(scores, 2, taken_shape);
    stillpool_packed_function *const run = stillpool_packed_find(registry, 1, "digits_run");
    stillpool_value args[2], result;
    int32_t codes[2] = {STILLPOOL_ARG_TENSOR, STILLPOOL_ARG_TENSOR}, result_code = -1;
    uint32_t answers = NO_ANSWERS;
    int sample;

    if (run == NULL || stillpool_packed_find(registry, 1, "digits") != NULL) {
        return 1;
    }
    args[0].v_handle = &given;
    args[1].v_handle = &taken;
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(image, samples_pixels[sample], DIGITS_INPUT_IMAGE_COUNT, DIGITS_INPUT_IMAGE_SCALE,
             DIGITS_INPUT_IMAGE_ZERO_POINT);
        if (run(args, codes, 2, &result, &result_code, NULL) != 0 || result_code != STILLPOOL_ARG_INT) {
            return 2;
        }
        answers = mixed(answers, scores, DIGITS_OUTPUT_SCORES_COUNT);
        given_shape[1] = 7;
        if (run(args, codes, 2, &result, &result_code, NULL) != STILLPOOL_ERROR_ARGUMENT_TYPE) {
            return 3;
        }
        given_shape[1] = 8;
    }
    codes[0] = STILLPOOL_ARG_INT;
    if (run(args, codes, 2, &result, &result_code, NULL) != STILLPOOL_ERROR_ARGUMENT_CODE
        || run(args, codes, 1, &result, &result_code, NULL) != STILLPOOL_ERROR_ARGUMENTS) {
        return 4;
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return 0;
}

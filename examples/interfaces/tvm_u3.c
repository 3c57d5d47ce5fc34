/* TVM's interface, U3 of RFC 0009: workspaces and constants in sections of the application's choice.
 *
 *   stillpool compile digits.tflite --interface tvm --name default --workspace-pool my_memory_pool_1:size=512
 *       --workspace-pool my_memory_pool_2 --constant-pool my_const_pool_1 -o tvm_u3
 */
#include "tvmgen_default.h"

#include "answers.h"

__attribute__((section(".data.tvm"), aligned(16)))
static uint8_t my_memory_pool_1[TVMGEN_DEFAULT_MY_MEMORY_POOL_1_WORKSPACE_POOL_SIZE];
__attribute__((section(".data.tvm"), aligned(16)))
static uint8_t my_memory_pool_2[TVM_DEFAULT_MY_MEMORY_POOL_2_WORKSPACE_BUFFER_SIZE];
__attribute__((section(".rodata.tvm"), aligned(16)))
static const uint8_t my_const_pool_1[TVMGEN_DEFAULT_MY_CONST_POOL_1_CONSTANT_POOL_SIZE] = {
    TVMGEN_DEFAULT_MY_CONST_POOL_1_CONSTANT_POOL_DATA };

int main(void)
{
    static int8_t image[TVMGEN_DEFAULT_IMAGE_SIZE], scores[TVMGEN_DEFAULT_SCORES_SIZE];
    struct tvmgen_default_workspace_pools tvmgen_default_workspace_pools = {
        .my_memory_pool_1 = my_memory_pool_1,
        .my_memory_pool_2 = my_memory_pool_2,
        .my_const_pool_1 = my_const_pool_1,
    };
    struct tvmgen_default_inputs tvmgen_default_inputs = {.image = image};
    struct tvmgen_default_outputs tvmgen_default_outputs = {.scores = scores};
    uint32_t answers = NO_ANSWERS;
    int sample;

    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(image, samples_pixels[sample], TVMGEN_DEFAULT_IMAGE_COUNT, TVMGEN_DEFAULT_IMAGE_SCALE,
             TVMGEN_DEFAULT_IMAGE_ZERO_POINT);
        if (tvmgen_default_run(&tvmgen_default_inputs, &tvmgen_default_outputs, &tvmgen_default_workspace_pools) != 0) {
            return 1;
        }
        answers = mixed(answers, scores, TVMGEN_DEFAULT_SCORES_SIZE);
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return 0;
}

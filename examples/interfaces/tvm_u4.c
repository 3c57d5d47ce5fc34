/* TVM's interface, U4 of RFC 0009: inputs and outputs in the workspace; an input's driver writes there, without a copy.
 *
 *   stillpool compile digits.tflite --interface tvm --name my_model --workspace-io all --workspace-pool sram -o tvm_u4
 */
#include "tvmgen_my_model.h"

#include "answers.h"

__attribute__((section("SRAM"), aligned(16)))
static uint8_t workspace_buffer_sram[TVMGEN_MY_MODEL_SRAM_WORKSPACE_POOL_SIZE];

static void generate_input(void *image, int sample)
{
    fill((int8_t *)image, samples_pixels[sample], TVMGEN_MY_MODEL_IMAGE_COUNT, TVMGEN_MY_MODEL_IMAGE_SCALE,
         TVMGEN_MY_MODEL_IMAGE_ZERO_POINT);
}

int main(void)
{
    tvmgen_my_model_workspace_pools workspaces = {
        .sram = &workspace_buffer_sram,
    };
    tvmgen_my_model_inputs inputs = tvmgen_my_model_map_inputs(&workspaces);
    tvmgen_my_model_outputs outputs = tvmgen_my_model_map_outputs(&workspaces);
    uint32_t answers = NO_ANSWERS;
    int sample;

    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        generate_input(inputs.image, sample);
        if (tvmgen_my_model_run(&workspaces) != 0) {
            return 1;
        }
        answers = mixed(answers, (int8_t *)outputs.scores, TVMGEN_MY_MODEL_SCORES_SIZE);
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return 0;
}

/* X-CUBE-AI's own interface: an application as firmware for a generated network is written, once with ai_network_...
 * and once with ST Edge AI's stai_network_...
 *
 *   stillpool compile digits.tflite --interface x-cube-ai --name network -o digits
 */
#include "network.h"
#include "network_data.h"

#include "answers.h"

AI_ALIGNED(32) static ai_u8 activations[AI_NETWORK_DATA_ACTIVATIONS_SIZE];
AI_ALIGNED(32) static ai_i8 scores[AI_NETWORK_OUT_1_SIZE_BYTES];
STAI_NETWORK_CONTEXT_DECLARE(context, STAI_NETWORK_CONTEXT_SIZE)

static uint32_t with_x_cube_ai(void)
{
    ai_handle network = AI_HANDLE_NULL;
    const ai_handle addresses[] = {activations};
    ai_buffer *input, *output;
    ai_network_report report;
    ai_u16 count = 0;
    uint32_t answers = NO_ANSWERS;
    float scale;
    int sample;
    ai_error error = ai_network_create_and_init(&network, addresses, AI_NETWORK_DATA_WEIGHTS_TABLE_GET());
    if (error.type != AI_ERROR_NONE) {
        return 0;
    }
    input = ai_network_inputs_get(network, &count);
    output = ai_network_outputs_get(network, NULL);
    if (count != AI_NETWORK_IN_NUM || AI_BUFFER_SIZE(&input[0]) != AI_NETWORK_IN_1_SIZE) {
        return 0;
    }
    if (!ai_network_get_report(network, &report) || report.n_outputs != AI_NETWORK_OUT_NUM || report.n_macc == 0) {
        return 0;
    }
    /* An array of the application's for what lies within the activations: a run copies it. */
    output[0].data = AI_HANDLE_PTR(scores);
    scale = AI_BUFFER_META_INFO_INTQ_GET_SCALE(input[0].meta_info, 0);
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill((ai_i8 *)input[0].data, samples_pixels[sample], AI_NETWORK_IN_1_SIZE, scale,
             AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(input[0].meta_info, 0));
        if (ai_network_run(network, &input[0], &output[0]) != 1) {
            return 0;
        }
        answers = mixed(answers, scores, AI_NETWORK_OUT_1_SIZE);
    }
    return ai_network_destroy(network) == AI_HANDLE_NULL ? answers : 0;
}

static uint32_t with_st_edge_ai(void)
{
    const stai_ptr addresses[STAI_NETWORK_ACTIVATIONS_NUM] = {activations};
    stai_ptr inputs[STAI_NETWORK_IN_NUM], outputs[STAI_NETWORK_OUT_NUM];
    stai_network_info info;
    stai_size count;
    uint32_t answers = NO_ANSWERS;
    int sample;
    if (stai_runtime_init() != STAI_SUCCESS || stai_network_init(context) != STAI_SUCCESS
        || stai_network_set_activations(context, addresses, STAI_NETWORK_ACTIVATIONS_NUM) != STAI_SUCCESS
        || stai_network_get_inputs(context, inputs, &count) != STAI_SUCCESS || count != STAI_NETWORK_IN_NUM
        || stai_network_get_outputs(context, outputs, &count) != STAI_SUCCESS
        || stai_network_get_info(context, &info) != STAI_SUCCESS || info.n_inputs != STAI_NETWORK_IN_NUM) {
        return 0;
    }
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill((int8_t *)inputs[0], samples_pixels[sample], STAI_NETWORK_IN_1_SIZE, info.inputs[0].scale.data[0],
             info.inputs[0].zeropoint.data[0]);
        if (stai_network_run(context, STAI_MODE_SYNC) != STAI_SUCCESS) {
            return 0;
        }
        answers = mixed(answers, (const int8_t *)outputs[0], STAI_NETWORK_OUT_1_SIZE);
    }
    return stai_network_deinit(context) == STAI_SUCCESS ? answers : 0;
}

int main(void)
{
    const uint32_t answers = with_x_cube_ai();
    if (answers != with_st_edge_ai()) {
        return 1;
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return 0;
}

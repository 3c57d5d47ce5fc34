/* ST's interfaces as firmware in the field has them: ai_network_create, then ai_network_init with what the firmware was
 * told of memories; a report that is printed; stai_network_... with arrays of the application's and arrays by macro.
 *
 *   stillpool compile digits.tflite --interface x-cube-ai --name network -o st_firmware
 */
#include <string.h>

#include "ai_datatypes_defines.h"
#include "ai_platform.h"
#include "network.h"
#include "network_data.h"
#include "stai.h"

#include "answers.h"

#if !defined(AI_NETWORK_INPUTS_IN_ACTIVATIONS)
AI_ALIGNED(4) static ai_i8 data_in_1[AI_NETWORK_IN_1_SIZE_BYTES];
static ai_i8 *data_ins[AI_NETWORK_IN_NUM] = {data_in_1};
#else
static ai_i8 *data_ins[AI_NETWORK_IN_NUM] = {NULL};
#endif
#if !defined(AI_NETWORK_OUTPUTS_IN_ACTIVATIONS)
AI_ALIGNED(4) static ai_i8 data_out_1[AI_NETWORK_OUT_1_SIZE_BYTES];
static ai_i8 *data_outs[AI_NETWORK_OUT_NUM] = {data_out_1};
#else
static ai_i8 *data_outs[AI_NETWORK_OUT_NUM] = {NULL};
#endif

/* Four bytes are what CubeMX aligns it to; the word before it keeps a linker from giving it more by chance. */
static struct { ai_u32 before; ai_u8 bytes[AI_NETWORK_DATA_ACTIVATION_1_SIZE]; } pool0;
AI_ALIGNED(8) static struct { ai_u32 before; ai_u8 bytes[STAI_NETWORK_ACTIVATION_1_SIZE_BYTES]; } pool1;

static ai_handle network = AI_HANDLE_NULL;
static ai_network_report report;

static int failed(ai_error error, const char *where)
{
    printf("%s: type 0x%02x, code 0x%02x\n", where, (unsigned)error.type, (unsigned)error.code);
    return -1;
}

static int has_report(void)
{
    const ai_buffer *const input = report.inputs;
    if (!ai_network_get_info(network, &report) || !ai_network_get_report(network, &report)) {
        return 0;
    }
    return report.n_inputs == AI_NETWORK_IN_NUM && report.n_outputs == AI_NETWORK_OUT_NUM
        && strcmp(report.model_name, AI_NETWORK_MODEL_NAME) == 0
        && report.activations.size == AI_NETWORK_DATA_ACTIVATIONS_SIZE
        && report.params.size == AI_NETWORK_DATA_WEIGHTS_SIZE && report.n_nodes > 0 && report.n_macc > 0
        && report.map_activations.size == AI_NETWORK_DATA_ACTIVATIONS_COUNT
        && report.map_weights.size == AI_NETWORK_DATA_WEIGHTS_COUNT && (input == NULL || input == report.inputs);
}

static int is_quantised(const ai_buffer *buffer)
{
    const ai_buffer_format format = AI_BUFFER_FORMAT(buffer);
    return AI_BUFFER_FMT_GET_TYPE(format) == AI_BUFFER_FMT_TYPE_Q && AI_BUFFER_FMT_GET_SIGN(format) == 1
        && AI_BUFFER_FMT_GET_BITS(format) == 8 && AI_BUFFER_META_INFO_INTQ(buffer->meta_info) != NULL
        && AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_BATCH) == 1;
}

/* Memories in the form of older versions, and in that of newer ones. */
static int start(int is_new)
{
    ai_error error = ai_network_create(&network, AI_NETWORK_DATA_CONFIG);
    if (error.type != AI_ERROR_NONE) {
        return failed(error, "ai_network_create");
    }
    if (is_new) {
        ai_network_params params;
        if (!ai_network_data_params_get(&params)) {
            return failed(ai_network_get_error(network), "ai_network_data_params_get");
        }
        if (!AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&params.map_activations, 0, pool0.bytes)) {
            return -1;
        }
        if (!ai_network_init(network, &params)) {
            return failed(ai_network_get_error(network), "ai_network_init");
        }
    } else {
        const ai_network_params params = AI_NETWORK_PARAMS_INIT(
            AI_NETWORK_DATA_WEIGHTS(ai_network_data_weights_get()), AI_NETWORK_DATA_ACTIVATIONS(pool0.bytes));
        if (!ai_network_init(network, &params)) {
            return failed(ai_network_get_error(network), "ai_network_init");
        }
    }
    return has_report() ? 0 : -2;
}

static uint32_t with_x_cube_ai(int is_new)
{
    ai_buffer *ai_input, *ai_output;
    uint32_t answers = NO_ANSWERS;
    ai_float scale;
    int sample, idx;
    if (start(is_new) != 0) {
        return 0;
    }
    ai_input = ai_network_inputs_get(network, NULL);
    ai_output = ai_network_outputs_get(network, NULL);
    for (idx = 0; idx < AI_NETWORK_IN_NUM; idx++) {
#if defined(AI_NETWORK_INPUTS_IN_ACTIVATIONS)
        data_ins[idx] = (ai_i8 *)ai_input[idx].data;
#else
        ai_input[idx].data = AI_HANDLE_PTR(data_ins[idx]);
#endif
    }
    for (idx = 0; idx < AI_NETWORK_OUT_NUM; idx++) {
#if defined(AI_NETWORK_OUTPUTS_IN_ACTIVATIONS)
        data_outs[idx] = (ai_i8 *)ai_output[idx].data;
#else
        ai_output[idx].data = AI_HANDLE_PTR(data_outs[idx]);
#endif
    }
    if (!is_quantised(&ai_input[0]) || !is_quantised(&ai_output[0])) {
        return 0;
    }
    scale = AI_BUFFER_META_INFO_INTQ_GET_SCALE(ai_input[0].meta_info, 0);
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(data_ins[0], samples_pixels[sample], AI_NETWORK_IN_1_SIZE, scale,
             AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(ai_input[0].meta_info, 0));
        if (ai_network_run(network, ai_input, ai_output) != 1) {
            return (uint32_t)failed(ai_network_get_error(network), "ai_network_run");
        }
        answers = mixed(answers, data_outs[0], AI_NETWORK_OUT_1_SIZE);
    }
    network = ai_network_destroy(network);
    /* A network that is gone does not run, and says so. */
    if (ai_network_run(network, ai_input, ai_output) == 1 || ai_network_get_error(network).type == AI_ERROR_NONE) {
        return 0;
    }
    return answers;
}

STAI_ALIGNED(STAI_NETWORK_CONTEXT_ALIGNMENT) static stai_network network_context[STAI_NETWORK_CONTEXT_SIZE];
STAI_ALIGNED(STAI_NETWORK_IN_1_ALIGNMENT) static int8_t in_data[STAI_NETWORK_IN_1_SIZE];
STAI_ALIGNED(STAI_NETWORK_OUT_1_ALIGNMENT) static int8_t out_data[STAI_NETWORK_OUT_1_SIZE];

static int has_info(const stai_network_info *info)
{
    const stai_tensor *const input = &info->inputs[0];
    static const stai_size sizes[STAI_NETWORK_IN_NUM] = STAI_NETWORK_IN_SIZES_BYTES;
    static const char *const names[STAI_NETWORK_IN_NUM] = STAI_NETWORK_IN_NAMES;
    return info->n_inputs == STAI_NETWORK_IN_NUM && info->n_outputs == STAI_NETWORK_OUT_NUM
        && info->n_activations == STAI_NETWORK_ACTIVATIONS_NUM && info->n_weights == STAI_NETWORK_WEIGHTS_NUM
        && info->n_states == STAI_NETWORK_STATES_NUM
        && info->activations[0].size_bytes == STAI_NETWORK_ACTIVATIONS_SIZE_BYTES
        && info->weights[0].size_bytes == STAI_NETWORK_WEIGHTS_SIZE_BYTES
        && strcmp(info->c_model_name, STAI_NETWORK_MODEL_NAME) == 0
        && strcmp(info->model_signature, STAI_NETWORK_ORIGIN_MODEL_SIGNATURE) == 0
        && strcmp(STAI_NETWORK_ORIGIN_MODEL_NAME, "digits") == 0 && info->c_model_signature == STAI_NETWORK_MODEL_SIGNATURE
        && input->size_bytes == sizes[0] && input->size_bytes == STAI_NETWORK_IN_SIZE_BYTES
        && strcmp(names[0], STAI_NETWORK_IN_1_NAME) == 0 && input->format == STAI_NETWORK_IN_1_FORMAT
        && input->shape.size == STAI_NETWORK_IN_1_RANK && input->shape.data[0] == STAI_NETWORK_IN_1_BATCH;
}

static uint32_t with_st_edge_ai(void)
{
    const stai_ptr acts[] = {pool1.bytes};
    stai_ptr stai_input[STAI_NETWORK_IN_NUM] = {(stai_ptr)in_data};
    stai_ptr stai_output[STAI_NETWORK_OUT_NUM] = {(stai_ptr)out_data};
    stai_ptr found[1] = {NULL};
    stai_network_info info;
    stai_runtime_info runtime;
    stai_size count = 0;
    uint32_t answers = NO_ANSWERS;
    int sample;
    if (stai_runtime_init() != STAI_SUCCESS || stai_runtime_get_info(&runtime) != STAI_SUCCESS
        || stai_network_get_context_size() != STAI_NETWORK_CONTEXT_SIZE
        || stai_network_init(network_context) != STAI_SUCCESS
        || stai_network_set_activations(network_context, acts, STAI_NETWORK_ACTIVATIONS_NUM) != STAI_SUCCESS
        || stai_network_set_inputs(network_context, stai_input, STAI_NETWORK_IN_NUM) != STAI_SUCCESS
        || stai_network_set_outputs(network_context, stai_output, STAI_NETWORK_OUT_NUM) != STAI_SUCCESS
        || stai_network_set_callback(network_context, NULL, NULL) != STAI_SUCCESS
        || stai_network_get_activations(network_context, found, &count) != STAI_SUCCESS || found[0] != acts[0]
        || stai_network_get_weights(network_context, found, &count) != STAI_SUCCESS
        || count != STAI_NETWORK_WEIGHTS_NUM || stai_network_get_states(network_context, NULL, &count) != STAI_SUCCESS
        || count != STAI_NETWORK_STATES_NUM || stai_network_set_states(network_context, NULL, count) != STAI_SUCCESS
        || stai_network_get_info(network_context, &info) != STAI_SUCCESS || !has_info(&info)) {
        return 0;
    }
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(in_data, samples_pixels[sample], STAI_NETWORK_IN_1_SIZE, info.inputs[0].scale.data[0],
             info.inputs[0].zeropoint.data[0]);
        if (stai_network_run(network_context, STAI_MODE_SYNC) != STAI_SUCCESS) {
            return (uint32_t)stai_network_get_error(network_context);
        }
        answers = mixed(answers, out_data, STAI_NETWORK_OUT_1_SIZE);
    }
    return stai_network_deinit(network_context) == STAI_SUCCESS && stai_runtime_deinit() == STAI_SUCCESS ? answers : 0;
}

int main(void)
{
    const uint32_t answers = with_x_cube_ai(0);
    if (answers != with_x_cube_ai(1) || answers != with_st_edge_ai()) {
        return 1;
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return 0;
}

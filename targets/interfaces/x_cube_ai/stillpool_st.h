/* What models compiled by stillpool --interface x-cube-ai share behind ai_<m>_... and stai_<m>_...: C99 and C++11. */
#ifndef STILLPOOL_ST_H
#define STILLPOOL_ST_H

#include <string.h>

#include "ai_platform.h"
#include "stai.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AI_RUN_DAMAGED 1
#define AI_RUN_EXTERNAL 2

/* An input or output. */
typedef struct {
    ai_buffer_format format;
    uint32_t count; /* elements */
    uint32_t bytes;
    uint32_t alignment; /* of its address */
    uint8_t *base; /* the pool that holds it where that is built in, else null */
    int32_t offset; /* from there or from the activations; -1: the application brings it */
    uint32_t dimensions;
    const ai_shape_dimension *shape; /* batch, channel, width, height */
    const ai_buffer_meta_info *meta_info;
} stillpool_st_tensor;

/* What a handle points to; the members are for this file and the models. */
typedef struct {
    uint32_t is_open;
    uint8_t *activations;
    uint8_t *state;
    void **data; /* inputs, then outputs */
    stai_return_code code;
} stillpool_st_context;

/* A compiled model. */
typedef struct {
    const char *name;
    const char *revision;
    const char *tool;
    uint64_t macc;
    uint32_t nodes;
    uint32_t n_inputs;
    uint32_t n_outputs;
    const stillpool_st_tensor *tensors; /* inputs, then outputs */
    const stai_tensor *infos;
    const stai_tensor *memories; /* activations, then weights */
    uint32_t signature;
    stai_flags flags;
    uint8_t *activations; /* where they are built in, else null */
    uint32_t activations_size;
    uint32_t activations_alignment;
    uint32_t weights_size;
    uint32_t alignment; /* of a context */
    uint32_t data_offset; /* of its parts */
    uint32_t state_offset;
    int32_t (*run)(stillpool_st_context *network);
    void (*reset)(stillpool_st_context *network); /* null: the model keeps nothing */
} stillpool_st_model;

static inline stai_return_code stillpool_st_failed(stillpool_st_context *network, stai_return_code code)
{
    if (network->code == STAI_SUCCESS) {
        network->code = code;
    }
    return code;
}

static inline int32_t stillpool_st_is_open(const stillpool_st_context *network)
{
    return network != NULL && network->is_open != 0;
}

/* Where a tensor lies in a pool; null if the application brings it, or there are no activations yet. */
static inline uint8_t *stillpool_st_place(const stillpool_st_context *network, const stillpool_st_tensor *tensor)
{
    uint8_t *const base = tensor->base != NULL ? tensor->base : network->activations;
    return tensor->offset < 0 || base == NULL ? NULL : base + tensor->offset;
}

static inline stai_return_code stillpool_st_activate(const stillpool_st_model *model, stillpool_st_context *network,
    uint8_t *activations)
{
    const uint32_t count = model->n_inputs + model->n_outputs;
    uint32_t i;
    if (model->activations_size > 0 && activations == NULL) {
        return stillpool_st_failed(network, STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_PTR);
    }
    if (model->activations_size > 0 && (uintptr_t)activations % model->activations_alignment != 0) {
        return stillpool_st_failed(network, STAI_ERROR_INVALID_BUFFER_ALIGNMENT);
    }
    network->activations = activations;
    for (i = 0; i < count; ++i) {
        if (model->tensors[i].offset >= 0) {
            network->data[i] = stillpool_st_place(network, &model->tensors[i]);
        }
    }
    return STAI_SUCCESS;
}

/* Makes a context in storage; activations that are built in are there at once. */
static inline stai_return_code stillpool_st_open(const stillpool_st_model *model, void *storage)
{
    stillpool_st_context *const network = (stillpool_st_context *)storage;
    uint32_t i;
    if (storage == NULL) {
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }
    if ((uintptr_t)storage % model->alignment != 0) {
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_ALIGNMENT;
    }
    network->code = STAI_SUCCESS;
    network->activations = NULL;
    network->state = (uint8_t *)storage + model->state_offset;
    network->data = (void **)(void *)((uint8_t *)storage + model->data_offset);
    for (i = 0; i < model->n_inputs + model->n_outputs; ++i) {
        network->data[i] = NULL;
    }
    network->is_open = 1;
    if (model->reset != NULL) {
        model->reset(network);
    }
    if (model->activations != NULL || model->activations_size == 0) {
        return stillpool_st_activate(model, network, model->activations);
    }
    return STAI_SUCCESS;
}

/* Runs once. A tensor that lies in a pool is copied from and to the application's array, if it set one. */
static inline stai_return_code stillpool_st_run(const stillpool_st_model *model, stillpool_st_context *network)
{
    const uint32_t count = model->n_inputs + model->n_outputs;
    int32_t result;
    uint32_t i;
    if (model->activations_size > 0 && network->activations == NULL) {
        return stillpool_st_failed(network, STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_PTR);
    }
    for (i = 0; i < count; ++i) {
        const stai_return_code code =
            i < model->n_inputs ? STAI_ERROR_NETWORK_INVALID_IN_PTR : STAI_ERROR_NETWORK_INVALID_OUT_PTR;
        if (network->data[i] == NULL) {
            return stillpool_st_failed(network, code);
        }
        if (model->tensors[i].offset < 0 && (uintptr_t)network->data[i] % model->tensors[i].alignment != 0) {
            return stillpool_st_failed(network, STAI_ERROR_INVALID_BUFFER_ALIGNMENT);
        }
    }
    for (i = 0; i < model->n_inputs; ++i) {
        uint8_t *const place = stillpool_st_place(network, &model->tensors[i]);
        if (place != NULL && network->data[i] != (void *)place) {
            memmove(place, network->data[i], model->tensors[i].bytes);
        }
    }
    result = model->run(network);
    for (i = model->n_inputs; i < count; ++i) {
        const uint8_t *const place = stillpool_st_place(network, &model->tensors[i]);
        if (place != NULL && network->data[i] != (const void *)place) {
            memmove(network->data[i], place, model->tensors[i].bytes);
        }
    }
    return result == 0 ? STAI_SUCCESS : stillpool_st_failed(network, STAI_ERROR_GENERIC);
}

static inline stai_return_code stillpool_st_set(const stillpool_st_model *model, stillpool_st_context *network,
    const stai_ptr *pointers, stai_size count, int32_t outputs)
{
    const uint32_t first = outputs ? model->n_inputs : 0;
    uint32_t i;
    if (pointers == NULL) {
        return stillpool_st_failed(network, STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS);
    }
    if (count != (outputs ? model->n_outputs : model->n_inputs)) {
        return stillpool_st_failed(
            network, outputs ? STAI_ERROR_NETWORK_INVALID_OUT_NUM : STAI_ERROR_NETWORK_INVALID_IN_NUM);
    }
    for (i = 0; i < count; ++i) {
        if (pointers[i] == NULL) {
            return stillpool_st_failed(
                network, outputs ? STAI_ERROR_NETWORK_INVALID_OUT_PTR : STAI_ERROR_NETWORK_INVALID_IN_PTR);
        }
        network->data[first + i] = pointers[i];
    }
    return STAI_SUCCESS;
}

static inline stai_return_code stillpool_st_get(const stillpool_st_model *model, stillpool_st_context *network,
    stai_ptr *pointers, stai_size *count, int32_t outputs)
{
    const uint32_t first = outputs ? model->n_inputs : 0;
    const uint32_t found = outputs ? model->n_outputs : model->n_inputs;
    uint32_t i;
    if (count == NULL) {
        return stillpool_st_failed(network, STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS);
    }
    *count = found;
    for (i = 0; pointers != NULL && i < found; ++i) {
        pointers[i] = (stai_ptr)network->data[first + i];
    }
    return STAI_SUCCESS;
}

static inline stai_return_code stillpool_st_info(const stillpool_st_model *model, stai_network_info *info)
{
    static const stai_version version = {STAI_API_VERSION_MAJOR, STAI_API_VERSION_MINOR, STAI_API_VERSION_MICRO, 0};
    if (info == NULL) {
        return STAI_ERROR_NETWORK_INVALID_INFO;
    }
    memset(info, 0, sizeof *info);
    info->model_signature = model->revision;
    info->c_compile_datetime = "";
    info->c_model_name = model->name;
    info->c_model_datetime = "";
    info->c_model_signature = model->signature;
    info->flags = model->flags;
    info->n_macc = model->macc;
    info->n_nodes = model->nodes;
    info->runtime_version = version;
    info->tool_version = version;
    info->api_version = version;
    info->n_inputs = (uint16_t)model->n_inputs;
    info->n_outputs = (uint16_t)model->n_outputs;
    info->n_activations = 1;
    info->n_weights = 1;
    info->inputs = model->infos;
    info->outputs = model->infos + model->n_inputs;
    info->activations = model->memories;
    info->weights = model->memories + 1;
    info->activations_size = model->activations_size;
    info->weights_size = model->weights_size;
    return STAI_SUCCESS;
}

/* The same errors as X-CUBE-AI's. */
static inline ai_error stillpool_st_error(stai_return_code code)
{
    switch (code) {
    case STAI_SUCCESS:
        return ai_error_of(AI_ERROR_NONE, AI_ERROR_CODE_NONE);
    case STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_PTR:
    case STAI_ERROR_INVALID_BUFFER_ALIGNMENT:
        return ai_error_of(AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK_ACTIVATIONS);
    case STAI_ERROR_NETWORK_INVALID_IN_PTR:
        return ai_error_of(AI_ERROR_INVALID_INPUT, AI_ERROR_CODE_INVALID_PTR);
    case STAI_ERROR_NETWORK_INVALID_OUT_PTR:
        return ai_error_of(AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_PTR);
    default:
        return ai_error_of(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NETWORK);
    }
}

/* The tensors as buffers of an application. Nobody writes to shapes and quantisation, which X-CUBE-AI has no const for. */
static inline void stillpool_st_buffers(const stillpool_st_model *model, const stillpool_st_context *network,
    ai_buffer *buffers)
{
    uint32_t i;
    for (i = 0; i < model->n_inputs + model->n_outputs; ++i) {
        const stillpool_st_tensor *const tensor = &model->tensors[i];
        buffers[i] = ai_buffer_of(tensor->format, network->data[i], tensor->count);
        buffers[i].meta_info = (ai_buffer_meta_info *)(uintptr_t)tensor->meta_info;
        buffers[i].shape.size = tensor->dimensions & 0xffffffu;
        buffers[i].shape.data = (ai_shape_dimension *)(uintptr_t)tensor->shape;
    }
}

static inline ai_i32 stillpool_st_run_buffers(const stillpool_st_model *model, stillpool_st_context *network,
    const ai_buffer *inputs, const ai_buffer *outputs)
{
    uint32_t i;
    for (i = 0; i < model->n_inputs; ++i) {
        network->data[i] = inputs[i].data;
    }
    for (i = 0; i < model->n_outputs; ++i) {
        network->data[model->n_inputs + i] = outputs[i].data;
    }
    return stillpool_st_run(model, network) == STAI_SUCCESS ? 1 : 0;
}

static inline ai_buffer_array stillpool_st_array(ai_buffer *buffer)
{
    ai_buffer_array array;
    array.flags = 0;
    array.size = 1;
    array.buffer = buffer;
    return array;
}

/* The memories as buffers that an application completes: activations, then weights. */
static inline void stillpool_st_memories(const stillpool_st_model *model, ai_buffer *memories)
{
    memories[0] = ai_buffer_of(AI_BUFFER_FORMAT_U8, model->activations, model->activations_size);
    memories[1] = ai_buffer_of(AI_BUFFER_FORMAT_U8, NULL, model->weights_size);
}

static inline void stillpool_st_report(const stillpool_st_model *model, ai_buffer *buffers, ai_buffer *memories,
    ai_network_report *report)
{
    static const ai_platform_version version = {AI_PLATFORM_API_MAJOR, AI_PLATFORM_API_MINOR, AI_PLATFORM_API_MICRO, 0};
    memset(report, 0, sizeof *report);
    report->model_name = model->name;
    report->model_signature = model->revision;
    report->model_datetime = "";
    report->compile_datetime = "";
    report->runtime_revision = model->tool;
    report->runtime_version = version;
    report->tool_revision = model->tool;
    report->tool_version = version;
    report->tool_api_version = version;
    report->api_version = version;
    report->interface_api_version = version;
    report->n_macc = model->macc;
    report->n_inputs = (ai_u16)model->n_inputs;
    report->n_outputs = (ai_u16)model->n_outputs;
    report->inputs = buffers;
    report->outputs = buffers + model->n_inputs;
    report->params = ai_buffer_of(AI_BUFFER_FORMAT_U8, NULL, model->weights_size);
    report->activations = ai_buffer_of(AI_BUFFER_FORMAT_U8, NULL, model->activations_size);
    report->map_signature = AI_MAGIC_SIGNATURE;
    report->map_activations = stillpool_st_array(memories);
    report->map_weights = stillpool_st_array(memories + 1);
    report->n_nodes = model->nodes;
}

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_ST_H */

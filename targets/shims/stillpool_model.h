/* Models compiled by stillpool as data: run by handle, without a look-up by name. C99 and C++11, one text for all.
 *
 *     static void *pointers[DIGITS_MODEL_POINTERS];
 *     void *pools[] = {sram};
 *     stillpool_handle handle;
 *     stillpool_open(&handle, &digits_model, pointers, pools);
 *     memcpy(stillpool_input(&handle, 0), image, digits_model.input[0].bytes);
 *     stillpool_run(&handle);
 */
#ifndef STILLPOOL_MODEL_H
#define STILLPOOL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stillpool_type {
    STILLPOOL_TYPE_BOOL,
    STILLPOOL_TYPE_INT8,
    STILLPOOL_TYPE_UINT8,
    STILLPOOL_TYPE_INT16,
    STILLPOOL_TYPE_INT32,
    STILLPOOL_TYPE_INT64,
    STILLPOOL_TYPE_FLOAT32,
    STILLPOOL_TYPE_FLOAT64
} stillpool_type;

/* An input or output: elements in row-major order. real = scale * (value - zero_point); a scale of 0 says that the
 * elements are no quantised numbers. */
typedef struct stillpool_tensor_info {
    const char *name;
    stillpool_type type;
    int32_t rank;
    const int32_t *shape;
    uint32_t count;
    uint32_t bytes;
    float scale;
    int32_t zero_point;
    int32_t is_mapped; /* whether it lies in a pool; else its array is the application's */
} stillpool_tensor_info;

/* A pool that the application passes in. */
typedef struct stillpool_pool_info {
    const char *name;
    uint32_t bytes;
    uint32_t alignment;
    int32_t is_constant; /* whether the application puts the constants there; a run only reads it */
} stillpool_pool_info;

typedef struct stillpool_model {
    const char *name;
    const char *revision; /* changes with the model file */
    int32_t inputs;
    int32_t outputs;
    int32_t pools;
    int32_t devices;
    int32_t operators;
    const stillpool_tensor_info *input;
    const stillpool_tensor_info *output;
    const stillpool_pool_info *pool;
    const char *const *device; /* names of external functions' devices; their handles follow the pools in a run */
    void (*map)(void *const *pools, void **inputs, void **outputs); /* fills in those that lie in pools */
    int32_t (*run)(void *const *inputs, void *const *outputs, void *const *pools);
    int32_t (*reset)(void *const *pools); /* null: the model keeps nothing from run to run */
} stillpool_model;

/* A model with its memory. Handles with different pools may run at the same time. */
typedef struct stillpool_handle {
    const stillpool_model *model;
    void **inputs;
    void **outputs;
    void **pools;
    void **devices;
} stillpool_handle;

#define STILLPOOL_OK 0
#define STILLPOOL_ERROR_NULL (-101) /* a handle, model or pool is null */
#define STILLPOOL_ERROR_MISALIGNED (-102) /* a pool does not start at a multiple of its alignment */
#define STILLPOOL_ERROR_INDEX (-103) /* there is no such input, output or device, or it lies in a pool */

/* Opens a model on its pools, in the order of model->pool, and resets what it keeps; `pools` may be null where there
 * are none. `pointers` is room for inputs + outputs + pools + devices (<M>_MODEL_POINTERS) of them, as long as the
 * handle is used. */
static inline int32_t stillpool_open(stillpool_handle *handle, const stillpool_model *model, void **pointers,
    void *const *pools)
{
    int32_t i;
    if (handle == NULL) {
        return STILLPOOL_ERROR_NULL;
    }
    handle->model = NULL;
    if (model == NULL || pointers == NULL || (pools == NULL && model->pools > 0)) {
        return STILLPOOL_ERROR_NULL;
    }
    handle->inputs = pointers;
    handle->outputs = pointers + model->inputs;
    handle->pools = handle->outputs + model->outputs;
    handle->devices = handle->pools + model->pools;
    for (i = 0; i < model->devices; ++i) {
        handle->devices[i] = NULL;
    }
    for (i = 0; i < model->inputs + model->outputs; ++i) {
        pointers[i] = NULL;
    }
    for (i = 0; i < model->pools; ++i) {
        if (pools[i] == NULL && model->pool[i].bytes > 0) {
            return STILLPOOL_ERROR_NULL;
        }
        if ((uintptr_t)pools[i] % model->pool[i].alignment != 0) {
            return STILLPOOL_ERROR_MISALIGNED;
        }
        handle->pools[i] = pools[i];
    }
    model->map(handle->pools, handle->inputs, handle->outputs);
    handle->model = model;
    return model->reset == NULL ? STILLPOOL_OK : model->reset(handle->pools);
}

/* Where an input or output is; null if there is none, or the application has not said where. */
static inline void *stillpool_input(const stillpool_handle *handle, int32_t index)
{
    const int32_t is_there = handle->model != NULL && index >= 0 && index < handle->model->inputs;
    return is_there ? handle->inputs[index] : NULL;
}
static inline void *stillpool_output(const stillpool_handle *handle, int32_t index)
{
    const int32_t is_there = handle->model != NULL && index >= 0 && index < handle->model->outputs;
    return is_there ? handle->outputs[index] : NULL;
}

/* Says where an input or output of the application's is. */
static inline int32_t stillpool_bind_input(stillpool_handle *handle, int32_t index, void *data)
{
    const stillpool_model *const model = handle->model;
    if (model == NULL || index < 0 || index >= model->inputs || model->input[index].is_mapped) {
        return STILLPOOL_ERROR_INDEX;
    }
    handle->inputs[index] = data;
    return STILLPOOL_OK;
}
static inline int32_t stillpool_bind_output(stillpool_handle *handle, int32_t index, void *data)
{
    const stillpool_model *const model = handle->model;
    if (model == NULL || index < 0 || index >= model->outputs || model->output[index].is_mapped) {
        return STILLPOOL_ERROR_INDEX;
    }
    handle->outputs[index] = data;
    return STILLPOOL_OK;
}

/* Sets the handle of a device, in the order of model->device: external functions and hooks get it as it is. It is null
 * after stillpool_open. */
static inline int32_t stillpool_set_device(stillpool_handle *handle, int32_t index, void *device)
{
    if (handle->model == NULL || index < 0 || index >= handle->model->devices) {
        return STILLPOOL_ERROR_INDEX;
    }
    handle->devices[index] = device;
    return STILLPOOL_OK;
}

/* Runs the network once; returns 0, a code above, or what the model's own run does. */
static inline int32_t stillpool_run(const stillpool_handle *handle)
{
    const stillpool_model *const model = handle == NULL ? NULL : handle->model;
    return model == NULL ? STILLPOOL_ERROR_NULL : model->run(handle->inputs, handle->outputs, handle->pools);
}

/* Sets what the model keeps from run to run to its initial values. */
static inline int32_t stillpool_reset(const stillpool_handle *handle)
{
    const stillpool_model *const model = handle == NULL ? NULL : handle->model;
    if (model == NULL) {
        return STILLPOOL_ERROR_NULL;
    }
    return model->reset == NULL ? STILLPOOL_OK : model->reset(handle->pools);
}

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_MODEL_H */

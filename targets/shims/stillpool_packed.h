/* Models compiled by stillpool as functions of a registry: a name, and arguments that are tagged values. C99, C++11.
 *
 * Values, codes and tensors are laid out as in the packed calling convention of TVM's runtime (TVMValue, DLTensor), so
 * that such a runtime can register the functions as they are. Arguments are the inputs, then the outputs, both
 * tensors; then the pools that the application passes in, tensors or opaque handles. */
#ifndef STILLPOOL_PACKED_H
#define STILLPOOL_PACKED_H

#include <string.h>

#include "stillpool_model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef union stillpool_value {
    int64_t v_int64;
    double v_float64;
    void *v_handle;
    const char *v_str;
} stillpool_value;

enum { STILLPOOL_ARG_INT = 0, STILLPOOL_ARG_HANDLE = 3, STILLPOOL_ARG_TENSOR = 7 };

typedef struct stillpool_dltensor {
    void *data;
    struct { int32_t type; int32_t id; } device;
    int32_t ndim;
    struct { uint8_t code; uint8_t bits; uint16_t lanes; } dtype;
    int64_t *shape;
    int64_t *strides; /* null: dense */
    uint64_t byte_offset;
} stillpool_dltensor;

typedef int32_t stillpool_packed_function(stillpool_value *args, int32_t *type_codes, int32_t num_args,
    stillpool_value *result, int32_t *result_code, void *resource_handle);

typedef struct stillpool_packed_entry {
    const char *name;
    stillpool_packed_function *function;
} stillpool_packed_entry;

#define STILLPOOL_ERROR_ARGUMENTS (-111) /* too many or too few */
#define STILLPOOL_ERROR_ARGUMENT_CODE (-112) /* one has the wrong tag, or is null */
#define STILLPOOL_ERROR_ARGUMENT_TYPE (-113) /* a tensor has other elements or another shape than the model's */
#define STILLPOOL_ERROR_ARGUMENT_LAYOUT (-114) /* a tensor is not dense, or not in this processor's memory */

/* The function of a name among `count` models; null if there is none. */
static inline stillpool_packed_function *stillpool_packed_find(const stillpool_packed_entry *const *entries,
    int32_t count, const char *name)
{
    int32_t i;
    for (i = 0; i < count; ++i) {
        if (strcmp(entries[i]->name, name) == 0) {
            return entries[i]->function;
        }
    }
    return NULL;
}

static inline int32_t stillpool_packed_tensor(const stillpool_tensor_info *info, const stillpool_value *value,
    int32_t code, uint8_t **data)
{
    /* DLPack: 0 integer, 1 unsigned, 2 floating, 6 truth value, which TVM has as an unsigned of one bit too. */
    static const uint8_t codes[] = {6, 0, 1, 0, 0, 0, 2, 2}, bits[] = {8, 8, 8, 16, 32, 64, 32, 64};
    const stillpool_dltensor *const tensor = (const stillpool_dltensor *)value->v_handle;
    int32_t i, is_bool;
    if (code != STILLPOOL_ARG_TENSOR || tensor == NULL || tensor->data == NULL) {
        return STILLPOOL_ERROR_ARGUMENT_CODE;
    }
    is_bool = info->type == STILLPOOL_TYPE_BOOL && tensor->dtype.code == 1 && tensor->dtype.bits == 1;
    if ((tensor->dtype.code != codes[info->type] || tensor->dtype.bits != bits[info->type]) && !is_bool) {
        return STILLPOOL_ERROR_ARGUMENT_TYPE;
    }
    if (tensor->dtype.lanes != 1 || tensor->ndim != info->rank) {
        return STILLPOOL_ERROR_ARGUMENT_TYPE;
    }
    for (i = 0; i < info->rank; ++i) {
        if (tensor->shape[i] != info->shape[i]) {
            return STILLPOOL_ERROR_ARGUMENT_TYPE;
        }
    }
    if (tensor->strides != NULL || tensor->device.type != 1) {
        return STILLPOOL_ERROR_ARGUMENT_LAYOUT;
    }
    *data = (uint8_t *)tensor->data + tensor->byte_offset;
    return STILLPOOL_OK;
}

/* One call; `resource_handle` is that of the model's device, of several an array of them. Inputs and outputs that lie
 * in pools are copied, and what the model keeps from run to run stays. */
static inline int32_t stillpool_packed_call(const stillpool_model *model, void **pointers, stillpool_value *args,
    const int32_t *type_codes, int32_t num_args, void *resource_handle)
{
    void **const inputs = pointers, **const outputs = inputs + model->inputs, **const pools = outputs + model->outputs;
    void **const devices = pools + model->pools;
    const int32_t tensors = model->inputs + model->outputs;
    int32_t i, code;
    uint8_t *data = NULL;
    if (num_args != tensors + model->pools || args == NULL || type_codes == NULL) {
        return STILLPOOL_ERROR_ARGUMENTS;
    }
    for (i = 0; i < model->pools; ++i) {
        const int32_t tag = type_codes[tensors + i];
        void *const handle = args[tensors + i].v_handle;
        if ((tag != STILLPOOL_ARG_TENSOR && tag != STILLPOOL_ARG_HANDLE) || handle == NULL) {
            return STILLPOOL_ERROR_ARGUMENT_CODE;
        }
        pools[i] = tag == STILLPOOL_ARG_HANDLE ? handle : ((stillpool_dltensor *)handle)->data;
    }
    for (i = 0; i < model->devices; ++i) {
        devices[i] = model->devices == 1 || resource_handle == NULL ? resource_handle : ((void **)resource_handle)[i];
    }
    model->map(pools, inputs, outputs);
    for (i = 0; i < tensors; ++i) {
        const stillpool_tensor_info *const info =
            i < model->inputs ? &model->input[i] : &model->output[i - model->inputs];
        code = stillpool_packed_tensor(info, &args[i], type_codes[i], &data);
        if (code != STILLPOOL_OK) {
            return code;
        }
        if (!info->is_mapped) {
            pointers[i] = data;
        } else if (pointers[i] == NULL) {
            return STILLPOOL_ERROR_NULL;
        } else if (i < model->inputs && pointers[i] != (void *)data) {
            memcpy(pointers[i], data, info->bytes);
        }
    }
    code = model->run(inputs, outputs, pools);
    for (i = model->inputs; code == STILLPOOL_OK && i < tensors; ++i) {
        const stillpool_tensor_info *const info = &model->output[i - model->inputs];
        if (info->is_mapped) {
            code = stillpool_packed_tensor(info, &args[i], type_codes[i], &data);
            if (code == STILLPOOL_OK && pointers[i] != (void *)data) {
                memcpy(data, pointers[i], info->bytes);
            }
        }
    }
    return code;
}

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_PACKED_H */

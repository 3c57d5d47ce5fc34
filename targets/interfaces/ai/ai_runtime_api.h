/* Models compiled by stillpool --interface ai, run by handle: C99 and C++11. This file is the same for all models and
 * all there is to the runtime. No heap: a handle is a static object of its model, or lies where the application wants
 * it.
 *
 *     for (ai_model_iterator it = ai_model_iterator_begin(); it != ai_model_iterator_end();
 *          it = ai_model_iterator_next(it)) { ai_model_info *model = ai_model_iterator_value(it); ... }
 *
 *     AI_ALIGNED(16) static uint8_t activations[AI_NETWORK_DATA_ACTIVATIONS_SIZE];
 *     ai_handle network;
 *     if (ai_create(&ai_network_model, activations, &network) != AI_STATUS_OK) { puts(ai_get_error(network)); }
 *
 * Handles that share activations run one at a time: write all inputs of one, run it, read its outputs, then the next.
 */
#ifndef STILLPOOL_AI_RUNTIME_API_H
#define STILLPOOL_AI_RUNTIME_API_H

#include <stddef.h>
#include <stdint.h>

#define AI_PLATFORM_RUNTIME_MAJOR 1
#define AI_PLATFORM_RUNTIME_MINOR 1
#define AI_PLATFORM_RUNTIME_MICRO 0
#define AI_API_VERSION "1.1.0"

#define AI_STATIC static
#define AI_INLINE inline

#ifndef AI_ALIGNED
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__) || defined(__CC_ARM)
#define AI_ALIGNED(n) __attribute__((aligned(n)))
#elif defined(_MSC_VER)
#define AI_ALIGNED(n) __declspec(align(n))
#elif defined(__cplusplus)
#define AI_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define AI_ALIGNED(n) _Alignas(n)
#else
#define AI_ALIGNED(n)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor as DLPack has it; include dlpack.h first where both are used. Elements lie in row-major order. */
#ifndef DLPACK_DLPACK_H_
typedef enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBool = 6 } DLDataTypeCode;
typedef enum { kDLCPU = 1 } DLDeviceType;
typedef struct { DLDeviceType device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides; /* null: dense */
    uint64_t byte_offset;
} DLTensor;
#endif

#ifndef STILLPOOL_AI_HANDLE
#define STILLPOOL_AI_HANDLE /* ai_platform.h has these types, too: C99 takes a typedef once. */
typedef void *ai_handle;
typedef uint8_t *ai_ptr;
#endif
#define AI_HANDLE_PTR(pointer) ((ai_handle)(pointer))
#define AI_HANDLE_NULL AI_HANDLE_PTR(NULL)
typedef enum { AI_STATUS_OK = 0, AI_STATUS_ERROR = 1, AI_STATUS_DELEGATE_ERROR = 2 } ai_status;

/* real = scale[i] * (value - zero_point[i]); one for the whole tensor, or as many as dimension dim has. */
typedef struct { const float *scale; const int32_t *zero_point; int32_t dim; int32_t count; } ai_quantization_info;

typedef struct { DLTensor dltensor; const ai_quantization_info *quant; } ai_tensor;

/* What a model says of an input or output. */
typedef struct {
    const char *name;
    DLDataType dtype;
    int32_t ndim;
    const int64_t *shape;
    const ai_quantization_info *quant; /* null: not quantised */
    uint32_t bytes;
    uint8_t *base; /* the pool that holds it where that is built in, else null */
    int32_t offset; /* from there or from the activations; -1: the application sets the tensor's data */
} ai_tensor_info;

typedef struct ai_network_s ai_network;

/* A compiled model; const whether one says so or not. */
typedef const struct ai_model_info_s {
    const char *name;
    const char *datetime; /* empty: output does not depend on when it was made */
    const char *revision; /* changes with the model file */
    const char *tool_version;
    const char *api_version;
    uint32_t n_nodes;
    uint32_t n_inputs;
    uint32_t n_outputs;
    uint32_t n_devices;
    uint32_t activations_size;
    uint32_t activations_alignment;
    uint32_t params_size;
    uint8_t *activations; /* where they are built in, else null */
    const ai_tensor_info *inputs;
    const ai_tensor_info *outputs;
    const char *const *devices; /* names of the devices whose handles external functions get */
    void *instance; /* the static handle */
    uint32_t handle_size; /* of storage for further handles */
    uint32_t handle_alignment;
    uint32_t tensors_offset; /* of the tensors in that storage */
    uint32_t devices_offset; /* of the handles of devices */
    uint32_t state_offset; /* of what the model keeps from run to run */
    int32_t (*run)(ai_network *network); /* 0, or an AI_RUN_... */
    void (*reset)(ai_network *network); /* null: the model keeps nothing */
} ai_model_info;

#define AI_RUN_DAMAGED 1
#define AI_RUN_EXTERNAL 2

/* What a handle points to; the members are for this file and the models. */
struct ai_network_s {
    ai_model_info *info;
    const char *error;
    uint8_t *activations;
    uint8_t *state;
    ai_tensor *inputs;
    ai_tensor *outputs;
    void **devices;
    int32_t is_open;
};

#define AI_MODEL_name(x) ((x)->name)
#define AI_MODEL_datetime(x) ((x)->datetime)
#define AI_MODEL_revision(x) ((x)->revision)
#define AI_MODEL_tool_version(x) ((x)->tool_version)
#define AI_MODEL_api_version(x) ((x)->api_version)
#define AI_MODEL_n_nodes(x) ((x)->n_nodes)
#define AI_MODEL_n_inputs(x) ((x)->n_inputs)
#define AI_MODEL_n_outputs(x) ((x)->n_outputs)
#define AI_MODEL_activations_size(x) ((x)->activations_size)
#define AI_MODEL_params_size(x) ((x)->params_size)
#define AI_MODEL_activations(x) ((x)->activations)

/* All linked models. They stand in a section of their own, which ELF linkers delimit; elsewhere, or to choose, define
 * STILLPOOL_AI_MODELS when compiling the application, and the array:
 * ai_model_info *const ai_models[] = {&..., NULL} */
typedef uintptr_t ai_model_iterator;

#if defined(__ELF__) && !defined(STILLPOOL_AI_MODELS)
extern ai_model_info *const __start_stillpool_ai[] __attribute__((weak));
extern ai_model_info *const __stop_stillpool_ai[] __attribute__((weak));
static inline ai_model_iterator ai_model_iterator_begin(void) { return (ai_model_iterator)__start_stillpool_ai; }
static inline ai_model_iterator ai_model_iterator_end(void) { return (ai_model_iterator)__stop_stillpool_ai; }
#else
extern ai_model_info *const ai_models[];
static inline ai_model_iterator ai_model_iterator_begin(void) { return (ai_model_iterator)ai_models; }
static inline ai_model_iterator ai_model_iterator_end(void)
{
    ai_model_info *const *model = ai_models;
    while (*model != NULL) {
        ++model;
    }
    return (ai_model_iterator)model;
}
#endif
static inline ai_model_iterator ai_model_iterator_next(ai_model_iterator it) { return it + sizeof(ai_model_info *); }
static inline ai_model_info *ai_model_iterator_value(ai_model_iterator it) { return *(ai_model_info *const *)it; }

static inline ai_network *ai_network_of(ai_handle handle) { return (ai_network *)handle; }

static inline void ai_fill_tensors(ai_tensor *tensors, const ai_tensor_info *infos, uint32_t count,
    uint8_t *activations)
{
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const ai_tensor_info *const info = &infos[i];
        uint8_t *const base = info->base != NULL ? info->base : activations;
        DLTensor *const tensor = &tensors[i].dltensor;
        tensor->data = info->offset < 0 ? NULL : (void *)(base + info->offset);
        tensor->device.device_type = kDLCPU;
        tensor->device.device_id = 0;
        tensor->ndim = info->ndim;
        tensor->dtype = info->dtype;
        /* DLPack has no const; nobody writes to shapes. */
        tensor->shape = (int64_t *)(uintptr_t)info->shape;
        tensor->strides = NULL;
        tensor->byte_offset = 0;
        tensors[i].quant = info->quant;
    }
}

/* Makes a handle in storage of the application: info->handle_size bytes, aligned to info->handle_alignment, which are
 * its until ai_destroy. Several handles of one model have several storages. See ai_create for all else. */
static inline ai_status ai_create_at(ai_model_info *info, void *activations, size_t size, void *storage,
    size_t storage_size, ai_handle *handle)
{
    ai_network *network;
    uint32_t i;
    if (handle == NULL) {
        return AI_STATUS_ERROR;
    }
    *handle = AI_HANDLE_NULL;
    if (info == NULL || storage == NULL || storage_size < info->handle_size
        || (uintptr_t)storage % info->handle_alignment != 0) {
        return AI_STATUS_ERROR;
    }
    network = (ai_network *)storage;
    if (storage == info->instance && network->is_open) {
        return AI_STATUS_ERROR;
    }
    network->info = info;
    network->error = NULL;
    network->is_open = 0;
    network->activations = activations != NULL ? (uint8_t *)activations : info->activations;
    network->state = (uint8_t *)storage + info->state_offset;
    network->inputs = (ai_tensor *)(void *)((uint8_t *)storage + info->tensors_offset);
    network->outputs = network->inputs + info->n_inputs;
    network->devices = (void **)(void *)((uint8_t *)storage + info->devices_offset);
    *handle = AI_HANDLE_PTR(network);
    if (info->activations_size > 0 && network->activations == NULL) {
        network->error = "the activations are null, and none are built in";
    } else if (info->activations_size > 0 && activations != NULL && size < info->activations_size) {
        network->error = "the activations are smaller than activations_size says";
    } else if (info->activations_size > 0 && (uintptr_t)network->activations % info->activations_alignment != 0) {
        network->error = "the activations are not aligned as activations_alignment says";
    }
    if (network->error != NULL) {
        return AI_STATUS_ERROR;
    }
    ai_fill_tensors(network->inputs, info->inputs, info->n_inputs, network->activations);
    ai_fill_tensors(network->outputs, info->outputs, info->n_outputs, network->activations);
    for (i = 0; i < info->n_devices; ++i) {
        network->devices[i] = NULL;
    }
    network->is_open = 1;
    if (info->reset != NULL) {
        info->reset(network);
    }
    return AI_STATUS_OK;
}

/* Makes the model's own handle, which there is one of. Activations of `size` bytes belong to the application, and may
 * be null where they are built in; handles that do not run at once may share them. On AI_STATUS_ERROR
 * ai_get_error(*handle) says why; a handle that is null then says that the model has been created already and not
 * been destroyed. */
static inline ai_status ai_create_sized(ai_model_info *info, void *activations, size_t size, ai_handle *handle)
{
    void *const storage = info == NULL ? NULL : info->instance;
    return ai_create_at(info, activations, size, storage, info == NULL ? 0 : (size_t)info->handle_size, handle);
}

/* The same with the size that the compiler knows of the activations, if it does. */
#if defined(__GNUC__) || defined(__clang__)
#define AI_KNOWN_SIZE(pointer) __builtin_object_size(pointer, 0)
#else
#define AI_KNOWN_SIZE(pointer) ((size_t)-1)
#endif
static inline ai_status ai_create(ai_model_info *info, void *activations, ai_handle *handle)
{
    return ai_create_sized(info, activations, (size_t)-1, handle);
}
#define ai_create(info, activations, handle) ai_create_sized(info, activations, AI_KNOWN_SIZE(activations), handle)

/* Gives the handle up; the model can be created again. */
static inline ai_status ai_destroy(ai_handle handle)
{
    if (handle == AI_HANDLE_NULL) {
        return AI_STATUS_ERROR;
    }
    ai_network_of(handle)->is_open = 0;
    ai_network_of(handle)->error = "the handle was destroyed";
    return AI_STATUS_OK;
}

/* What went wrong last, empty when nothing did. */
static inline const char *ai_get_error(ai_handle handle)
{
    if (handle == AI_HANDLE_NULL) {
        return "the handle is null";
    }
    return ai_network_of(handle)->error == NULL ? "" : ai_network_of(handle)->error;
}

/* How many inputs and outputs there are. */
static inline int32_t ai_get_input_size(ai_handle handle)
{
    return handle == AI_HANDLE_NULL ? 0 : (int32_t)ai_network_of(handle)->info->n_inputs;
}
static inline int32_t ai_get_output_size(ai_handle handle)
{
    return handle == AI_HANDLE_NULL ? 0 : (int32_t)ai_network_of(handle)->info->n_outputs;
}

static inline ai_tensor *ai_get_tensor(ai_handle handle, int32_t index, int32_t is_input)
{
    ai_network *const network = ai_network_of(handle);
    if (network == NULL || !network->is_open) {
        return NULL;
    }
    if (index < 0 || (uint32_t)index >= (is_input ? network->info->n_inputs : network->info->n_outputs)) {
        network->error = is_input ? "there is no input of this index" : "there is no output of this index";
        return NULL;
    }
    return (is_input ? network->inputs : network->outputs) + index;
}

/* A tensor by index, valid until ai_destroy; null if there is none. Where info->inputs[i].offset is -1 set its data */
static inline ai_tensor *ai_get_input(ai_handle handle, int32_t index) { return ai_get_tensor(handle, index, 1); }
static inline ai_tensor *ai_get_output(ai_handle handle, int32_t index) { return ai_get_tensor(handle, index, 0); }

static inline DLTensor *get_dltensor(ai_tensor *tensor) { return &tensor->dltensor; }
static inline uint32_t get_tensor_elts(const ai_tensor *tensor)
{
    uint32_t count = 1;
    int32_t i;
    for (i = 0; i < tensor->dltensor.ndim; ++i) {
        count *= (uint32_t)tensor->dltensor.shape[i];
    }
    return count;
}
static inline uint32_t get_tensor_size(const ai_tensor *tensor)
{
    return get_tensor_elts(tensor) * (((uint32_t)tensor->dltensor.dtype.bits * tensor->dltensor.dtype.lanes + 7) / 8);
}
static inline const ai_quantization_info *ai_get_quantization(const ai_tensor *tensor)
{
    return tensor == NULL ? NULL : tensor->quant;
}

static inline const char *ai_bad_data(const ai_tensor *tensors, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const DLTensor *const tensor = &tensors[i].dltensor;
        if (tensor->data == NULL) {
            return "the data of an input or output is null";
        }
        if (((uintptr_t)tensor->data + tensor->byte_offset) % (((uint32_t)tensor->dtype.bits + 7) / 8) != 0) {
            return "the data of an input or output is not aligned to its elements";
        }
        if (tensor->byte_offset != 0 || tensor->strides != NULL) {
            return "an input or output is not dense from its data on";
        }
    }
    return NULL;
}

/* The devices of external functions, as AI_<M>_DEVICE_<NAME> counts them. A handle is passed on to the functions and
 * hooks of its device as it is; it is null after ai_create. */
static inline int32_t ai_get_device_size(ai_handle handle)
{
    return handle == AI_HANDLE_NULL ? 0 : (int32_t)ai_network_of(handle)->info->n_devices;
}
static inline const char *ai_get_device_name(ai_handle handle, int32_t index)
{
    return index < 0 || index >= ai_get_device_size(handle) ? NULL : ai_network_of(handle)->info->devices[index];
}
static inline ai_status ai_set_device(ai_handle handle, int32_t index, void *device)
{
    ai_network *const network = ai_network_of(handle);
    if (network == NULL || !network->is_open) {
        return AI_STATUS_ERROR;
    }
    if (index < 0 || (uint32_t)index >= network->info->n_devices) {
        network->error = "there is no device of this index";
        return AI_STATUS_ERROR;
    }
    network->devices[index] = device;
    return AI_STATUS_OK;
}

/* Runs the network once. AI_STATUS_DELEGATE_ERROR: a function of the application, or a hook of its device, failed. */
static inline ai_status ai_run(ai_handle handle)
{
    ai_network *const network = ai_network_of(handle);
    int32_t result;
    if (network == NULL || !network->is_open) {
        return AI_STATUS_ERROR;
    }
    network->error = ai_bad_data(network->inputs, network->info->n_inputs);
    if (network->error == NULL) {
        network->error = ai_bad_data(network->outputs, network->info->n_outputs);
    }
    if (network->error != NULL) {
        return AI_STATUS_ERROR;
    }
    result = network->info->run(network);
    if (result == AI_RUN_EXTERNAL) {
        network->error = "an external function, or a hook of a device, returned a number other than 0";
        return AI_STATUS_DELEGATE_ERROR;
    }
    if (result != 0) {
        network->error = "bytes at an end of a pool changed: something writes where it must not";
        return AI_STATUS_ERROR;
    }
    return AI_STATUS_OK;
}

/* Sets what the model keeps from run to run to its initial values, as ai_create does. */
static inline ai_status ai_reset(ai_handle handle)
{
    ai_network *const network = ai_network_of(handle);
    if (network == NULL || !network->is_open) {
        return AI_STATUS_ERROR;
    }
    if (network->info->reset != NULL) {
        network->info->reset(network);
    }
    return AI_STATUS_OK;
}

#define AI_OF_HANDLE(handle, none, value) ((handle) == AI_HANDLE_NULL ? (none) : ai_network_of(handle)->value)
static inline const char *ai_get_name(ai_handle handle) { return AI_OF_HANDLE(handle, NULL, info->name); }
static inline const char *ai_get_datetime(ai_handle handle) { return AI_OF_HANDLE(handle, NULL, info->datetime); }
static inline const char *ai_get_revision(ai_handle handle) { return AI_OF_HANDLE(handle, NULL, info->revision); }
static inline const char *ai_get_tool_version(ai_handle handle)
{
    return AI_OF_HANDLE(handle, NULL, info->tool_version);
}
static inline const char *ai_get_api_version(ai_handle handle)
{
    return AI_OF_HANDLE(handle, NULL, info->api_version);
}
static inline uint32_t ai_get_node_size(ai_handle handle) { return AI_OF_HANDLE(handle, 0, info->n_nodes); }
static inline uint32_t ai_get_activations_size(ai_handle handle)
{
    return AI_OF_HANDLE(handle, 0, info->activations_size);
}
static inline uint32_t ai_get_params_size(ai_handle handle) { return AI_OF_HANDLE(handle, 0, info->params_size); }
static inline ai_ptr ai_get_activations(ai_handle handle) { return AI_OF_HANDLE(handle, NULL, activations); }

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_AI_RUNTIME_API_H */

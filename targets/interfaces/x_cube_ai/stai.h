/* Types of ST Edge AI's network API (stai_...) for models compiled by stillpool --interface x-cube-ai: C99 and C++11.
 * The file is the same for all models. Names and values are those of ST's published API; the text is not ST's. */
#ifndef STILLPOOL_STAI_H
#define STILLPOOL_STAI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STAI_API_VERSION_MAJOR 1
#define STAI_API_VERSION_MINOR 0
#define STAI_API_VERSION_MICRO 0
#define STAI_API_ENTRY
#define STAI_UNUSED(x) (void)(x);

#ifndef STAI_ALIGNED
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__) || defined(__CC_ARM)
#define STAI_ALIGNED(n) __attribute__((aligned(n)))
#elif defined(__cplusplus)
#define STAI_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define STAI_ALIGNED(n) _Alignas(n)
#else
#define STAI_ALIGNED(n)
#endif
#endif

typedef uint8_t stai_network;
typedef uint8_t *stai_ptr;
typedef uint32_t stai_size;
typedef uint32_t stai_flags;
typedef int32_t stai_format;
typedef int32_t stai_run_mode;
typedef uint32_t stai_event_type;
typedef void (*stai_event_cb)(void *cookie, const stai_event_type event, const void *payload);

#define STAI_MODE_SYNC 0x1
#define STAI_MODE_ASYNC 0x2

#define STAI_FLAG_NONE 0x0u
#define STAI_FLAG_ACTIVATIONS (0x1u << 0)
#define STAI_FLAG_INPUTS (0x1u << 1)
#define STAI_FLAG_OUTPUTS (0x1u << 2)
#define STAI_FLAG_STATES (0x1u << 3)
#define STAI_FLAG_WEIGHTS (0x1u << 4)
#define STAI_FLAG_PREALLOCATED (0x1u << 5)
#define STAI_FLAG_REPLACEABLE (0x1u << 6)
#define STAI_FLAG_CHANNEL_FIRST (0x1u << 8)
#define STAI_FLAG_CHANNEL_LAST (0x1u << 9)
#define STAI_FLAG_HAS_BATCH (0x1u << 10)

#define STAI_FORMAT_NONE 0x00000040
#define STAI_FORMAT_FLOAT32 0x01821040
#define STAI_FORMAT_U8 0x00040440
#define STAI_FORMAT_U16 0x00040840
#define STAI_FORMAT_U32 0x00041040
#define STAI_FORMAT_S8 0x00840440
#define STAI_FORMAT_S16 0x00840840
#define STAI_FORMAT_S32 0x00841040
#define STAI_FORMAT_BOOL 0x00060440

/* Context of a model: STAI_NETWORK_CONTEXT_DECLARE(context, STAI_<M>_CONTEXT_SIZE). */
#define STAI_CONTEXT_ALIGNMENT 32
#define STAI_NETWORK_CONTEXT_DECLARE(handle, bytes) \
    STAI_ALIGNED(STAI_CONTEXT_ALIGNMENT) static stai_network handle[bytes];

typedef enum {
    STAI_SUCCESS = 0x000000,
    STAI_RUNNING_NO_WFE = 0x000010,
    STAI_RUNNING_WFE = 0x000011,
    STAI_DONE = 0x000012,
    STAI_ERROR_GENERIC = 0x020000,
    STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS = 0x020001,
    STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE = 0x030000,
    STAI_ERROR_NETWORK_INVALID_CONTEXT_SIZE = 0x030001,
    STAI_ERROR_NETWORK_INVALID_CONTEXT_ALIGNMENT = 0x030002,
    STAI_ERROR_NETWORK_INVALID_INFO = 0x030010,
    STAI_ERROR_NETWORK_INVALID_RUN = 0x030020,
    STAI_ERROR_NETWORK_INVALID_RUNTIME = 0x030030,
    STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_PTR = 0x040000,
    STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_NUM = 0x040001,
    STAI_ERROR_NETWORK_INVALID_IN_PTR = 0x040010,
    STAI_ERROR_NETWORK_INVALID_IN_NUM = 0x040011,
    STAI_ERROR_NETWORK_INVALID_OUT_PTR = 0x040020,
    STAI_ERROR_NETWORK_INVALID_OUT_NUM = 0x040021,
    STAI_ERROR_NETWORK_INVALID_STATES_PTR = 0x040030,
    STAI_ERROR_NETWORK_INVALID_STATES_NUM = 0x040031,
    STAI_ERROR_NETWORK_INVALID_WEIGHTS_PTR = 0x040040,
    STAI_ERROR_NETWORK_INVALID_WEIGHTS_NUM = 0x040041,
    STAI_ERROR_NETWORK_INVALID_CALLBACK = 0x040050,
    STAI_ERROR_NOT_IMPLEMENTED = 0x040060,
    STAI_ERROR_INVALID_BUFFER_ALIGNMENT = 0x040070,
    STAI_ERROR_NETWORK_STILL_RUNNING = 0x050000,
    STAI_ERROR_STAI_INIT_FAILED = 0x060000,
    STAI_ERROR_STAI_DEINIT_FAILED = 0x060001
} stai_return_code;

typedef struct { stai_size size; const int32_t *data; } stai_shape;
typedef struct { stai_size size; const float *data; } stai_array_f32;
typedef struct { stai_size size; const int16_t *data; } stai_array_s16;
typedef struct {
    stai_size size_bytes;
    stai_flags flags;
    stai_format format;
    stai_shape shape;
    stai_array_f32 scale;
    stai_array_s16 zeropoint;
    const char *name;
} stai_tensor;
typedef struct { uint8_t major; uint8_t minor; uint8_t micro; uint8_t reserved; } stai_version;
typedef struct {
    const char *model_signature; /* changes with the model file */
    const char *c_compile_datetime;
    const char *c_model_name;
    const char *c_model_datetime; /* empty: output does not depend on when it was made */
    uint64_t n_macc;
    uint32_t n_nodes;
    stai_version runtime_version;
    stai_version tool_version;
    stai_version api_version;
    stai_flags flags;
    uint16_t n_inputs;
    uint16_t n_outputs;
    uint16_t n_activations;
    uint16_t n_weights;
    uint16_t n_states;
    const stai_tensor *inputs;
    const stai_tensor *outputs;
    stai_size activations_size;
    stai_size weights_size;
} stai_network_info;

/* There is no runtime to set up. */
static inline stai_return_code stai_runtime_init(void) { return STAI_SUCCESS; }
static inline stai_return_code stai_runtime_deinit(void) { return STAI_SUCCESS; }

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_STAI_H */

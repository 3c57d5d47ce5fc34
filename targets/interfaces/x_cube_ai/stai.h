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
#define STAI_TOOLS_VERSION_MAJOR 2
#define STAI_TOOLS_VERSION_MINOR 0
#define STAI_TOOLS_VERSION_MICRO 0
#define STAI_API_DECLARE_BEGIN
#define STAI_API_DECLARE_END
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
typedef int32_t stai_flags;
typedef int32_t stai_event_type;
typedef void (*stai_event_cb)(void *cb_cookie, const stai_event_type event_type, const void *event_payload);
typedef enum { STAI_MODE_SYNC = 0x1, STAI_MODE_ASYNC = 0x2 } stai_run_mode;

#define STAI_EVENT_NONE 0x0

/* Of tensors, then of networks. */
#define STAI_FLAG_NONE 0x0
#define STAI_FLAG_PREALLOCATED (0x1 << 0)
#define STAI_FLAG_INDIRECT (0x1 << 1)
#define STAI_FLAG_REPLACEABLE (0x1 << 2)
#define STAI_FLAG_OVERRIDE (0x1 << 3)
#define STAI_FLAG_CHANNEL_FIRST (0x1 << 6)
#define STAI_FLAG_CHANNEL_LAST (0x1 << 7)
#define STAI_FLAG_HAS_BATCH (0x1 << 8)
#define STAI_FLAG_ACTIVATIONS (0x1 << 26)
#define STAI_FLAG_INPUTS (0x1 << 27)
#define STAI_FLAG_OUTPUTS (0x1 << 28)
#define STAI_FLAG_STATES (0x1 << 29)
#define STAI_FLAG_WEIGHTS (0x1 << 30)

/* Formats. Bit 23: signed; 17 to 20: kind; 7 to 13: bits of an element; 0 to 6: fraction, 64 is none. */
typedef enum {
    STAI_FORMAT_TYPE_NONE = 0x0,
    STAI_FORMAT_TYPE_FLOAT = 0x1,
    STAI_FORMAT_TYPE_Q = 0x2,
    STAI_FORMAT_TYPE_BOOL = 0x3
} stai_format_type;
typedef enum {
    STAI_FORMAT_NONE = 0x00000040,
    STAI_FORMAT_FLOAT32 = 0x00821040,
    STAI_FORMAT_FLOAT64 = 0x00822040,
    STAI_FORMAT_U1 = 0x000400c0,
    STAI_FORMAT_U8 = 0x00040440,
    STAI_FORMAT_U16 = 0x00040840,
    STAI_FORMAT_U32 = 0x00041040,
    STAI_FORMAT_U64 = 0x00042040,
    STAI_FORMAT_S1 = 0x008400c0,
    STAI_FORMAT_S8 = 0x00840440,
    STAI_FORMAT_S16 = 0x00840840,
    STAI_FORMAT_S32 = 0x00841040,
    STAI_FORMAT_S64 = 0x00842040,
    STAI_FORMAT_Q = 0x00840040,
    STAI_FORMAT_Q7 = 0x00840447,
    STAI_FORMAT_Q15 = 0x0084084f,
    STAI_FORMAT_UQ = 0x00040040,
    STAI_FORMAT_UQ7 = 0x00040447,
    STAI_FORMAT_UQ15 = 0x0004084f,
    STAI_FORMAT_BOOL = 0x00060440
} stai_format;
#define STAI_FORMAT_GET_TYPE(format) ((stai_format_type)(((int32_t)(format) >> 17) & 0xf))
#define STAI_FORMAT_GET_SIGN(format) (((int32_t)(format) >> 23) & 0x1)
#define STAI_FORMAT_GET_BITS(format) (((int32_t)(format) >> 7) & 0x7f)
#define STAI_FORMAT_GET_FBITS(format) (((int32_t)(format) & 0x7f) - 64)
#define STAI_FORMAT_GET_IBITS(format) \
    (STAI_FORMAT_GET_BITS(format) - STAI_FORMAT_GET_FBITS(format) - STAI_FORMAT_GET_SIGN(format))

/* Context of a model: STAI_NETWORK_CONTEXT_DECLARE(context, STAI_<M>_CONTEXT_SIZE), also behind `static`. */
#define STAI_CONTEXT_ALIGNMENT 8
#define STAI_NETWORK_CONTEXT_DECLARE(handle, bytes) \
    STAI_ALIGNED(STAI_CONTEXT_ALIGNMENT) stai_network handle[bytes] = {0};

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

typedef struct { stai_size size; const int32_t *data; } stai_array_s32;
typedef stai_array_s32 stai_shape;
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
    uint32_t c_model_signature;
    stai_version runtime_version;
    stai_version tool_version;
    stai_version api_version;
    uint64_t n_macc;
    uint32_t n_nodes;
    stai_flags flags;
    uint16_t n_inputs;
    uint16_t n_outputs;
    uint16_t n_activations;
    uint16_t n_weights;
    uint16_t n_states;
    const stai_tensor *inputs;
    const stai_tensor *outputs;
    const stai_tensor *activations;
    const stai_tensor *weights;
    const stai_tensor *states;
    stai_size activations_size; /* the sizes of those in one number, beyond ST's */
    stai_size weights_size;
} stai_network_info;

typedef enum {
    STAI_COMPILER_ID_NONE = 0x00,
    STAI_COMPILER_ID_GCC = 0x01,
    STAI_COMPILER_ID_GHS = 0x10,
    STAI_COMPILER_ID_HIGHTECH = 0x20,
    STAI_COMPILER_ID_IAR = 0x30,
    STAI_COMPILER_ID_KEIL = 0x40,
    STAI_COMPILER_ID_KEIL_AC6 = 0x50
} stai_compiler_id;
typedef struct {
    stai_version api_version;
    stai_version runtime_version;
    stai_version tools_version;
    uint32_t runtime_build;
    stai_compiler_id compiler_id;
    const char *compiler_desc;
} stai_runtime_info;

/* There is no runtime to set up. */
static inline stai_return_code stai_runtime_init(void) { return STAI_SUCCESS; }
static inline stai_return_code stai_runtime_deinit(void) { return STAI_SUCCESS; }
static inline stai_return_code stai_runtime_get_info(stai_runtime_info *info)
{
    static const stai_runtime_info known = {
        {STAI_API_VERSION_MAJOR, STAI_API_VERSION_MINOR, STAI_API_VERSION_MICRO, 0},
        {STAI_API_VERSION_MAJOR, STAI_API_VERSION_MINOR, STAI_API_VERSION_MICRO, 0},
        {STAI_TOOLS_VERSION_MAJOR, STAI_TOOLS_VERSION_MINOR, STAI_TOOLS_VERSION_MICRO, 0},
        0,
        STAI_COMPILER_ID_NONE,
        "stillpool",
    };
    if (info == NULL) {
        return STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS;
    }
    *info = known;
    return STAI_SUCCESS;
}
/* Nothing is told while a network runs: only the null callback is taken. */
static inline stai_return_code stai_runtime_set_callback(const stai_event_cb cb, void *cb_cookie)
{
    (void)cb_cookie;
    return cb == NULL ? STAI_SUCCESS : STAI_ERROR_NOT_IMPLEMENTED;
}

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_STAI_H */

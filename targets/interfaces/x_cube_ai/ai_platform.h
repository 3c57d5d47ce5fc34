/* Types of X-CUBE-AI's network API (versions 7 to 10) for models compiled by stillpool --interface x-cube-ai: C99 and
 * C++11. The file is the same for all models. Names and values are those of ST's published API; the text is not ST's. */
#ifndef STILLPOOL_AI_PLATFORM_H
#define STILLPOOL_AI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AI_PLATFORM_API_MAJOR 1
#define AI_PLATFORM_API_MINOR 2
#define AI_PLATFORM_API_MICRO 0

#define AI_API_DECLARE_BEGIN
#define AI_API_DECLARE_END
#define AI_API_ENTRY
#define AI_STATIC static
#define AI_CONST const
#define AI_UNUSED(x) (void)(x);

#ifndef AI_ALIGNED
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__) || defined(__CC_ARM)
#define AI_ALIGNED(n) __attribute__((aligned(n)))
#elif defined(__cplusplus)
#define AI_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define AI_ALIGNED(n) _Alignas(n)
#else
#define AI_ALIGNED(n)
#endif
#endif

#ifndef STILLPOOL_AI_HANDLE
#define STILLPOOL_AI_HANDLE /* ai_runtime_api.h has these types, too: C99 takes a typedef once. */
typedef void *ai_handle;
typedef uint8_t *ai_ptr;
#endif
typedef float ai_float;
typedef double ai_double;
typedef bool ai_bool;
typedef char ai_char;
typedef uint32_t ai_size;
typedef uintptr_t ai_uptr;
typedef unsigned int ai_uint;
typedef uint8_t ai_u8;
typedef uint16_t ai_u16;
typedef uint32_t ai_u32;
typedef uint64_t ai_u64;
typedef int ai_int;
typedef int8_t ai_i8;
typedef int16_t ai_i16;
typedef int32_t ai_i32;
typedef int64_t ai_i64;
typedef uint64_t ai_macc;
typedef uint32_t ai_signature;
typedef ai_i32 ai_pbits;
typedef ai_u32 ai_shape_dimension;
typedef ai_i32 ai_buffer_format;
typedef ai_u32 ai_flags;

#define AI_HANDLE_PTR(pointer) ((ai_handle)(pointer))
#define AI_HANDLE_NULL AI_HANDLE_PTR(NULL)
#define AI_MAGIC_SIGNATURE 0xa1facade

/* Formats. Bit 24: float; 23: signed; 17 to 20: kind; 7 to 13: bits of an element; 0 to 6: fraction, 64 is none. */
#define AI_BUFFER_FORMAT_NONE 0x00000040
#define AI_BUFFER_FORMAT_FLOAT 0x01821040
#define AI_BUFFER_FORMAT_U8 0x00040440
#define AI_BUFFER_FORMAT_U16 0x00040840
#define AI_BUFFER_FORMAT_U32 0x00041040
#define AI_BUFFER_FORMAT_S8 0x00840440
#define AI_BUFFER_FORMAT_S16 0x00840840
#define AI_BUFFER_FORMAT_S32 0x00841040
#define AI_BUFFER_FORMAT_BOOL 0x00060440
#define AI_BUFFER_FMT_TYPE_NONE 0x0
#define AI_BUFFER_FMT_TYPE_FLOAT 0x1
#define AI_BUFFER_FMT_TYPE_Q 0x2
#define AI_BUFFER_FMT_TYPE_BOOL 0x3
#define AI_BUFFER_FMT_MASK 0x01ffffff
#define AI_BUFFER_FMT_UNPACK(format, mask, bit) ((((ai_u32)(format)) >> (bit)) & (mask))
#define AI_BUFFER_FMT_OBJ(format) ((ai_buffer_format)((format) & AI_BUFFER_FMT_MASK))
#define AI_BUFFER_FMT_GET_FLOAT(format) AI_BUFFER_FMT_UNPACK(format, 0x1u, 24)
#define AI_BUFFER_FMT_GET_SIGN(format) AI_BUFFER_FMT_UNPACK(format, 0x1u, 23)
#define AI_BUFFER_FMT_GET_TYPE(format) AI_BUFFER_FMT_UNPACK(format, 0xfu, 17)
#define AI_BUFFER_FMT_GET_BITS(format) AI_BUFFER_FMT_UNPACK(format, 0x7fu, 7)
#define AI_BUFFER_FMT_GET_FBITS(format) ((ai_i8)((ai_i8)AI_BUFFER_FMT_UNPACK(format, 0x7fu, 0) - 64))

/* Quantisation: real = scale * (value - zeropoint), one pair for the tensor or one for each channel. */
#define AI_BUFFER_META_HAS_INTQ_INFO 0x1u
#define AI_BUFFER_META_FLAG_SCALE_FLOAT 0x1u
#define AI_BUFFER_META_FLAG_ZEROPOINT_U8 0x2u
#define AI_BUFFER_META_FLAG_ZEROPOINT_S8 0x4u
#define AI_BUFFER_META_FLAG_ZEROPOINT_U16 0x8u
#define AI_BUFFER_META_FLAG_ZEROPOINT_S16 0x10u
typedef struct ai_intq_info_ { const ai_float *scale; const void *zeropoint; } ai_intq_info;
typedef struct ai_intq_info_list_ { ai_u16 flags; ai_u16 size; const ai_intq_info *info; } ai_intq_info_list;
typedef struct ai_buffer_meta_info_ { ai_u32 flags; const ai_intq_info_list *intq_info; } ai_buffer_meta_info;
#define AI_BUFFER_META_INFO_INTQ(meta) ((meta) != NULL ? (meta)->intq_info : NULL)
#define AI_BUFFER_META_INFO_INTQ_GET_SIZE(meta) ((meta) != NULL ? AI_INTQ_INFO_LIST_SIZE((meta)->intq_info) : 0)
#define AI_BUFFER_META_INFO_INTQ_GET_SCALE(meta, at) \
    ((meta) != NULL ? AI_INTQ_INFO_LIST_SCALE((meta)->intq_info, ai_float, at) : 0.0f)
#define AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(meta, at) ai_intq_zeropoint((meta), (ai_u32)(at))
#define AI_INTQ_INFO_LIST_FLAGS(list) ((list) != NULL ? (list)->flags : 0u)
#define AI_INTQ_INFO_LIST_SIZE(list) ((list) != NULL ? (list)->size : 0u)
#define AI_INTQ_INFO_LIST_SCALE_ARRAY(list, type) ((list) != NULL ? (const type *)(list)->info->scale : NULL)
#define AI_INTQ_INFO_LIST_ZEROPOINT_ARRAY(list, type) ((list) != NULL ? (const type *)(list)->info->zeropoint : NULL)
#define AI_INTQ_INFO_LIST_SCALE(list, type, at) \
    ((list) != NULL && (list)->size > (at) ? ((const type *)(list)->info->scale)[(at)] : 0)
#define AI_INTQ_INFO_LIST_ZEROPOINT(list, type, at) \
    ((list) != NULL && (list)->size > (at) ? ((const type *)(list)->info->zeropoint)[(at)] : 0)

/* A tensor of an application. Shapes are batch, channel, width, height, then further dimensions. */
#define AI_SHAPE_BCWH 0x01u
#define AI_SHAPE_BATCH 0u
#define AI_SHAPE_CHANNEL 1u
#define AI_SHAPE_WIDTH 2u
#define AI_SHAPE_HEIGHT 3u
#define AI_SHAPE_DEPTH 4u
#define AI_SHAPE_EXTENSION 5u
#define AI_FLAG_NONE 0x0u
typedef struct ai_buffer_shape_ { ai_u32 type : 8; ai_u32 size : 24; ai_shape_dimension *data; } ai_buffer_shape;
typedef struct ai_buffer_ {
    ai_buffer_format format;
    ai_handle data;
    ai_buffer_meta_info *meta_info;
    ai_flags flags;
    ai_size size; /* elements */
    ai_buffer_shape shape;
} ai_buffer;
typedef struct ai_buffer_array_ { ai_u16 flags; ai_u16 size; ai_buffer *buffer; } ai_buffer_array;
#define AI_BUFFER_OBJ(buffer) ((ai_buffer *)(buffer))
#define AI_BUFFER_FORMAT(buffer) ((buffer)->format)
#define AI_BUFFER_META_INFO(buffer) ((buffer)->meta_info)
#define AI_BUFFER_FLAGS(buffer) ((buffer)->flags)
#define AI_BUFFER_SIZE(buffer) ((buffer)->size)
#define AI_BUFFER_DATA(buffer, type) ((type *)(buffer)->data)
#define AI_BUFFER_SHAPE(buffer) (&(buffer)->shape)
#define AI_BUFFER_SHAPE_TYPE(buffer) ((buffer)->shape.type)
#define AI_BUFFER_SHAPE_SIZE(buffer) ((buffer)->shape.size)
#define AI_BUFFER_SHAPE_ELEM(buffer, at) ((at) < (buffer)->shape.size ? (buffer)->shape.data[(at)] : 1u)
#define AI_BUFFER_N_BATCHES(buffer) AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_BATCH)
#define AI_BUFFER_CHANNELS(buffer) AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_CHANNEL)
#define AI_BUFFER_WIDTH(buffer) AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_WIDTH)
#define AI_BUFFER_HEIGHT(buffer) AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_HEIGHT)
#define AI_BUFFER_BYTE_SIZE(count, format) ((count) * ((AI_BUFFER_FMT_GET_BITS(format) + 7u) / 8u))
#define AI_BUFFER_ARRAY_OBJ_INIT_STATIC(flags_, size_, ...) \
    { (ai_u16)(flags_), (ai_u16)(size_), (ai_buffer[]){__VA_ARGS__} }
#define AI_BUFFER_ARRAY_ITEM(array, at) (&(array)->buffer[(at)])
#define AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(array, at, address) \
    ((at) < (array)->size ? ((array)->buffer[(at)].data = AI_HANDLE_PTR(address), true) : false)

typedef enum {
    AI_ERROR_NONE = 0x00,
    AI_ERROR_TOOL_PLATFORM_API_MISMATCH = 0x01,
    AI_ERROR_TYPES_MISMATCH = 0x02,
    AI_ERROR_INVALID_HANDLE = 0x10,
    AI_ERROR_INVALID_STATE = 0x11,
    AI_ERROR_INVALID_INPUT = 0x12,
    AI_ERROR_INVALID_OUTPUT = 0x13,
    AI_ERROR_INVALID_PARAM = 0x14,
    AI_ERROR_INVALID_SIGNATURE = 0x15,
    AI_ERROR_INVALID_SIZE = 0x16,
    AI_ERROR_INVALID_VALUE = 0x17,
    AI_ERROR_INIT_FAILED = 0x30,
    AI_ERROR_ALLOCATION_FAILED = 0x31,
    AI_ERROR_DEALLOCATION_FAILED = 0x32,
    AI_ERROR_CREATE_FAILED = 0x33
} ai_error_type;
typedef enum {
    AI_ERROR_CODE_NONE = 0x0000,
    AI_ERROR_CODE_NETWORK = 0x0010,
    AI_ERROR_CODE_NETWORK_PARAMS = 0x0011,
    AI_ERROR_CODE_NETWORK_WEIGHTS = 0x0012,
    AI_ERROR_CODE_NETWORK_ACTIVATIONS = 0x0013,
    AI_ERROR_CODE_LAYER = 0x0014,
    AI_ERROR_CODE_TENSOR = 0x0015,
    AI_ERROR_CODE_ARRAY = 0x0016,
    AI_ERROR_CODE_INVALID_PTR = 0x0017,
    AI_ERROR_CODE_INVALID_SIZE = 0x0018,
    AI_ERROR_CODE_INVALID_FORMAT = 0x0019,
    AI_ERROR_CODE_OUT_OF_RANGE = 0x0020,
    AI_ERROR_CODE_INVALID_BATCH = 0x0021,
    AI_ERROR_CODE_MISSED_INIT = 0x0030,
    AI_ERROR_CODE_IN_USE = 0x0040,
    AI_ERROR_CODE_LOCK = 0x0041
} ai_error_code;
typedef struct ai_error_ { ai_u32 type : 8; ai_u32 code : 24; } ai_error;

typedef struct ai_platform_version_ { ai_u8 major; ai_u8 minor; ai_u8 micro; ai_u8 reserved; } ai_platform_version;

/* What init is told: activations by one of two ways; weights are built in, and may be left out. */
typedef struct ai_network_params_ {
    ai_buffer params;
    ai_buffer activations;
    ai_signature map_signature;
    ai_buffer_array map_weights;
    ai_buffer_array map_activations;
} ai_network_params;
#define AI_NETWORK_PARAMS_INIT(params_, activations_) {params_, activations_, 0, {0, 0, NULL}, {0, 0, NULL}}

typedef struct ai_network_report_ {
    const char *model_name;
    const char *model_signature; /* changes with the model file */
    const char *model_datetime; /* empty: output does not depend on when it was made */
    const char *compile_datetime;
    const char *runtime_revision;
    ai_platform_version runtime_version;
    const char *tool_revision;
    ai_platform_version tool_version;
    ai_platform_version tool_api_version;
    ai_platform_version api_version;
    ai_platform_version interface_api_version;
    ai_macc n_macc;
    ai_u16 n_inputs;
    ai_u16 n_outputs;
    ai_buffer *inputs;
    ai_buffer *outputs;
    ai_buffer params;
    ai_buffer activations;
    ai_signature map_signature;
    ai_buffer_array map_weights;
    ai_buffer_array map_activations;
    ai_u32 n_nodes;
    ai_signature signature;
} ai_network_report;

static inline ai_i32 ai_intq_zeropoint(const ai_buffer_meta_info *meta, ai_u32 at)
{
    const ai_intq_info_list *const list = meta == NULL ? NULL : meta->intq_info;
    if (list == NULL || at >= list->size) {
        return 0;
    }
    if ((list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_U8) != 0) {
        return ((const ai_u8 *)list->info->zeropoint)[at];
    }
    if ((list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_S8) != 0) {
        return ((const ai_i8 *)list->info->zeropoint)[at];
    }
    return ((const ai_i16 *)list->info->zeropoint)[at];
}

static inline ai_error ai_error_of(ai_error_type type, ai_error_code code)
{
    ai_error error;
    error.type = (ai_u32)type & 0xffu;
    error.code = (ai_u32)code & 0xffffffu;
    return error;
}

static inline ai_buffer ai_buffer_of(ai_buffer_format format, ai_handle data, ai_size size)
{
    ai_buffer buffer;
    buffer.format = format;
    buffer.data = data;
    buffer.meta_info = NULL;
    buffer.flags = AI_FLAG_NONE;
    buffer.size = size;
    buffer.shape.type = AI_SHAPE_BCWH;
    buffer.shape.size = 0;
    buffer.shape.data = NULL;
    return buffer;
}

#ifdef __cplusplus
}
#endif

#endif /* STILLPOOL_AI_PLATFORM_H */

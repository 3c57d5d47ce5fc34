/* What applications for microTVM's Embedded C interface name of TVM's runtime: types, and functions that they define.
 * The compiled network needs none of it. Names and values are TVM's, up to 0.18; the text is not. C99 and C++11.
 * A program that has TVM's own headers puts their folder before this one. */
#ifndef TVM_RUNTIME_C_RUNTIME_API_H_
#define TVM_RUNTIME_C_RUNTIME_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TVM_DLL
#if defined(__GNUC__) || defined(__clang__)
#define TVM_DLL __attribute__((visibility("default")))
#else
#define TVM_DLL
#endif
#endif
#ifndef TVM_WEAK
#if defined(__GNUC__) || defined(__clang__)
#define TVM_WEAK __attribute__((weak))
#else
#define TVM_WEAK
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t tvm_index_t;
typedef enum {
    kTVMArgInt = kDLInt,
    kTVMArgFloat = kDLFloat,
    kTVMOpaqueHandle = 3,
    kTVMNullptr = 4,
    kTVMDataType = 5,
    kDLDevice = 6,
    kTVMDLTensorHandle = 7,
    kTVMObjectHandle = 8,
    kTVMModuleHandle = 9,
    kTVMPackedFuncHandle = 10,
    kTVMStr = 11,
    kTVMBytes = 12,
    kTVMNDArrayHandle = 13,
    kTVMObjectRValueRefArg = 14,
    kTVMArgBool = 15
} TVMArgTypeCode;
typedef DLTensor *TVMArrayHandle;
typedef DLTensor TVMArray;
typedef union {
    int64_t v_int64;
    double v_float64;
    void *v_handle;
    const char *v_str;
    DLDataType v_type;
    DLDevice v_device;
} TVMValue;
typedef struct { const char *data; size_t size; } TVMByteArray;
typedef void *TVMModuleHandle;
typedef void *TVMFunctionHandle;
typedef void *TVMRetValueHandle;
typedef void *TVMStreamHandle;
typedef void *TVMObjectHandle;

/* Applications that have no registry of functions define these with an empty body. */
TVM_DLL int TVMFuncRegisterGlobal(const char *name, TVMFunctionHandle f, int override_function);
TVM_DLL void TVMAPISetLastError(const char *msg);
TVM_DLL const char *TVMGetLastError(void);

#ifdef __cplusplus
}
#endif

#endif /* TVM_RUNTIME_C_RUNTIME_API_H_ */

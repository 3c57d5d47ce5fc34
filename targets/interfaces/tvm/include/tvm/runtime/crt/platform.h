/* Functions that an application of microTVM defines for its board. A network compiled by stillpool calls none of them.
 * Names are TVM's, the text is not. C99 and C++11. */
#ifndef TVM_RUNTIME_CRT_PLATFORM_H_
#define TVM_RUNTIME_CRT_PLATFORM_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/runtime/c_runtime_api.h>
#include <tvm/runtime/crt/error_codes.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
__attribute__((noreturn))
#endif
void TVMPlatformAbort(tvm_crt_error_t code);
tvm_crt_error_t TVMPlatformInitialize(void);
size_t TVMPlatformFormatMessage(char *out_buf, size_t out_buf_size_bytes, const char *fmt, va_list args);
tvm_crt_error_t TVMPlatformMemoryAllocate(size_t num_bytes, DLDevice dev, void **out_ptr);
tvm_crt_error_t TVMPlatformMemoryFree(void *ptr, DLDevice dev);
tvm_crt_error_t TVMPlatformTimerStart(void);
tvm_crt_error_t TVMPlatformTimerStop(double *elapsed_time_seconds);
tvm_crt_error_t TVMPlatformBeforeMeasurement(void);
tvm_crt_error_t TVMPlatformAfterMeasurement(void);
tvm_crt_error_t TVMPlatformGenerateRandom(uint8_t *buffer, size_t num_bytes);

#ifdef __cplusplus
}
#endif

#endif /* TVM_RUNTIME_CRT_PLATFORM_H_ */

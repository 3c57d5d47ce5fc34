/* Messages of microTVM's applications. The application defines TVMLogf, and TVMPlatformAbort for CHECK_...
 * Names are TVM's, the text is not. C99 and C++11. */
#ifndef TVM_RUNTIME_CRT_LOGGING_H_
#define TVM_RUNTIME_CRT_LOGGING_H_

#include <tvm/runtime/crt/platform.h>

#define TVM_CRT_LOG_LEVEL_ERROR 0
#define TVM_CRT_LOG_LEVEL_WARN 1
#define TVM_CRT_LOG_LEVEL_INFO 2
#define TVM_CRT_LOG_LEVEL_DEBUG 3
#ifndef TVM_CRT_LOG_LEVEL
#define TVM_CRT_LOG_LEVEL TVM_CRT_LOG_LEVEL_WARN
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 1, 2)))
#endif
void TVMLogf(const char *fmt, ...);

#ifdef __cplusplus
}
#endif

#define LOG(level, ...) ((level) <= TVM_CRT_LOG_LEVEL ? TVMLogf(__VA_ARGS__) : (void)0)
#define LOG_ERROR(...) LOG(TVM_CRT_LOG_LEVEL_ERROR, __VA_ARGS__)
#define LOG_WARN(...) LOG(TVM_CRT_LOG_LEVEL_WARN, __VA_ARGS__)
#define LOG_INFO(...) LOG(TVM_CRT_LOG_LEVEL_INFO, __VA_ARGS__)
#define LOG_DEBUG(...) LOG(TVM_CRT_LOG_LEVEL_DEBUG, __VA_ARGS__)
#ifndef CHECK
#define CHECK(x) \
    ((x) ? (void)0 \
         : (TVMLogf("%s:%d: check failed: %s\n", __FILE__, __LINE__, #x), \
            TVMPlatformAbort(kTvmErrorPlatformCheckFailure)))
#endif

#endif /* TVM_RUNTIME_CRT_LOGGING_H_ */

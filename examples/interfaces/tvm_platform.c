/* TVM's interface in firmware as microTVM's projects have it: the board's functions stand beside the call of the network.
 *
 *   stillpool compile digits.tflite --interface tvm --name default -o tvm_platform
 */
#include <stdarg.h>
#include <stdlib.h>

#include <tvm/runtime/c_backend_api.h>
#include <tvm/runtime/c_runtime_api.h>
#include <tvm/runtime/crt/logging.h>
#include <tvm/runtime/crt/platform.h>
#include <tvm/runtime/crt/stack_allocator.h>

#include "tvmgen_default.h"

#include "answers.h"

/* The network allocates nothing: these bytes serve operators of the application's, if it has any. */
static uint8_t workspace[256] __attribute__((aligned(TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES)));
static tvm_workspace_t app_workspace;
static double seconds;

void TVMLogf(const char *msg, ...)
{
    va_list args;
    va_start(args, msg);
    (void)vfprintf(stderr, msg, args);
    va_end(args);
}

void TVMPlatformAbort(tvm_crt_error_t code)
{
    TVMLogf("TVMPlatformAbort: 0x%08x\n", (unsigned)code);
    exit(2);
}

tvm_crt_error_t TVMPlatformInitialize(void)
{
    return StackMemoryManager_Init(&app_workspace, workspace, sizeof workspace);
}

tvm_crt_error_t TVMPlatformMemoryAllocate(size_t num_bytes, DLDevice dev, void **out_ptr)
{
    (void)dev;
    return StackMemoryManager_Allocate(&app_workspace, (int32_t)num_bytes, out_ptr);
}

tvm_crt_error_t TVMPlatformMemoryFree(void *ptr, DLDevice dev)
{
    (void)dev;
    return StackMemoryManager_Free(&app_workspace, ptr);
}

void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int code_hint, int bits_hint)
{
    const DLDevice device = {(DLDeviceType)device_type, device_id};
    void *found = NULL;
    (void)code_hint;
    (void)bits_hint;
    return TVMPlatformMemoryAllocate((size_t)nbytes, device, &found) == kTvmErrorNoError ? found : NULL;
}

int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr)
{
    const DLDevice device = {(DLDeviceType)device_type, device_id};
    return TVMPlatformMemoryFree(ptr, device) == kTvmErrorNoError ? 0 : -1;
}

tvm_crt_error_t TVMPlatformTimerStart(void)
{
    seconds = 0.0;
    return kTvmErrorNoError;
}

tvm_crt_error_t TVMPlatformTimerStop(double *elapsed_time_seconds)
{
    *elapsed_time_seconds = seconds;
    return kTvmErrorNoError;
}

TVM_DLL int TVMFuncRegisterGlobal(const char *name, TVMFunctionHandle f, int override_function)
{
    (void)name;
    (void)f;
    (void)override_function;
    return 0;
}

/* What the stack promises: aligned blocks, an end, and memory that comes back. */
static int is_a_stack(void)
{
    void *first, *second, *third;
    first = TVMBackendAllocWorkspace(kDLCPU, 0, 100, 2, 32);
    second = TVMBackendAllocWorkspace(kDLCPU, 0, 100, 2, 32);
    third = TVMBackendAllocWorkspace(kDLCPU, 0, 100, 2, 32);
    return first != NULL && second == (uint8_t *)first + 112 && third == NULL
        && (uintptr_t)second % TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES == 0
        && TVMBackendFreeWorkspace(kDLCPU, 0, second) == 0 && TVMBackendFreeWorkspace(kDLCPU, 0, first) == 0
        && TVMBackendAllocWorkspace(kDLCPU, 0, 256, 2, 32) == first && TVMBackendFreeWorkspace(kDLCPU, 0, first) == 0;
}

int main(void)
{
    static int8_t input_data[TVMGEN_DEFAULT_IMAGE_SIZE], output_data[TVMGEN_DEFAULT_SCORES_SIZE];
    struct tvmgen_default_inputs inputs = {.image = (void *)input_data};
    struct tvmgen_default_outputs outputs = {.scores = (void *)output_data};
    uint32_t answers = NO_ANSWERS;
    double elapsed = 1.0;
    int sample;

    CHECK(TVMPlatformInitialize() == kTvmErrorNoError);
    CHECK(is_a_stack());
    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        int32_t ret_val;
        fill(input_data, samples_pixels[sample], TVMGEN_DEFAULT_IMAGE_COUNT, TVMGEN_DEFAULT_IMAGE_SCALE,
             TVMGEN_DEFAULT_IMAGE_ZERO_POINT);
        (void)TVMPlatformTimerStart();
        ret_val = tvmgen_default_run(&inputs, &outputs);
        (void)TVMPlatformTimerStop(&elapsed);
        if (ret_val != 0) {
            LOG_ERROR("Error: %ld\n", (long)ret_val);
            TVMPlatformAbort(kTvmErrorPlatformCheckFailure);
        }
        answers = mixed(answers, output_data, TVMGEN_DEFAULT_SCORES_SIZE);
    }
    printf("digits %08lx\n", (unsigned long)answers);
    return elapsed > 0.0 ? 1 : 0;
}

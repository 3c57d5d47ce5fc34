/* The stack in an array of the application's from which microTVM's applications serve TVMPlatformMemoryAllocate: what
 * was allocated last is freed first. A network compiled by stillpool allocates nothing, so the array may be small.
 * Names are TVM's, the text is not. C99 and C++11. */
#ifndef TVM_RUNTIME_CRT_STACK_ALLOCATOR_H_
#define TVM_RUNTIME_CRT_STACK_ALLOCATOR_H_

#include <stddef.h>
#include <stdint.h>
#include <tvm/runtime/crt/error_codes.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES
#define TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES 16
#endif

typedef struct {
    uint8_t *next_alloc;
    uint8_t *workspace;
    size_t workspace_size; /* bytes from `workspace` on */
} tvm_workspace_t;

static inline size_t stillpool_tvm_padding(size_t bytes)
{
    const size_t over = bytes % TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES;
    return over == 0 ? 0 : TVM_RUNTIME_ALLOC_ALIGNMENT_BYTES - over;
}

static inline tvm_crt_error_t StackMemoryManager_Init(tvm_workspace_t *tvm_runtime_workspace, uint8_t *g_aot_memory,
    size_t workspace_size)
{
    const size_t padding = stillpool_tvm_padding((size_t)(uintptr_t)g_aot_memory);
    if (padding > workspace_size) {
        return kTvmErrorPlatformNoMemory;
    }
    tvm_runtime_workspace->workspace = g_aot_memory + padding;
    tvm_runtime_workspace->next_alloc = tvm_runtime_workspace->workspace;
    tvm_runtime_workspace->workspace_size = workspace_size - padding;
    return kTvmErrorNoError;
}

static inline tvm_crt_error_t StackMemoryManager_Allocate(tvm_workspace_t *tvm_runtime_workspace, int32_t nbytes,
    void **current_alloc)
{
    const size_t bytes = (size_t)(nbytes < 0 ? 0 : nbytes);
    const size_t used = (size_t)(tvm_runtime_workspace->next_alloc - tvm_runtime_workspace->workspace);
    const size_t left = tvm_runtime_workspace->workspace_size - used;
    if (nbytes < 0 || bytes > left || stillpool_tvm_padding(bytes) > left - bytes) {
        return kTvmErrorPlatformNoMemory;
    }
    *current_alloc = tvm_runtime_workspace->next_alloc;
    tvm_runtime_workspace->next_alloc += bytes + stillpool_tvm_padding(bytes);
    return kTvmErrorNoError;
}

static inline tvm_crt_error_t StackMemoryManager_Free(tvm_workspace_t *tvm_runtime_workspace, void *ptr)
{
    const uintptr_t at = (uintptr_t)ptr;
    if (at < (uintptr_t)tvm_runtime_workspace->workspace || at > (uintptr_t)tvm_runtime_workspace->next_alloc) {
        return kTvmErrorPlatformStackAllocBadFree;
    }
    tvm_runtime_workspace->next_alloc = (uint8_t *)ptr;
    return kTvmErrorNoError;
}

#ifdef __cplusplus
}
#endif

#endif /* TVM_RUNTIME_CRT_STACK_ALLOCATOR_H_ */

"""Bytes that move down in C: in words where the processor reads them wherever they lie."""

from __future__ import annotations

from ...dialects.simd.instruction import function_of
from ...dialects.simd.moves import SlideBytesOp
from .c_function import Function, Kernels

_BY_ONE = """\
/* Moves `count` bytes down by one place: bytes[n] becomes bytes[n + 1]. */
static inline void %s(int8_t *bytes, int32_t count) {
  int32_t n = 0;
#if defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  for (; n + 4 < count; n += 4) {
    uint32_t word;
    __builtin_memcpy(&word, bytes + n + 1, sizeof word);
    __builtin_memcpy(bytes + n, &word, sizeof word);
  }
#endif
  for (; n + 1 < count; n++) {
    bytes[n] = bytes[n + 1];
  }
}"""
"""Libraries' functions for it go byte by byte, for source and target are never aligned alike."""


_BY = """\
/* Moves `count` bytes down by `by` places: bytes[n] becomes bytes[n + by]. */
static inline void %s(int8_t *bytes, int32_t count, int32_t by) {
  int32_t n = 0;
#if defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  if (by >= 32 && by %% 4 == 0 && (uintptr_t)bytes %% 4U == 0U) {
    for (; n + by + 32 <= count; n += 32) {
      __builtin_memcpy(__builtin_assume_aligned(bytes + n, 4), __builtin_assume_aligned(bytes + n + by, 4), 32);
    }
  }
#endif
#if defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  for (; n + by + 16 <= count; n += 16) {
    uint32_t words[4];
    __builtin_memcpy(words, bytes + n + by, sizeof words);
    __builtin_memcpy(bytes + n, words, sizeof words);
  }
  for (; n + by + 4 <= count; n += 4) {
    uint32_t word;
    __builtin_memcpy(&word, bytes + n + by, sizeof word);
    __builtin_memcpy(bytes + n, &word, sizeof word);
  }
#endif
  for (; n + by < count; n++) {
    bytes[n] = bytes[n + by];
  }
}"""
"""Libraries' functions for it move a word at a time, and bytes where one of the two is not aligned."""


def _slide_bytes(op: SlideBytesOp) -> Function:
    name = function_of(op) if op.by is None else f"{function_of(op)}_by"
    return Function(name, lambda _: (_BY_ONE if op.by is None else _BY) % name, op.memref, op.count, op.by)


KERNELS = Kernels({SlideBytesOp: _slide_bytes})

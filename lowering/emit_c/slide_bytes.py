"""Bytes that move down in C: in words where the processor reads them wherever they lie."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import SlideBytesOp, function_of
from .buffers import address
from .lowering import Lowering, Patterns


def _definition(function: str) -> str:
    # Libraries' functions for it go byte by byte, for source and target are never aligned alike.
    return f"""\
/* Moves `count` bytes down by one place: bytes[n] becomes bytes[n + 1]. */
static inline void {function}(int8_t *bytes, int32_t count) {{
  int32_t n = 0;
#if defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  for (; n + 4 < count; n += 4) {{
    uint32_t word;
    __builtin_memcpy(&word, bytes + n + 1, sizeof word);
    __builtin_memcpy(bytes + n, &word, sizeof word);
  }}
#endif
  for (; n + 1 < count; n++) {{
    bytes[n] = bytes[n + 1];
  }}
}}"""


def _definition_by(function: str) -> str:
    # Libraries' functions for it move a word at a time, and bytes where one of the two is not aligned.
    return f"""\
/* Moves `count` bytes down by `by` places: bytes[n] becomes bytes[n + by]. */
static inline void {function}(int8_t *bytes, int32_t count, int32_t by) {{
  int32_t n = 0;
#if defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  if (by >= 32 && by % 4 == 0 && (uintptr_t)bytes % 4U == 0U) {{
    for (; n + by + 32 <= count; n += 32) {{
      __builtin_memcpy(__builtin_assume_aligned(bytes + n, 4), __builtin_assume_aligned(bytes + n + by, 4), 32);
    }}
  }}
#endif
#if defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
  for (; n + by + 16 <= count; n += 16) {{
    uint32_t words[4];
    __builtin_memcpy(words, bytes + n + by, sizeof words);
    __builtin_memcpy(bytes + n, words, sizeof words);
  }}
  for (; n + by + 4 <= count; n += 4) {{
    uint32_t word;
    __builtin_memcpy(&word, bytes + n + by, sizeof word);
    __builtin_memcpy(bytes + n, &word, sizeof word);
  }}
#endif
  for (; n + by < count; n++) {{
    bytes[n] = bytes[n + by];
  }}
}}"""


def _functions(module: Operation) -> dict[str, str]:
    """The functions that the module's operations need, and their definitions."""
    return {
        _name(op): (_definition if op.by is None else _definition_by)(_name(op)) for op in all_of(module, SlideBytesOp)
    }


def _name(op: SlideBytesOp) -> str:
    return function_of(op) + ("" if op.by is None else "_by")


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's operations need."""
    return list(_functions(module))


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions that the module's operations need; they stand before all others."""
    return [emitc.VerbatimOp(text) for text in _functions(module).values()]


def _slide_bytes(op: SlideBytesOp, at: Lowering) -> None:
    first = address(at.build, *at.buffer(op.memref), const=False)
    numbers = [op.count] if op.by is None else [op.count, op.by.value.data]
    arguments = [first, *(at.build.constant(number, i32) for number in numbers)]
    at.build.add(EmitC_CallOpaqueOp(_name(op), arguments, []))


PATTERNS: Patterns = {SlideBytesOp: _slide_bytes}

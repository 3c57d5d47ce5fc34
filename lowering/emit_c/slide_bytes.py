"""Bytes that move down by one place in C: in words where the processor reads them wherever they lie."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
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


def names(module: Operation) -> list[str]:
    """The name of the function, if the module's operations need it."""
    return list(dict.fromkeys(function_of(op) for op in module.walk() if isinstance(op, SlideBytesOp)))


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The function, if the module's operations need it; it stands before all others."""
    return [emitc.VerbatimOp(_definition(name)) for name in names(module)]


def _slide_bytes(op: SlideBytesOp, at: Lowering) -> None:
    first = address(at.build, *at.buffer(op.memref), const=False)
    at.build.add(EmitC_CallOpaqueOp(function_of(op), [first, at.build.constant(op.count, i32)], []))


PATTERNS: Patterns = {SlideBytesOp: _slide_bytes}

"""Windows over four channels that stay apart in C: assembly for Armv7E-M, and loops.

From the same in intrinsics GCC and clang make 16 % more instructions: four sums, words taken apart and weights leave
few registers for pointers, and compilers load more at once than there is room for.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd import BYTES, ScaleBytesOp, SumTapsOp, function_of
from ...dialects.simd.taps import CLIPPED
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.windows import Window, scale_bytes, sum_taps, window_of
from .buffers import address
from .lowering import Lowering, Patterns
from .numbering import number_of, number_variants
from .rescaling import byte_in_c, high_in_c, sources, told, with_floats
from .walk import leave, pointed

_COMMON = """\
#if defined(STILLPOOL_DSP) && defined(__OPTIMIZE__)
/* Compilers take every line of assembly for an instruction, and count calls of such a function as cheaper. */
#define STILLPOOL_TAPS static inline __attribute__((always_inline))
#else
#define STILLPOOL_TAPS static inline
#define STILLPOOL_TAPS_IN_C
#endif"""


_IN_C = """\
#ifdef STILLPOOL_TAPS_IN_C
static inline void simd_sum_taps(const int8_t *const *taps, int32_t count, int32_t mask, int32_t zero_point,
    const int32_t *words, int32_t *sums) {
  for (int32_t c = 0; c < 4; c++) {
    sums[c] = words[c];
  }
  for (int32_t n = 0; n < count; n++) {
    for (int32_t c = 0; c < 4; c++) {
      int32_t byte = taps[n] ? taps[n][c] & mask : zero_point;
      bool is_high = n % 2 == 1 || (n == count - 1 && c >= 2);
      uint32_t lanes = is_high ? (uint32_t)byte << 16 : (uint32_t)byte & 0xffffu;
      sums[c] = simd_dual_multiply_add((int32_t)lanes, words[n / 2 * 4 + 4 + c], sums[c]);
    }
  }
}
#endif"""
"""Without a pointer zero points are taken; the mask is that of bytes without a sign, or all bits."""


@dataclass(frozen=True)
class Windows:
    """Facts that the function for a window depends on: its taps lie at the same distances wherever its code runs."""

    function: str
    window: Window
    zero_point: int

    @staticmethod
    def of(op: SumTapsOp) -> Windows:
        return Windows(f"{_stem(op)}_{number_of(op)}", window_of(op), op.zero_point.value.data)

    @property
    def pointers(self) -> list[str]:
        """Names of pointers, one of each memref."""
        return ["bytes", *(f"bytes_{n}" for n in range(1, self.window.memrefs))]

    @property
    def told(self) -> str:
        """Return a comment's words on the window."""
        places = self.window.places
        return f"{len(places)} taps, {places.count(CLIPPED) or 'none'} of them clipped"

    def _in_c(self) -> str:
        window = self.window
        taps = [
            "0" if place == CLIPPED else f"{self.pointers[owner]} + {place}"
            for place, owner in zip(window.places, window.owners, strict=True)
        ]
        mask = -1 if window.signed else 255
        return f"""\
  const int8_t *const taps[{len(taps)}] = {{{", ".join(taps)}}};
  simd_sum_taps(taps, {len(taps)}, {mask}, {self.zero_point}, words, sums);"""

    @property
    def definition(self) -> str:
        """The function in C."""
        parameters = ", ".join(f"const int8_t *{name}" for name in self.pointers)
        break_ = "\n    " if self.window.memrefs > 1 else ""
        inputs = [Variable(name) for name in (*self.pointers, "words")]
        return f"""\
/* Tile: 4 channels of 1 point; {self.told}.
 * Layout: words in the order of use: sums, weights of two taps for each channel, and so on, those of a last tap alone
 * in the low lane for channels 0 and 1, in the high one for 2 and 3.
 * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD. */
STILLPOOL_TAPS void {self.function}({break_}{parameters}, const int32_t *words, int32_t *sums) {{
#ifndef STILLPOOL_TAPS_IN_C
{statement(sum_taps(self.window), inputs, _SUMS)}
#else
{self._in_c()}
#endif
}}"""


_SUMS = [Variable(f"sums[{c}]") for c in range(BYTES)]


def _stem(op: SumTapsOp) -> str:
    """Return the beginning of the function's name."""
    return "_".join([function_of(op), str(len(op.places)), *(["unsigned"] if op.unsigned is not None else [])])


def prepare(module: Operation) -> None:
    """Number the windows of a module."""
    number_variants(module, SumTapsOp, lambda op: (_stem(op), (op.places, op.zero_point, op.owners, len(op.beside))))


def _scale_bytes(function: str, op: ScaleBytesOp) -> str:
    skipped, rescaling = op.skipped.value.data, op.rescaling
    inputs = [Variable("bytes"), Variable("words"), *_SUMS]
    floats = with_floats(rescaling)
    guard = f" !defined(STILLPOOL_TAPS_IN_C){floats}" if floats else "ndef STILLPOOL_TAPS_IN_C"
    return f"""\
/* Tile: 4 channels. Layout: for each a record of {told(rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, {sources(rescaling)}. */
STILLPOOL_TAPS void {function}(int32_t *sums, const int32_t *words, int8_t *bytes) {{
#if{guard}
{statement(scale_bytes(skipped, rescaling), inputs)}
#else
  for (int32_t c = 0; c < {BYTES}; c++) {{
    const int32_t *record = words + {skipped} + {rescaling.apart} * c;
    int32_t high = {high_in_c(rescaling, "sums[c]", "sums[c]")};
    bytes[c] = {byte_in_c(rescaling)};
  }}
#endif
}}"""


def ending_of(op: ScaleBytesOp) -> str:
    """The name of the function for it."""
    return "_".join([function_of(op), str(op.skipped.value.data), *op.rescaling.suffixes])


def _functions(module: Operation) -> dict[str, SumTapsOp | ScaleBytesOp]:
    """The functions that the module's operations need, by name, with an operation that calls each."""
    found: dict[str, SumTapsOp | ScaleBytesOp] = {}
    for op in operations(module):
        if isinstance(op, SumTapsOp):
            found.setdefault(Windows.of(op).function, op)
        elif isinstance(op, ScaleBytesOp):
            found.setdefault(ending_of(op), op)
    return found


def _definition(name: str, op: SumTapsOp | ScaleBytesOp) -> str:
    return Windows.of(op).definition if isinstance(op, SumTapsOp) else _scale_bytes(name, op)


def names(module: Operation) -> list[str]:
    """The names of these functions."""
    found = _functions(module)
    return ["simd_sum_taps", *found] if found else []


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    found = _functions(module)
    defined = [_definition(name, op) for name, op in found.items()]
    return [emitc.VerbatimOp(text) for text in ([_COMMON, _IN_C, *defined] if defined else [])]


def _lower_sum(op: SumTapsOp, at: Lowering) -> None:
    found, sums = pointed(op, at), address(at.build, *at.buffer(op.sums), const=False)
    window = Windows.of(op)
    pointers = [found[name] for name in window.pointers]
    at.build.add(EmitC_CallOpaqueOp(window.function, [*pointers, found["words"], sums], []))
    leave(op, at)


def _lower_scale(op: ScaleBytesOp, at: Lowering) -> None:
    found, sums = pointed(op, at), address(at.build, *at.buffer(op.sums), const=False)
    at.build.add(EmitC_CallOpaqueOp(ending_of(op), [sums, found["words"], found["out"]], []))
    leave(op, at)


PATTERNS: Patterns = {SumTapsOp: _lower_sum, ScaleBytesOp: _lower_scale}

"""Bytes of a tile over all of its channels in C: loops, and assembly for Arm's DSP extension.

What compilers keep in memory around the sums of a tile (where channels, records and results are) is in the registers
that sums leave free for a while, or on the stack: half of the instructions beside products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i8, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import Rescaling, TileBytesOp, function_of
from ...dialects.simd.memory import row_major, shape_of
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held
from .dual_products import WEIGHT_OF_BOTH, written_out
from .lanes import pointer
from .lowering import Lowering, Patterns
from .rescaling import byte_in_c, high_in_c, sources, told, with_floats


@dataclass(frozen=True)
class _Kernel:
    """Parts of the text of a function."""

    name: str
    passed: int
    """Words in one pass of a loop; none without one."""
    after: int
    """Words after it."""
    apart: int | None
    """Bytes from the results of one point to those of the other."""
    rescaling: Rescaling
    bytes: bool
    held: bool

    @staticmethod
    def of(op: TileBytesOp, strides: Sequence[int]) -> _Kernel:
        count, unroll = op.count.value.data, op.unroll.value.data
        passed, after = (0, count) if count // unroll == 1 else (unroll, count % unroll)
        apart = None if op.along is None else strides[op.along.value.data]
        rescaling, bytes = op.rescaling, op.bytes is not None
        parts = [function_of(op), str(after)] if not passed else [function_of(op), str(passed), str(after)]
        parts.append("point" if apart is None else f"at_{apart}")
        held = op.held is not None
        parts += [*(["shared"] if bytes else []), *(["held"] if held else []), *rescaling.suffixes]
        return _Kernel("_".join(parts), passed, after, apart, rescaling, bytes, held)

    @property
    def points(self) -> int:
        """Return the points that run side by side."""
        return 1 if self.apart is None else 2

    @property
    def definition(self) -> str:
        """The function in C."""
        floats = with_floats(self.rescaling)
        guard = f" defined(STILLPOOL_TILE_ASSEMBLY){floats}" if floats else "def STILLPOOL_TILE_ASSEMBLY"
        return f"""\
/* Tile: 4 channels with {self.points} point{"s" if self.points > 1 else ""}, over all channels;
 * {written_out(self.passed, self.after)}.
 * Layout: words of two lanes, those of points as [word][point]; {self._layout}
 * {told(self.rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, SMLAD, {sources(self.rescaling)}. */
STILLPOOL_TILE void {self.name}(
    const int32_t *points, int32_t count, const int32_t *words, int32_t blocks, int8_t *bytes) {{
#if{guard}
{self._statement()}
#else
{self._in_c()}
#endif
}}"""

    @property
    def _layout(self) -> str:
        if self.held:
            return "of each channel where sums start,\n * weights, and"
        weights = "[word][two channels], lower + 256 * upper" if self.bytes else "[word][channel]"
        return f"of 4 channels where sums start,\n * weights as {weights}, and for each channel"

    def _statement(self) -> str:
        walk, rescaling = Walk(self.passed, self.after), self.rescaling
        after = f" - {self.after}" if self.passed and self.after else ""
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("word", "const int32_t *", "words"),
            Variable("byte", "int8_t *", "bytes"),
            Variable("end", "const int32_t *", f"words + blocks * {self._of_block}"),
        ]
        if self.held:
            return statement(dual_bytes_held(self.after, self.apart, rescaling), inputs)
        if self.passed:
            inputs.append(Variable("last", "const int32_t *", f"points + {self.points} * (count{after})"))
        return statement(dual_bytes(walk, self.apart, rescaling, shares=self.bytes), inputs)

    @property
    def _of_block(self) -> str:
        """Words of the stream for four channels."""
        around = 1 + self.rescaling.record
        return f"(2 * count + {4 * around})" if self.bytes else f"4 * (count + {around})"

    def _in_c(self) -> str:
        is_doubled = self.bytes and not self.rescaling.is_real
        high = high_in_c(self.rescaling, "2 * total" if is_doubled else "total", "total")
        place = f" + p * {self.apart}" if self.points > 1 else ""
        weight, start = "        int32_t weight = block[4 * (n + 1) + c];", "c"
        if self.bytes:
            weight = f"        int32_t both = block[2 * n + 4 + c / 2];\n{WEIGHT_OF_BOTH}\n"
            weight += "        int32_t weight = (int32_t)(((uint32_t)high << 16) | ((uint32_t)low & 0xffffu));"
        weight = weight.replace("\n", "\n  ")
        record = f"{'2 * count + 4' if self.bytes else '4 * (count + 1)'} + {self.rescaling.apart} * c"
        if self.held:
            start = f"c * (count + {1 + self.rescaling.record})"
            weight, record = f"        int32_t weight = block[{start} + 1 + n];", f"{start} + 1 + count"
        return f"""\
  for (int32_t b = 0; b < blocks; b++) {{
    const int32_t *block = words + b * {self._of_block};
    for (int32_t c = 0; c < 4; c++) {{
      const int32_t *record = block + {record};
      for (int32_t p = 0; p < {self.points}; p++) {{
        int32_t total = block[{start}];
        for (int32_t n = 0; n < count; n++) {{
  {weight}
          total = simd_dual_multiply_add(points[{self.points} * n + p], weight, total);
        }}
        int32_t high = {high};
        bytes[4 * b + c{place}] = {byte_in_c(self.rescaling)};
      }}
    }}
  }}"""


def _kernel(op: TileBytesOp) -> _Kernel:
    return _Kernel.of(op, row_major(shape_of(op.out, op.indices, (i8,), "bytes")))


def _kernels(module: Operation) -> list[_Kernel]:
    return list(dict.fromkeys(_kernel(op) for op in all_of(module, TileBytesOp)))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's operations need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions that the module's operations need; they stand before all others."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in found]


def _tile(op: TileBytesOp, at: Lowering) -> None:
    points = pointer(op.memref, [op.first], at, const=True)
    words = pointer(op.words, [op.first_word], at, const=True)
    out = pointer(op.out, op.indices, at, const=False)
    count, blocks = (at.build.constant(one.value.data, i32) for one in (op.count, op.blocks))
    at.build.add(EmitC_CallOpaqueOp(_kernel(op).name, [points, count, words, blocks, out], []))


PATTERNS: Patterns = {TileBytesOp: _tile}

"""Sums of dual products of a tile in C: loops, and the same in assembly for Arm's DSP extension.

Of the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that the tile needs all of.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import DualProductsOp, function_of
from ...dialects.simd.dual_products import TILE_CHANNELS
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.dual_products import Walk, dual_products
from .buffers import address
from .lanes import pointer
from .lowering import Lowering, Patterns


def written_out(passed: int, after: int) -> str:
    """Return the words of a loop for a function's comment: those in one pass, none without a loop, those after it."""
    if not passed:
        return f"{after} words are written out"
    return f"{passed} words are written out in a loop" + (f", {after} after it" if after else "")


@dataclass(frozen=True)
class _Kernel:
    """Parts of the text of a function."""

    name: str
    passed: int
    """Words in one pass of a loop; none without one."""
    after: int
    """Words after it."""
    bytes: bool
    points: int

    @staticmethod
    def of(op: DualProductsOp) -> _Kernel:
        count, unroll, name = op.count.value.data, op.unroll.value.data, function_of(op)
        bytes = op.bytes is not None
        name += ("_bytes" if bytes else "") + ("_point" if op.points == 1 else "")
        if count // unroll == 1:
            return _Kernel(f"{name}_{count}", 0, count, bytes, op.points)
        return _Kernel(f"{name}_{unroll}_{count % unroll}", unroll, count % unroll, bytes, op.points)

    @property
    def definition(self) -> str:
        return f"""\
/* Tile: 4 channels with {self.points} point{"s" if self.points > 1 else ""}; {written_out(self.passed, self.after)}.
 * Layout: words of two lanes, those of points as [word][point], of weights as {self._layout};
 * sums as [channel][point]. */
STILLPOOL_TILE void {self.name}(
    const int32_t *points, int32_t count, const int32_t *weights, const int32_t *starts, int32_t *sums) {{
#ifdef STILLPOOL_TILE_ASSEMBLY
{self._assembly()}
#else
{(_PORTABLE_BYTES if self.bytes else _PORTABLE) % {"points": self.points, "weight": WEIGHT_OF_BOTH}}
#endif
}}"""

    @property
    def _layout(self) -> str:
        return "[word][two channels], lower + 256 * upper" if self.bytes else "[word][channel]"

    def _assembly(self) -> str:
        after = f" - {self.after}" if self.after else ""
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("weight", "const int32_t *", "weights"),
            Variable("start", "const int32_t *", "starts"),
            Variable("end", "const int32_t *", f"weights + {2 if self.bytes else 4} * (count{after})"),
        ]
        sums = [Variable(f"sum_{n}", "int32_t ") for n in range(TILE_CHANNELS * self.points)]
        kernel = dual_products(Walk(self.passed, self.after), self.points, shares=self.bytes)
        stored = "\n".join(f"  sums[{n}] = {one.name};" for n, one in enumerate(sums))
        return f"{statement(kernel, inputs, sums)}\n{stored}"


WEIGHT_OF_BOTH = """\
        int32_t low = (int32_t)(int8_t)(uint8_t)both;
        int32_t high = (int32_t)(int8_t)(uint8_t)((uint32_t)both >> 16);
        if (c % 2 != 0) {
          low = ((int32_t)(int16_t)(uint16_t)both - low) >> 8;
          high = ((both >> 16) - high) >> 8;
        }"""
"""The two lanes of the weight of a channel, of a word that it shares with its neighbour."""

_PORTABLE = """\
  for (int32_t c = 0; c < 4; c++) {
    for (int32_t p = 0; p < %(points)s; p++) {
      uint32_t sum = (uint32_t)starts[c];
      for (int32_t n = 0; n < count; n++) {
        int32_t point = points[%(points)s * n + p];
        int32_t weight = weights[4 * n + c];
        sum += (uint32_t)((int32_t)(int16_t)(uint16_t)point * (int32_t)(int16_t)(uint16_t)weight);
        sum += (uint32_t)((point >> 16) * (weight >> 16));
      }
      sums[%(points)s * c + p] = (int32_t)sum;
    }
  }"""


_PORTABLE_BYTES = """\
  for (int32_t c = 0; c < 4; c++) {
    for (int32_t p = 0; p < %(points)s; p++) {
      uint32_t sum = (uint32_t)starts[c];
      for (int32_t n = 0; n < count; n++) {
        int32_t point = points[%(points)s * n + p];
        int32_t both = weights[2 * n + c / 2];
%(weight)s
        sum += (uint32_t)((int32_t)(int16_t)(uint16_t)point * low);
        sum += (uint32_t)((point >> 16) * high);
      }
      sums[%(points)s * c + p] = (int32_t)sum;
    }
  }"""


def _kernels(module: Operation) -> list[_Kernel]:
    return list(dict.fromkeys(_Kernel.of(op) for op in all_of(module, DualProductsOp)))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's operations need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions that the module's operations need; they stand before all others."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in found]


def _products(op: DualProductsOp, at: Lowering) -> None:
    points = pointer(op.memref, [op.first], at, const=True)
    weights = pointer(op.weights, [op.first_weight], at, const=True)
    starts = pointer(op.starts, [op.first_start], at, const=True)
    sums = address(at.build, *at.buffer(op.sums), const=False)
    count = at.build.constant(op.count.value.data, i32)
    at.build.add(EmitC_CallOpaqueOp(_Kernel.of(op).name, [points, count, weights, starts, sums], []))


PATTERNS: Patterns = {DualProductsOp: _products}

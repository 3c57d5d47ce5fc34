"""Sums of dual products of a tile in C: loops, and the same in assembly for Arm's DSP extension.

Of the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that the tile needs all of.
"""

from __future__ import annotations

from ...dialects.simd import TILE_CHANNELS, DualProductsOp, function_of
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.dual_products import Walk, dual_products
from .c_function import Function, Kernels, c_function, when


def written_out(passed: int, after: int) -> str:
    """Return the words of a loop for a function's comment: those in one pass, none without a loop, those after it."""
    if not passed:
        return f"{after} words are written out"
    return f"{passed} words are written out in a loop" + (f", {after} after it" if after else "")


class _Kernel(Function):
    """The function for a tile."""

    def __init__(self, op: DualProductsOp):
        self._points, self._shares = op.points, op.bytes is not None
        self._passed, self._after = op.passed, op.after
        kind = ("_bytes" if self._shares else "") + ("_point" if self._points == 1 else "")
        written = f"{self._passed}_{self._after}" if self._passed else str(self._after)
        self.name = f"{function_of(op)}{kind}_{written}"
        self.arguments = op.memref, op.count, op.weights, op.starts, op.sums

    @property
    def definition(self) -> str:
        """The function in C."""
        points, layout = (
            self._points,
            "[word][two channels], lower + 256 * upper" if self._shares else "[word][channel]",
        )
        head = (
            f"STILLPOOL_TILE void {self.name}(\n"
            "    const int32_t *points, int32_t count, const int32_t *weights, const int32_t *starts, int32_t *sums)"
        )
        comment = (
            f"Tile: 4 channels with {points} point{'s' if points > 1 else ''}; "
            f"{written_out(self._passed, self._after)}.\n"
            f" * Layout: words of two lanes, those of points as [word][point], of weights as {layout};\n"
            " * sums as [channel][point]."
        )
        portable = _PORTABLE % {"points": points, "weight": _SHARED if self._shares else _WEIGHT}
        return c_function(head, when("STILLPOOL_TILE_ASSEMBLY"), self._assembly(), portable, comment)

    def _assembly(self) -> str:
        after = f" - {self._after}" if self._after else ""
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("weight", "const int32_t *", "weights"),
            Variable("start", "const int32_t *", "starts"),
            Variable("end", "const int32_t *", f"weights + {2 if self._shares else 4} * (count{after})"),
        ]
        sums = [Variable(f"sum_{n}", "int32_t ") for n in range(TILE_CHANNELS * self._points)]
        kernel = dual_products(Walk(self._passed, self._after), self._points, shares=self._shares)
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

_WEIGHT = """\
        int32_t weight = weights[4 * n + c];
        sum += (uint32_t)((int32_t)(int16_t)(uint16_t)point * (int32_t)(int16_t)(uint16_t)weight);
        sum += (uint32_t)((point >> 16) * (weight >> 16));"""

_SHARED = f"""\
        int32_t both = weights[2 * n + c / 2];
{WEIGHT_OF_BOTH}
        sum += (uint32_t)((int32_t)(int16_t)(uint16_t)point * low);
        sum += (uint32_t)((point >> 16) * high);"""

_PORTABLE = """\
  for (int32_t c = 0; c < 4; c++) {
    for (int32_t p = 0; p < %(points)s; p++) {
      uint32_t sum = (uint32_t)starts[c];
      for (int32_t n = 0; n < count; n++) {
        int32_t point = points[%(points)s * n + p];
%(weight)s
      }
      sums[%(points)s * c + p] = (int32_t)sum;
    }
  }"""


KERNELS = Kernels({DualProductsOp: _Kernel})
PATTERNS = KERNELS.patterns

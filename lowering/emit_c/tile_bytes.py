"""Bytes of a tile over all of its channels in C: loops, and assembly for Arm's DSP extension.

What compilers keep in memory around the sums of a tile (where channels, records and results are) is in the registers
that sums leave free for a while, or on the stack: half of the instructions beside products.
"""

from __future__ import annotations

from textwrap import indent

from ...dialects.simd import TileBytesOp, function_of
from ...dialects.simd.memory import type_of
from ...dialects.strides import row_major
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held
from .c_function import Function, Kernels, c_function, when
from .dual_products import WEIGHT_OF_BOTH, written_out
from .rescaling import byte_in_c, high_in_c, needs, sources, told


class _Kernel(Function):
    """The function for a tile."""

    def __init__(self, op: TileBytesOp):
        strides = row_major(type_of(op.out).get_shape())
        self._passed, self._after = op.passed, op.after
        self._apart = None if op.along is None else strides[op.along.value.data]
        """Bytes from the results of one point to those of the other."""
        self._points = op.points
        self._rescaling = op.rescaling
        self._shares, self._held = op.bytes is not None, op.held is not None
        parts = [function_of(op), *([str(op.passed)] if op.passed else []), str(op.after)]
        parts.append("point" if self._apart is None else f"at_{self._apart}")
        parts += [*(["shared"] if self._shares else []), *(["held"] if self._held else []), *op.rescaling.suffixes]
        self.name = "_".join(parts)
        self.arguments = op.memref, op.count, op.words, op.blocks, op.out

    @property
    def definition(self) -> str:
        """The function in C."""
        head = (
            f"STILLPOOL_TILE void {self.name}(\n"
            "    const int32_t *points, int32_t count, const int32_t *words, int32_t blocks, int8_t *bytes)"
        )
        comment = (
            f"Tile: 4 channels with {self._points} point{'s' if self._points > 1 else ''}, over all channels;\n"
            f" * {written_out(self._passed, self._after)}.\n"
            f" * Layout: words of two lanes, those of points as [word][point]; {self._layout}\n"
            f" * {told(self._rescaling)}.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, SMLAD, {sources(self._rescaling)}."
        )
        condition = when("STILLPOOL_TILE_ASSEMBLY", needs(self._rescaling))
        return c_function(head, condition, self._assembly(), self._in_c(), comment)

    @property
    def _layout(self) -> str:
        if self._held:
            return "of each channel where sums start,\n * weights, and"
        weights = "[word][two channels], lower + 256 * upper" if self._shares else "[word][channel]"
        return f"of 4 channels where sums start,\n * weights as {weights}, and for each channel"

    def _assembly(self) -> str:
        walk, rescaling = Walk(self._passed, self._after), self._rescaling
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("word", "const int32_t *", "words"),
            Variable("byte", "int8_t *", "bytes"),
            Variable("end", "const int32_t *", f"words + blocks * {self._of_block}"),
        ]
        if self._held:
            return statement(dual_bytes_held(self._after, self._apart, rescaling), inputs)
        if self._passed:
            after = f" - {self._after}" if self._after else ""
            inputs.append(Variable("last", "const int32_t *", f"points + {self._points} * (count{after})"))
        return statement(dual_bytes(walk, self._apart, rescaling, shares=self._shares), inputs)

    @property
    def _of_block(self) -> str:
        """Words of the stream for four channels."""
        around = 1 + self._rescaling.record
        return f"(2 * count + {4 * around})" if self._shares else f"4 * (count + {around})"

    def _in_c(self) -> str:
        rescaling = self._rescaling
        high = high_in_c(rescaling, "2 * total" if self._shares and not rescaling.is_real else "total", "total")
        place = f" + p * {self._apart}" if self._points > 1 else ""
        start, weight, record = self._words_in_c()
        return f"""\
  for (int32_t b = 0; b < blocks; b++) {{
    const int32_t *block = words + b * {self._of_block};
    for (int32_t c = 0; c < 4; c++) {{
      const int32_t *record = block + {record};
      for (int32_t p = 0; p < {self._points}; p++) {{
        int32_t total = block[{start}];
        for (int32_t n = 0; n < count; n++) {{
{weight}
          total = simd_dual_multiply_add(points[{self._points} * n + p], weight, total);
        }}
        int32_t high = {high};
        bytes[4 * b + c{place}] = {byte_in_c(rescaling)};
      }}
    }}
  }}"""

    def _words_in_c(self) -> tuple[str, str, str]:
        """The word where sums start, the weight, and where the record is, of a channel in a block."""
        of_record = f"{self._rescaling.apart} * c"
        if self._held:
            start = f"c * (count + {1 + self._rescaling.record})"
            return start, f"          int32_t weight = block[{start} + 1 + n];", f"{start} + 1 + count"
        if not self._shares:
            return "c", "          int32_t weight = block[4 * (n + 1) + c];", f"4 * (count + 1) + {of_record}"
        weight = (
            f"        int32_t both = block[2 * n + 4 + c / 2];\n{WEIGHT_OF_BOTH}\n"
            "        int32_t weight = (int32_t)(((uint32_t)high << 16) | ((uint32_t)low & 0xffffu));"
        )
        return "c", indent(weight, "  "), f"2 * count + 4 + {of_record}"


KERNELS = Kernels({TileBytesOp: _Kernel})
PATTERNS = KERNELS.patterns

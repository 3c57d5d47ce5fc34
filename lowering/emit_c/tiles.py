"""Tiles of four channels in C, sums of dual products and bytes of them: loops, and assembly for Arm's DSP extension.

From the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that a tile needs all of. What they keep in memory around the sums of a tile (where channels, records
and results are) is in the registers that sums leave free for a while, or on the stack: half of the instructions beside
products.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from textwrap import indent

from ...dialects.simd import TILE_CHANNELS, DualProductsOp, TileBytesOp, function_of
from ...dialects.simd.memory import type_of
from ...dialects.strides import row_major
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held, dual_products
from .c_function import Argument, Function, Kernels, c_function, when
from .rescaling import byte_in_c, high_in_c, needs, sources, told

MACROS = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_UNALIGNED) && defined(__thumb2__) && defined(__GNUC__) && \\
  defined(__OPTIMIZE__) && !defined(__ARM_BIG_ENDIAN) && !defined(__PIC__) && !defined(__ARM_RWPI) && \\
  !defined(STILLPOOL_PORTABLE)
#define STILLPOOL_TILE static inline __attribute__((always_inline))
#define STILLPOOL_TILE_ASSEMBLY
#else
#define STILLPOOL_TILE static inline
#endif"""
"""Without optimisation, and where r9 is the data's, compilers do not give away as many registers. Words of bytes are
read wherever they lie."""


_WEIGHT_OF_BOTH = """\
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
{_WEIGHT_OF_BOTH}
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


def _words(op: DualProductsOp | TileBytesOp) -> list[str]:
    """Parts of a name: words in one pass of a loop, if there is one, and those after it."""
    return [*([str(op.passed)] if op.passed else []), str(op.after)]


class _Tile(Function, abc.ABC):
    """The function for a tile of four channels."""

    def __init__(self, op: DualProductsOp | TileBytesOp, kind: Sequence[str], *arguments: Argument):
        super().__init__("_".join([function_of(op), *kind]), self._definition, *arguments)
        self._walk, self._points, self._shares = Walk(op.passed, op.after), op.points, op.bytes is not None
        self._tile = f"4 channels with {self._points} point{'s' if self._points > 1 else ''}"
        self._weights = "[word][two channels], lower + 256 * upper" if self._shares else "[word][channel]"
        self._looped = f"(count - {op.after})" if op.after else "(count)"
        """Words of a loop."""

    @abc.abstractmethod
    def _definition(self) -> str:
        """The function in C."""

    @property
    def _written_out(self) -> str:
        """A comment's words on what is written out: words in one pass of a loop, and those after it."""
        passed, after = self._walk.passed, self._walk.after
        if not passed:
            return f"{after} words are written out"
        return f"{passed} words are written out in a loop" + (f", {after} after it" if after else "")


class _Sums(_Tile):
    """The function for sums."""

    def __init__(self, op: DualProductsOp):
        kind = [*(["bytes"] if op.bytes is not None else []), *(["point"] if op.points == 1 else []), *_words(op)]
        super().__init__(op, kind, op.memref, op.count, op.weights, op.starts, op.sums)

    def _definition(self) -> str:
        head = (
            f"STILLPOOL_TILE void {self.name}(\n"
            "    const int32_t *points, int32_t count, const int32_t *weights, const int32_t *starts, int32_t *sums)"
        )
        comment = (
            f"Tile: {self._tile}; {self._written_out}.\n"
            f" * Layout: words of two lanes, those of points as [word][point], of weights as {self._weights};\n"
            " * sums as [channel][point]."
        )
        portable = _PORTABLE % {"points": self._points, "weight": _SHARED if self._shares else _WEIGHT}
        return c_function(head, when("STILLPOOL_TILE_ASSEMBLY"), self._assembly(), portable, comment)

    def _assembly(self) -> str:
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("weight", "const int32_t *", "weights"),
            Variable("start", "const int32_t *", "starts"),
            Variable("end", "const int32_t *", f"weights + {2 if self._shares else 4} * {self._looped}"),
        ]
        sums = [Variable(f"sum_{n}", "int32_t ") for n in range(TILE_CHANNELS * self._points)]
        stored = "\n".join(f"  sums[{n}] = {one.name};" for n, one in enumerate(sums))
        return f"{statement(dual_products(self._walk, self._points, shares=self._shares), inputs, sums)}\n{stored}"


class _Bytes(_Tile):
    """The function for bytes."""

    def __init__(self, op: TileBytesOp):
        self._apart = None if op.along is None else row_major(type_of(op.out).get_shape())[op.along.value.data]
        """Bytes from the results of one point to those of the other."""
        self._rescaling, self._held = op.rescaling, op.held is not None
        kind = [*_words(op), "point" if self._apart is None else f"at_{self._apart}"]
        kind += [name for name, given in (("shared", op.bytes), ("held", op.held)) if given is not None]
        super().__init__(op, [*kind, *self._rescaling.suffixes], op.memref, op.count, op.words, op.blocks, op.out)

    def _definition(self) -> str:
        head = (
            f"STILLPOOL_TILE void {self.name}(\n"
            "    const int32_t *points, int32_t count, const int32_t *words, int32_t blocks, int8_t *bytes)"
        )
        each = "of each channel where sums start,\n * weights, and"
        if not self._held:
            each = f"of 4 channels where sums start,\n * weights as {self._weights}, and for each channel"
        comment = (
            f"Tile: {self._tile}, over all channels;\n"
            f" * {self._written_out}.\n"
            f" * Layout: words of two lanes, those of points as [word][point]; {each}\n"
            f" * {told(self._rescaling)}.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, SMLAD, {sources(self._rescaling)}."
        )
        condition = when("STILLPOOL_TILE_ASSEMBLY", needs(self._rescaling))
        return c_function(head, condition, self._assembly(), self._in_c(), comment)

    def _assembly(self) -> str:
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("word", "const int32_t *", "words"),
            Variable("byte", "int8_t *", "bytes"),
            Variable("end", "const int32_t *", f"words + blocks * {self._of_block}"),
        ]
        if self._held:
            return statement(dual_bytes_held(self._walk.after, self._apart, self._rescaling), inputs)
        if self._walk.passed:
            inputs.append(Variable("last", "const int32_t *", f"points + {self._points} * {self._looped}"))
        return statement(dual_bytes(self._walk, self._apart, self._rescaling, shares=self._shares), inputs)

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
            f"        int32_t both = block[2 * n + 4 + c / 2];\n{_WEIGHT_OF_BOTH}\n"
            "        int32_t weight = (int32_t)(((uint32_t)high << 16) | ((uint32_t)low & 0xffffu));"
        )
        return "c", indent(weight, "  "), f"2 * count + 4 + {of_record}"


SUMS, BYTES = Kernels({DualProductsOp: _Sums}), Kernels({TileBytesOp: _Bytes})
"""Other kernels are defined between the two."""

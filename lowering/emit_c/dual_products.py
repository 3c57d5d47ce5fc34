"""Sums of dual products of a tile in C: loops, and the same in assembly for Arm's DSP extension.

Of the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that the tile needs all of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.simd import DualProductsOp, function_of
from .buffers import address
from .lanes import pointer
from .lowering import Lowering, Patterns

SUMS = ("r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12")
"""[channel][point]. The frame may be addressed by r7, which no compiler lets a program say that it changes."""
_CHANNELS = range(4)

_START = "ldrd r4,r6,[r2]\nldrd r9,r11,[r2,#8]\n"
RAISE = "add r6,r4,r6,lsl #8\nadd r11,r9,r11,lsl #8\n"
COPY = "mov r5,r4\nmov r8,r6\nmov r10,r9\nmov r12,r11\n"
_LOWER = "".join(
    f"sub {upper},{upper},{lower}\nasr {upper},{upper},#8\n"
    for lower, upper in (("r4", "r6"), ("r5", "r8"), ("r9", "r11"), ("r10", "r12"))
)
"""What is left of the sum of both channels of a word."""


def _products_of(channel: int, weight: str, *, starts: bool = False) -> list[str]:
    first, second = SUMS[2 * channel : 2 * channel + 2]
    return [f"smlad {second},r3,{weight},{first if starts else second}", f"smlad {first},r2,{weight},{first}"]


def word(*, bytes: bool = False, starts: bool = False) -> str:
    """One word of both points with those of four channels; without spaces, as the length of a string is limited.

    With `starts` the sums of the second point start from what those of the first one have.
    """
    lines = ["ldm r0!,{r2,r3}"]
    for first in (0, 2):
        if first == 0 or not bytes:
            lines.append("ldm r1!,{r7,lr}")
        if bytes:
            word = "lr" if first else "r7"
            lines += _products_of(first + 1, word, starts=starts)
            lines += [f"sxtb16 {word},{word}", *_products_of(first, word, starts=starts)]
        else:
            lines += [*_products_of(first, "r7", starts=starts), *_products_of(first + 1, "lr", starts=starts)]
    return "\n".join(lines) + "\n"


POINT_SUMS = ("r4", "r6", "r9", "r11")
_POINT_START = "ldrd r4,r6,[r2]\nldrd r9,r11,[r2,#8]\n"
POINT_WORDS = (
    "ldr r2,[r0],#4\nldm r1!,{r3,r5,r8,r10}\n"
    "smlad r4,r2,r3,r4\nsmlad r6,r2,r5,r6\nsmlad r9,r2,r8,r9\nsmlad r11,r2,r10,r11\n"
)
POINT_BYTES = (
    "ldr r2,[r0],#4\nldrd r3,r5,[r1],#8\n"
    "smlad r6,r2,r3,r6\nsxtb16 r3,r3\nsmlad r4,r2,r3,r4\nsmlad r11,r2,r5,r11\nsxtb16 r5,r5\nsmlad r9,r2,r5,r9\n"
)
_POINT_LOWER = "sub r6,r6,r4\nasr r6,r6,#8\nsub r11,r11,r9\nasr r11,r11,#8\n"


def _statement(text: str, registers: Sequence[str], last: str, end: str, clobbered: Sequence[str]) -> str:
    """The statement that runs lines of assembly; the register `last` has where weights end."""
    lines = "\n".join(f'    "{line}\\n"' for line in [".syntax unified", *text.splitlines()])
    sums = "\n".join(f'  register int32_t sum_{n} __asm__("{name}");' for n, name in enumerate(registers))
    outputs = ", ".join(f'"=&r"(sum_{n})' for n in range(len(registers)))
    stored = "\n".join(f"  sums[{n}] = sum_{n};" for n in range(len(registers)))
    changed = ", ".join(f'"{name}"' for name in clobbered)
    return f"""\
  register const int32_t *point __asm__("r0") = points;
  register const int32_t *weight __asm__("r1") = weights;
  register const int32_t *start __asm__("r2") = starts;
  register const int32_t *end __asm__("{last}") = {end};
{sums}
  __asm__ volatile(
{lines}
    : {outputs},
      "+r"(point), "+r"(weight), "+r"(start), "+r"(end)
    :
    : {changed}, "cc", "memory");
{stored}"""


def written_out(passed: int, after: int) -> str:
    """What the comment of a function says of its loop: words in one pass, none without a loop, and words after it."""
    if not passed:
        return f"{after} words are written out"
    return f"{passed} words are written out in a loop" + (f", {after} after it" if after else "")


@dataclass(frozen=True)
class _Kernel:
    """What stands in the text of a function."""

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
{self._assembly() if self.points > 1 else self._assembly_of_point()}
#else
{(_PORTABLE_BYTES if self.bytes else _PORTABLE) % {"points": self.points, "weight": WEIGHT_OF_BOTH}}
#endif
}}"""

    @property
    def _layout(self) -> str:
        return "[word][two channels], lower + 256 * upper" if self.bytes else "[word][channel]"

    def _assembly(self) -> str:
        # The stack holds where the loop ends, for there is no register left.
        text = _START + (RAISE if self.bytes else "") + COPY + "push {r7,lr}\n"
        if self.passed:
            text += "1:\n" + self.passed * word(bytes=self.bytes) + "ldr r2,[sp,#4]\ncmp r1,r2\nbne 1b\n"
        text += self.after * word(bytes=self.bytes) + "pop {r7,lr}\n" + (_LOWER if self.bytes else "")
        return _statement(text, SUMS, "lr", self._end, ("r3",))

    @property
    def _end(self) -> str:
        """Where the weights of a loop end."""
        after = f" - {self.after}" if self.after else ""
        return f"weights + {2 if self.bytes else 4} * (count{after})"

    def _assembly_of_point(self) -> str:
        text = _POINT_START + (RAISE if self.bytes else "")
        word = POINT_BYTES if self.bytes else POINT_WORDS
        if self.passed:
            text += "1:\n" + self.passed * word + "cmp r1,r12\nbne 1b\n"
        text += self.after * word + (_POINT_LOWER if self.bytes else "")
        return _statement(text, POINT_SUMS, "r12", self._end, ("r3", "r5", "r8", "r10"))


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
    return list(dict.fromkeys(_Kernel.of(op) for op in module.walk() if isinstance(op, DualProductsOp)))


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

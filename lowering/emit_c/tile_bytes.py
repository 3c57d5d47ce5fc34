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
from ...dialects.simd import Rescaling, TileBytesOp, function_of
from ...dialects.simd.lane_memory import row_major, shape_of
from ...dialects.simd.tile_bytes import loads_one_record
from .dual_products import (
    COPY,
    POINT_BYTES,
    POINT_SUMS,
    POINT_WORDS,
    RAISE,
    SUMS,
    WEIGHT_OF_BOTH,
    word,
    written_out,
)
from .lanes import pointer
from .lowering import Lowering, Patterns
from .rescaling import byte_in_c, high_half, high_in_c, saturated, sources, told

_SHORT = (("r10", "sl"), ("r11", "fp"), ("r12", "ip"))
"""Names of the same registers, for C99 limits the length of a string."""
_FRAME = "{r0,r2,r3,r7,lr}"
"""From the stack's pointer on: points, results, the stream's end, what r7 was, where the loop over words ends."""
_HELD = ("r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12")
"""Words of points that stay in registers, in the order in which they lie in memory."""
_BLOCK = "2:\nldr r0,[sp]\nldm r1!,{r4,r6,r9,r11}\n"
_NEXT = "str lr,[sp,#4]\nldr r3,[sp,#8]\ncmp r1,r3\nbne 2b\n"


@dataclass(frozen=True)
class _Kernel:
    """What stands in the text of a function."""

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
        """That run side by side."""
        return 1 if self.apart is None else 2

    @property
    def definition(self) -> str:
        """The function in C."""
        return f"""\
/* Tile: 4 channels with {self.points} point{"s" if self.points > 1 else ""}, over all channels;
 * {written_out(self.passed, self.after)}.
 * Layout: words of two lanes, those of points as [word][point]; {self._layout}
 * {told(self.rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, SMLAD, {sources(self.rescaling)}. */
STILLPOOL_TILE void {self.name}(
    const int32_t *points, int32_t count, const int32_t *words, int32_t blocks, int8_t *bytes) {{
#ifdef STILLPOOL_TILE_ASSEMBLY
{held_statement(self) if self.held else self._statement()}
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

    def _products(self) -> str:
        """The words of a block; where sums start is known of the first point alone."""
        one, copy = word(bytes=self.bytes), COPY
        if self.points == 1:
            one, copy = POINT_BYTES if self.bytes else POINT_WORDS, ""
        start, lower = (RAISE, self._apart()) if self.bytes else ("", "")
        if self.passed:
            start += f"{copy}1:\n{self.passed * one}ldr r2,[sp,#16]\ncmp r0,r2\nbne 1b\n"
            return start + self.after * one + lower
        first = word(bytes=self.bytes, starts=True) if self.points > 1 else one
        return start + first + (self.after - 1) * one + lower

    def _apart(self) -> str:
        """The doubles of sums that channels share: what is above the lower one's is 256 times the upper one's."""
        sums, text = SUMS if self.points > 1 else POINT_SUMS, ""
        for channel in (0, 2):
            lower, upper = (sums[n * self.points : (n + 1) * self.points] for n in (channel, channel + 1))
            for one, other in zip(lower, upper, strict=True):
                text += f"sub {other},{one}\nasr {other},#7\nlsl {one},#1\n"
        return text

    def _results(self) -> str:
        """The ends of four channels; the second point's come first, for the pointer moves on with the other's."""
        sums, rescaling = SUMS if self.points > 1 else POINT_SUMS, self.rescaling
        high, saturate = high_half(rescaling), saturated(rescaling)
        text, several = "ldr lr,[sp,#4]\n", 1 if loads_one_record(rescaling) else 2
        for channel in range(4):
            own = sums[channel * self.points : (channel + 1) * self.points]
            if several > 1:
                text += "ldm r1!,{r0,r2,r3,r7}\n" if channel % several == 0 else ""
                multiplier, nudge = ("r0", "r2") if channel % several == 0 else ("r3", "r7")
            else:
                text += "ldm r1!,{r2,r3,r7}\n" if rescaling.shift is None else "ldm r1!,{r2,r3}\n"
                multiplier, nudge = "r2", "r3"
            for one in own:
                added = "r0" if rescaling.signed else nudge
                text += f"add r0,{nudge},{one},asr #31\n" if rescaling.signed else ""
                text += f"{high} {one},{one},{multiplier},{added}\n"
            text += "".join(f"asr {one},r7\n" for one in own) if rescaling.shift is None else ""
            text += "".join(saturate(one) for one in own)
            text += f"strb {own[1]},[lr,#{self.apart}]\n" if self.points > 1 else ""
            text += f"strb {own[0]},[lr],#1\n"
        return text

    def _statement(self) -> str:
        text = f"push {_FRAME}\n{_BLOCK}{self._products()}{self._results()}{_NEXT}pop {_FRAME}\n"
        after = f" - {self.after}" if self.passed and self.after else ""
        last = f"points + {self.points} * (count{after})" if self.passed else "points"
        return _assembly(text, f"words + blocks * {self._of_block}", last)

    @property
    def _of_block(self) -> str:
        """Words of the stream for four channels."""
        around = 1 + self.rescaling.record
        return f"(2 * count + {4 * around})" if self.bytes else f"4 * (count + {around})"

    def _in_c(self) -> str:
        high = high_in_c(self.rescaling, "2 * total" if self.bytes else "total", "total")
        place = f" + p * {self.apart}" if self.points > 1 else ""
        weight, start = "        int32_t weight = block[4 * (n + 1) + c];", "c"
        if self.bytes:
            weight = f"        int32_t both = block[2 * n + 4 + c / 2];\n{WEIGHT_OF_BOTH}\n"
            weight += "        int32_t weight = (int32_t)(((uint32_t)high << 16) | ((uint32_t)low & 0xffffu));"
        weight = weight.replace("\n", "\n  ")
        record = f"{'2 * count + 4' if self.bytes else '4 * (count + 1)'} + {self.rescaling.record} * c"
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


def held_statement(kernel: _Kernel) -> str:
    """The statement for words of points that stay in registers; sums are r0, and r7 of a second point."""
    count, points, rescaling = kernel.after, kernel.points, kernel.rescaling
    held = list(_HELD[: count * points])
    sums = ["r0", "r7"] if points > 1 else ["r0"]
    high, saturate = high_half(rescaling), saturated(rescaling)

    def products(word: int, weight: str) -> str:
        pairs = list(zip(held[word * points : (word + 1) * points], sums, strict=True))
        # What the second point starts from is still there.
        return "".join(f"smlad {own},{value},{weight},{'r0' if word == 0 else own}\n" for value, own in reversed(pairs))

    channel = "ldm r1!,{r0,r2,r3}\n" if count > 1 else "ldm r1!,{r0,r2}\n"
    for first in range(0, count, 2):
        if first:
            channel += "ldm r1!,{r2,r3}\n" if first + 1 < count else "ldr r2,[r1],#4\n"
        channel += products(first, "r2") + (products(first + 1, "r3") if first + 1 < count else "")
    channel += "ldm r1!,{r2,r3}\n" + "".join(f"{high} {own},{own},r2,r3\n" for own in sums)
    if rescaling.shift is None:
        channel += "ldr r2,[r1],#4\n" + "".join(f"asr {own},r2\n" for own in sums)
    channel += "".join(saturate(own) for own in sums)
    channel += f"strb r7,[lr,#{kernel.apart}]\n" if points > 1 else ""
    channel += "strb r0,[lr],#1\n"
    # A single register is none that LDM loads.
    load = f"ldm r0,{{{','.join(held)}}}" if len(held) > 1 else f"ldr {held[0]},[r0]"
    text = f"push {{r3,r7}}\nmov lr,r2\n{load}\n2:\n{4 * channel}"
    text += "ldr r2,[sp]\ncmp r1,r2\nbne 2b\npop {r3,r7}\n"
    return _assembly(text, f"words + blocks * 4 * {count + 1 + rescaling.record}", None)


def _assembly(text: str, end: str, last: str | None) -> str:
    """The statement for lines of assembly; `end` is where the stream ends, `last` where a loop over words does."""
    for name, short in _SHORT:
        text = text.replace(name, short)
    lines = "\n".join(f'    "{line}\\n"' for line in [".syntax unified", *text.splitlines()])
    changed = ["r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", *(["lr"] if last is None else [])]
    names = ", ".join(f'"{name}"' for name in changed)
    declared = "" if last is None else f'  register const int32_t *last __asm__("lr") = {last};\n'
    more = "" if last is None else ', "+r"(last)'
    return f"""\
  register const int32_t *point __asm__("r0") = points;
  register const int32_t *word __asm__("r1") = words;
  register int8_t *byte __asm__("r2") = bytes;
  register const int32_t *end __asm__("r3") = {end};
{declared}  __asm__ volatile(
{lines}
    : "+r"(point), "+r"(word), "+r"(byte), "+r"(end){more}
    :
    : {names}, "cc", "memory");"""


def _kernel(op: TileBytesOp) -> _Kernel:
    return _Kernel.of(op, row_major(shape_of(op.out, op.indices, (i8,), "bytes")))


def _kernels(module: Operation) -> list[_Kernel]:
    return list(dict.fromkeys(_kernel(op) for op in module.walk() if isinstance(op, TileBytesOp)))


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

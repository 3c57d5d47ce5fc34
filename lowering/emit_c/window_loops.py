"""Windows over all channels, four after four, in C: assembly for Arm's DSP extension, and a loop of calls.

A statement for each window leaves the sums in memory and the pointers to the compiler, which moves every one of them on
by itself; with the loop inside, loads move them on, and three words of a record are one load.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.simd import BYTES, Rescaling
from ...dialects.simd.taps import CLIPPED
from ...dialects.simd.window_loop import WindowLoop
from .lowering import Lowering
from .rescaling import high_half, sources, told
from .taps import REACH, WORD, Window, ending_of
from .walk import first_pointer, places

_POINTERS = ("r0", "r11", "r12")
"""To the bytes of each memref; those of a single one leave two more for weights."""
_SUMS = ("r4", "r5", "r6", "r8")
"""r7 is none that compilers let a program say that it changes: it goes to the stack, as does where the words end."""

_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
/* r0 and r1 point to bytes and words, lr to results; sums are in r4, r5, r6 and r8. */
#define STILLPOOL_WINDOWS_BEGIN ".syntax unified\\npush {r3,r7}\\n2:\\nldm r1!,{r4-r6,r8}\\n"
#define STILLPOOL_WINDOWS_END "ldr r7,[sp]\\ncmp r1,r7\\nbne 2b\\npop {r3,r7}\\n"
#define STILLPOOL_WINDOW_TAP(to, from, at) "ldr " to ",[" from ",#" at "]\\n"
#define STILLPOOL_WINDOW_NEXT(to, from, step) "ldr " to ",[" from "],#" step "\\n"
#define STILLPOOL_WINDOW_FAR(to, from, at) "movw " to ",#" at "\\nldr " to ",[" from "," to "]\\n"
#define STILLPOOL_WINDOW_FARTHER(to, from, low, high) \\
  "movw " to ",#" low "\\nmovt " to ",#" high "\\nldr " to ",[" from "," to "]\\n"
#define STILLPOOL_WINDOW_CLIPPED(to, zeros) "mov.w " to ",#" zeros "\\n"
#define STILLPOOL_WINDOW_WEIGHTED(take, weights, later, x, y) weights \\
  "pkhbt r7,r2,r3,lsl#16\\npkhtb r3,r3,r2,asr#16\\n" \\
  take " r2,r7\\nsmlad r4,r2,r9,r4\\n" take " r7,r7,ror#8\\nsmlad r5,r7,sl,r5\\n" later \\
  take " r2,r3\\nsmlad r6,r2," x ",r6\\n" take " r3,r3,ror#8\\nsmlad r8,r3," y ",r8\\n"
#define STILLPOOL_WINDOW_WEIGHTED_LAST(take, weights, later, x, y) weights \\
  take " r3,r2\\n" take " r2,r2,ror#8\\nsmlad r4,r3,r9,r4\\nsmlad r5,r2,sl,r5\\n" later \\
  "smlad r6,r3," x ",r6\\nsmlad r8,r2," y ",r8\\n"
#define STILLPOOL_WINDOW_PAIR(take, first, second) first second \\
  STILLPOOL_WINDOW_WEIGHTED(take, "ldm r1!,{r9-r12}\\n", "", "fp", "ip")
#define STILLPOOL_WINDOW_LAST(take, last) last \\
  STILLPOOL_WINDOW_WEIGHTED_LAST(take, "ldm r1!,{r9-r12}\\n", "", "fp", "ip")
/* Pointers to further rows leave two registers for weights. */
#define STILLPOOL_WINDOW_ROWS_PAIR(take, first, second) first second \\
  STILLPOOL_WINDOW_WEIGHTED(take, "ldm r1!,{r9,sl}\\n", "ldm r1!,{r9,sl}\\n", "r9", "sl")
#define STILLPOOL_WINDOW_ROWS_LAST(take, last) last \\
  STILLPOOL_WINDOW_WEIGHTED_LAST(take, "ldm r1!,{r9,sl}\\n", "ldm r1!,{r9,sl}\\n", "r9", "sl")
#define STILLPOOL_WINDOW_BYTE(saturate, sum, step) "ldm r1!,{r2,r3,r7}\\n" \\
  "smmlar " sum "," sum ",r2,r3\\nasr " sum ",r7\\n" saturate " " sum ",#8," sum "\\nstrb " sum ",[lr],#" step "\\n"
#define STILLPOOL_WINDOW_SIGNED_BYTE(saturate, sum, step) "ldm r1!,{r2,r3,r7}\\nadd r3,r3," sum ",asr#31\\n" \\
  "smmlar " sum "," sum ",r2,r3\\nasr " sum ",r7\\n" saturate " " sum ",#8," sum "\\nstrb " sum ",[lr],#" step "\\n"
/* With one shift for all channels two records are one load. */
#define STILLPOOL_WINDOW_ENDS(high, first, second, signs) "ldm r1!,{r2,r3,r7,r9}\\n" signs \\
  high " " first "," first ",r2,r3\\n" high " " second "," second ",r7,r9\\n"
#define STILLPOOL_WINDOW_SIGNS(first, second) "add r3,r3," first ",asr#31\\nadd r9,r9," second ",asr#31\\n"
#define STILLPOOL_WINDOW_SHIFTED(saturate, sum, shift, step) \\
  saturate " " sum ",#8," sum ",asr#" shift "\\nstrb " sum ",[lr],#" step "\\n"
#else
#define STILLPOOL_WINDOWS static inline
#endif"""


@dataclass(frozen=True)
class _Windows:
    """What the function for a loop depends on."""

    window: Window
    ending: str
    words: int
    """Of one block."""
    rescaling: Rescaling
    backward: bool

    @staticmethod
    def of(found: WindowLoop) -> _Windows:
        scale = found.scale
        return _Windows(Window.of(found.sums), ending_of(scale), found.words, scale.rescaling, found.backward)

    @property
    def name(self) -> str:
        """Of the function."""
        function = self.window.function.replace("simd_sum_taps", "simd_windows", 1)
        return "_".join([function, *self.rescaling.suffixes, *(["backward"] if self.backward else [])])

    @property
    def _owners(self) -> tuple[int, ...]:
        """Of each tap the memref that it reads."""
        return self.window.owners or (0,) * len(self.window.places)

    def _nearest(self, owner: int) -> int:
        """The least place that is read of a memref, which its pointer points to."""
        places = zip(self.window.places, self._owners, strict=True)
        return min((place for place, own in places if place != CLIPPED and own == owner), default=0)

    def _taps(self) -> list[str]:
        """What loads the bytes of each tap: the nearest of a memref moves its pointer on."""
        texts: list[str] = []
        moved, step = set[int](), -BYTES if self.backward else BYTES
        for number, (place, owner) in enumerate(zip(self.window.places, self._owners, strict=True)):
            to = '"r2"' if number % 2 == 0 else '"r3"'
            if place == CLIPPED:
                texts.append(f'STILLPOOL_WINDOW_CLIPPED({to}, "{self.window.zeros}")')
                continue
            to += f', "{_POINTERS[owner]}"'
            behind = place - self._nearest(owner)
            at = behind - step if owner in moved else behind
            if behind == 0:
                texts.append(f'STILLPOOL_WINDOW_NEXT({to}, "{step}")')
                moved.add(owner)
            elif at <= REACH:
                texts.append(f'STILLPOOL_WINDOW_TAP({to}, "{at}")')
            elif at <= 0xFFFF:
                texts.append(f'STILLPOOL_WINDOW_FAR({to}, "{at}")')
            else:
                texts.append(f'STILLPOOL_WINDOW_FARTHER({to}, "{at & 0xFFFF}", "{at >> 16}")')
        return texts

    def _ends(self) -> list[str]:
        """What makes bytes of the sums."""
        rescaling = self.rescaling
        saturate = "usat" if rescaling.unsigned else "ssat"
        # Of the first three channels the pointer moves on by a byte, of the last one to the next block.
        steps = (1, 1, 1, 1 - 2 * BYTES if self.backward else 1)
        ends = list(zip(_SUMS, steps, strict=True))
        if rescaling.shift is None:
            byte = "SIGNED_BYTE" if rescaling.signed else "BYTE"
            return [f'STILLPOOL_WINDOW_{byte}("{saturate}", "{one}", "{step}")' for one, step in ends]
        lines: list[str] = []
        for first, second in (_SUMS[:2], _SUMS[2:]):
            signs = f'STILLPOOL_WINDOW_SIGNS("{first}", "{second}")' if rescaling.signed else '""'
            lines.append(f'STILLPOOL_WINDOW_ENDS("{high_half(rescaling)}", "{first}", "{second}", {signs})')
            lines += [
                f'STILLPOOL_WINDOW_SHIFTED("{saturate}", "{one}", "{rescaling.shift}", "{step}")'
                for one, step in ends
                if one in (first, second)
            ]
        return lines

    @property
    def definition(self) -> str:
        """The function in C."""
        window, taps = self.window, self._taps()
        rows = "ROWS_" if window.memrefs > 1 else ""
        lines: list[str] = []
        for number in range(0, len(taps), 2):
            kind = "PAIR" if number + 1 < len(taps) else "LAST"
            lines.append(f'STILLPOOL_WINDOW_{rows}{kind}("{window.take}", {", ".join(taps[number : number + 2])})')
        lines += self._ends()
        lines += [f'"subw r1,r1,#{2 * WORD * self.words}\\n"'] if self.backward else []
        listed = "\n".join(f"    {line}" for line in lines)
        symbol = "-" if self.backward else "+"
        changed = ", ".join(f'"{one}"' for one in ("r2", *_SUMS, "r9", "r10", *_POINTERS[window.memrefs :]))
        break_ = "\n    " if window.memrefs > 1 else ""
        parameters = ", ".join(f"const int8_t *{name}" for name in window.pointers)
        pointers = "\n".join(self._pointer(owner, name) for owner, name in enumerate(window.pointers))
        variables = ", ".join(f'"+r"({name.replace("bytes", "byte")})' for name in window.pointers)
        passed = ", ".join(f"{name} {symbol} {BYTES} * b" for name in window.pointers)
        return f"""\
/* Tile: 4 channels, over all channels{", from the last ones on" if self.backward else ""}; {window.told}.
 * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel {told(self.rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD, {sources(self.rescaling)}. */
STILLPOOL_WINDOWS void {self.name}({break_}{parameters}, const int32_t *words, int32_t blocks, int8_t *out) {{
#ifdef STILLPOOL_TILE_ASSEMBLY
{pointers}
  register const int32_t *word __asm__("r1") = words;
  register const int32_t *end __asm__("r3") = words {symbol} {self.words} * blocks;
  register int8_t *result __asm__("lr") = out;
  __asm__ volatile(
    STILLPOOL_WINDOWS_BEGIN
{listed}
    STILLPOOL_WINDOWS_END
    : {variables}, "+r"(word), "+r"(end), "+r"(result)
    :
    : {changed}, "cc", "memory");
#else
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {window.function}({passed}, words {symbol} {self.words} * b, sums);
    {self.ending}(sums, words {symbol} {self.words} * b, out {symbol} {BYTES} * b);
  }}
#endif
}}"""

    def _pointer(self, owner: int, name: str) -> str:
        """The declaration of the one to the bytes of a memref."""
        behind = f" + {at}" if (at := self._nearest(owner)) else ""
        variable = name.replace("bytes", "byte")
        return f'  register const int8_t *{variable} __asm__("{_POINTERS[owner]}") = {name}{behind};'


def window_loops(module: Operation) -> list[WindowLoop]:
    """All loops that become a call of one function."""
    loops = (WindowLoop.of(op) for op in module.walk() if isinstance(op, scf.ForOp))
    return [found for found in loops if found is not None]


def _kernels(module: Operation) -> list[_Windows]:
    return list(dict.fromkeys(map(_Windows.of, window_loops(module))))


def names(module: Operation) -> list[str]:
    """The names of the functions that the module's loops need."""
    return [kernel.name for kernel in _kernels(module)]


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions, which stand behind those for one window."""
    found = [kernel.definition for kernel in _kernels(module)]
    return [emitc.VerbatimOp(text) for text in ([_MACROS, *found] if found else [])]


def call_window(loop: scf.ForOp, at: Lowering) -> bool:
    """Lower a loop to a call, if it is one over windows."""
    found = WindowLoop.of(loop)
    if found is None:
        return False
    body, read, written = loop.body.block, places(found.sums), places(found.scale)
    names = [*Window.of(found.sums).pointers, "words"]
    inputs = [first_pointer(read[name], body, found.first, at, const=True) for name in names]
    out = first_pointer(written["out"], body, found.first, at, const=False)
    blocks = at.build.constant(found.blocks, i32)
    at.build.add(EmitC_CallOpaqueOp(_Windows.of(found).name, [*inputs, blocks, out], []))
    return True

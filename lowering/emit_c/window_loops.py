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
from ...dialects.simd import BYTES
from ...dialects.simd.taps import CLIPPED
from ...dialects.simd.window_loop import WindowLoop
from .lowering import Lowering
from .taps import REACH, WORD, Window, ending_of
from .walk import first_pointer, places

_SUMS = ("r4", "r5", "r6", "r8")
"""r7 is none that compilers let a program say that it changes: it goes to the stack, as does where the words end."""

_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
/* r0 and r1 point to bytes and words, lr to results; sums are in r4, r5, r6 and r8. */
#define STILLPOOL_WINDOWS_BEGIN ".syntax unified\\npush {r3,r7}\\n2:\\nldm r1!,{r4-r6,r8}\\n"
#define STILLPOOL_WINDOWS_END "ldr r7,[sp]\\ncmp r1,r7\\nbne 2b\\npop {r3,r7}\\n"
#define STILLPOOL_WINDOW_TAP(to, at) "ldr " to ",[r0,#" at "]\\n"
#define STILLPOOL_WINDOW_NEXT(to, step) "ldr " to ",[r0],#" step "\\n"
#define STILLPOOL_WINDOW_FAR(to, at) "movw " to ",#" at "\\nldr " to ",[r0," to "]\\n"
#define STILLPOOL_WINDOW_FARTHER(to, low, high) \\
  "movw " to ",#" low "\\nmovt " to ",#" high "\\nldr " to ",[r0," to "]\\n"
#define STILLPOOL_WINDOW_CLIPPED(to, zeros) "mov.w " to ",#" zeros "\\n"
#define STILLPOOL_WINDOW_PAIR(take, first, second) first second "ldm r1!,{r9-r12}\\n" \\
  "pkhbt r7,r2,r3,lsl#16\\npkhtb r3,r3,r2,asr#16\\n" \\
  take " r2,r7\\nsmlad r4,r2,r9,r4\\n" take " r7,r7,ror#8\\nsmlad r5,r7,sl,r5\\n" \\
  take " r2,r3\\nsmlad r6,r2,fp,r6\\n" take " r3,r3,ror#8\\nsmlad r8,r3,ip,r8\\n"
#define STILLPOOL_WINDOW_LAST(take, last) last "ldm r1!,{r9-r12}\\n" \\
  take " r3,r2\\n" take " r2,r2,ror#8\\n" \\
  "smlad r4,r3,r9,r4\\nsmlad r5,r2,sl,r5\\nsmlad r6,r3,fp,r6\\nsmlad r8,r2,ip,r8\\n"
#define STILLPOOL_WINDOW_BYTE(saturate, sum, step) "ldm r1!,{r2,r3,r7}\\n" \\
  "smmlar " sum "," sum ",r2,r3\\nasr " sum ",r7\\n" saturate " " sum ",#8," sum "\\nstrb " sum ",[lr],#" step "\\n"
#define STILLPOOL_WINDOW_SIGNED_BYTE(saturate, sum, step) "ldm r1!,{r2,r3,r7}\\nadd r3,r3," sum ",asr#31\\n" \\
  "smmlar " sum "," sum ",r2,r3\\nasr " sum ",r7\\n" saturate " " sum ",#8," sum "\\nstrb " sum ",[lr],#" step "\\n"
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
    signed: bool
    unsigned: bool
    backward: bool

    @staticmethod
    def of(found: WindowLoop) -> _Windows:
        signed, unsigned = (one is not None for one in (found.scale.signed, found.scale.unsigned))
        return _Windows(Window.of(found.sums), ending_of(found.scale), found.words, signed, unsigned, found.backward)

    @property
    def name(self) -> str:
        """Of the function."""
        kinds = (("signed", self.signed), ("to_unsigned", self.unsigned), ("backward", self.backward))
        signs = [text for text, given in kinds if given]
        return "_".join([self.window.function.replace("simd_sum_taps", "simd_windows", 1), *signs])

    def _taps(self) -> list[str]:
        """What loads the bytes of each tap: that at the place 0 moves the pointer on, so that later ones are nearer."""
        texts: list[str] = []
        moved, step = False, -BYTES if self.backward else BYTES
        for number, place in enumerate(self.window.places):
            to = '"r2"' if number % 2 == 0 else '"r3"'
            at = place - step if moved else place
            if place == CLIPPED:
                texts.append(f'STILLPOOL_WINDOW_CLIPPED({to}, "{self.window.zeros}")')
            elif place == 0 and not moved:
                texts.append(f'STILLPOOL_WINDOW_NEXT({to}, "{step}")')
                moved = True
            elif at <= REACH:
                texts.append(f'STILLPOOL_WINDOW_TAP({to}, "{at}")')
            elif at <= 0xFFFF:
                texts.append(f'STILLPOOL_WINDOW_FAR({to}, "{at}")')
            else:
                texts.append(f'STILLPOOL_WINDOW_FARTHER({to}, "{at & 0xFFFF}", "{at >> 16}")')
        return texts

    @property
    def definition(self) -> str:
        """The function in C."""
        window, taps = self.window, self._taps()
        lines: list[str] = []
        for number in range(0, len(taps), 2):
            kind = "PAIR" if number + 1 < len(taps) else "LAST"
            lines.append(f'STILLPOOL_WINDOW_{kind}("{window.take}", {", ".join(taps[number : number + 2])})')
        byte, saturate = ("SIGNED_BYTE" if self.signed else "BYTE"), ("usat" if self.unsigned else "ssat")
        # Of the first three channels the pointer moves on by a byte, of the last one to the next block.
        steps = (1, 1, 1, 1 - 2 * BYTES if self.backward else 1)
        ends = zip(_SUMS, steps, strict=True)
        lines += [f'STILLPOOL_WINDOW_{byte}("{saturate}", "{one}", "{step}")' for one, step in ends]
        lines += [f'"subw r1,r1,#{2 * WORD * self.words}\\n"'] if self.backward else []
        listed = "\n".join(f"    {line}" for line in lines)
        symbol = "-" if self.backward else "+"
        changed = ", ".join(f'"{one}"' for one in ("r2", *_SUMS, "r9", "r10", "r11", "r12"))
        return f"""\
/* Tile: 4 channels, over all channels{", from the last ones on" if self.backward else ""}; {window.told}.
 * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel multiplier, what is added, shift.
 * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD, SMMLAR, {saturate.upper()}. */
STILLPOOL_WINDOWS void {self.name}(const int8_t *bytes, const int32_t *words, int32_t blocks, int8_t *out) {{
#ifdef STILLPOOL_TILE_ASSEMBLY
  register const int8_t *byte __asm__("r0") = bytes;
  register const int32_t *word __asm__("r1") = words;
  register const int32_t *end __asm__("r3") = words {symbol} {self.words} * blocks;
  register int8_t *result __asm__("lr") = out;
  __asm__ volatile(
    STILLPOOL_WINDOWS_BEGIN
{listed}
    STILLPOOL_WINDOWS_END
    : "+r"(byte), "+r"(word), "+r"(end), "+r"(result)
    :
    : {changed}, "cc", "memory");
#else
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {window.function}(bytes {symbol} {BYTES} * b, words {symbol} {self.words} * b, sums);
    {self.ending}(sums, words {symbol} {self.words} * b, out {symbol} {BYTES} * b);
  }}
#endif
}}"""


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
    bytes, words = (first_pointer(read[name], body, found.first, at, const=True) for name in ("bytes", "words"))
    out = first_pointer(written["out"], body, found.first, at, const=False)
    blocks = at.build.constant(found.blocks, i32)
    at.build.add(EmitC_CallOpaqueOp(_Windows.of(found).name, [bytes, words, blocks, out], []))
    return True

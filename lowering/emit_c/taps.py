"""Windows over four channels that stay apart in C: assembly for Armv7E-M, and loops.

From the same in intrinsics GCC and clang make 16 % more instructions: four sums, words taken apart and weights leave
few registers for pointers, and compilers load more at once than there is room for.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.simd import BYTES, ScaleBytesOp, SumTapsOp, function_of
from ...dialects.simd.taps import CLIPPED
from .buffers import address
from .lowering import Lowering, Patterns
from .numbering import number_of, number_variants
from .rescaling import byte_in_c, high_half, high_in_c, saturated, sources, told
from .walk import leave, pointed

REACH = 4095
"""Bytes behind a pointer from which LDR loads."""
WORD = 4

_COMMON = """\
#if defined(STILLPOOL_DSP) && defined(__OPTIMIZE__)
/* Compilers take every line of assembly for an instruction, and count calls of such a function as cheaper. */
#define STILLPOOL_TAPS static inline __attribute__((always_inline))
/* Tile: 4 channels of 1 point; bytes of two taps are taken apart into a word of two lanes for each channel.
 * Layout: words in the order of use: sums, weights of two taps for each channel, and so on, those of a last tap alone
 * in the low lane for channels 0 and 1, in the high one for 2 and 3.
 * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD. */
#define STILLPOOL_TAPS_SUMS "ldrd %[s0], %[s1], [%[words]]\\n" "ldrd %[s2], %[s3], [%[words], #8]\\n"
#define STILLPOOL_TAP(to, at) "ldr %[" to "], [%[bytes], #" at "]\\n"
#define STILLPOOL_TAP_OF(to, from, at) "ldr %[" to "], [%[" from "], #" at "]\\n"
#define STILLPOOL_TAP_CLIPPED(to, zeros) "mov.w %[" to "], #" zeros "\\n"
#define STILLPOOL_TAPS_PAIR(take, first, second, low, high) first second \\
  "ldrd %[x], %[y], [%[words], #" low "]\\n" \\
  "pkhbt %[t], %[a], %[b], lsl #16\\n" "pkhtb %[b], %[b], %[a], asr #16\\n" \\
  take " %[a], %[t]\\n" "smlad %[s0], %[a], %[x], %[s0]\\n" \\
  take " %[t], %[t], ror #8\\n" "smlad %[s1], %[t], %[y], %[s1]\\n" \\
  "ldrd %[x], %[y], [%[words], #" high "]\\n" \\
  take " %[a], %[b]\\n" "smlad %[s2], %[a], %[x], %[s2]\\n" \\
  take " %[b], %[b], ror #8\\n" "smlad %[s3], %[b], %[y], %[s3]\\n"
#define STILLPOOL_TAPS_LAST(take, last, low, high) last \\
  "ldrd %[x], %[y], [%[words], #" low "]\\n" \\
  take " %[b], %[a]\\n" take " %[a], %[a], ror #8\\n" \\
  "smlad %[s0], %[b], %[x], %[s0]\\n" "smlad %[s1], %[a], %[y], %[s1]\\n" \\
  "ldrd %[x], %[y], [%[words], #" high "]\\n" \\
  "smlad %[s2], %[b], %[x], %[s2]\\n" "smlad %[s3], %[a], %[y], %[s3]\\n"
#else
#define STILLPOOL_TAPS static inline
#define STILLPOOL_TAPS_IN_C
#endif"""


_OUTPUTS = ", ".join(f'[s{c}]"=&r"(sums[{c}])' for c in range(BYTES))
_TEMPORARIES = ", ".join(f'[{name}]"=&r"({name})' for name in "abtxy")


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
class Window:
    """What the function for a window depends on: its taps lie at the same distances wherever its code runs."""

    function: str
    places: tuple[int, ...]
    owners: tuple[int, ...]
    zero_point: int
    signed: bool
    memrefs: int

    @staticmethod
    def of(op: SumTapsOp) -> Window:
        places, zero_point = op.places.get_values(), op.zero_point.value.data
        owners = () if op.owners is None else op.owners.get_values()
        name = f"{_stem(op)}_{number_of(op)}"
        return Window(name, places, owners, zero_point, op.unsigned is None, 1 + len(op.beside))

    @property
    def pointers(self) -> list[str]:
        """Names of pointers, one of each memref."""
        return ["bytes", *(f"bytes_{n}" for n in range(1, self.memrefs))]

    @property
    def take(self) -> str:
        """The instruction that takes bytes apart."""
        return "sxtb16" if self.signed else "uxtb16"

    @property
    def zeros(self) -> str:
        """The word of zero points."""
        return f"0x{(self.zero_point & 0xFF) * 0x01010101:08x}"

    @property
    def told(self) -> str:
        """What a comment says of it."""
        return f"{len(self.places)} taps, {self.places.count(CLIPPED) or 'none'} of them clipped"

    def _tap(self, to: str, number: int) -> str:
        """What loads the bytes of one tap, or has zero points in their place."""
        place, owner = self.places[number], self.owners[number] if self.owners else 0
        if place == CLIPPED:
            return f'STILLPOOL_TAP_CLIPPED("{to}", "{self.zeros}")'
        if place <= REACH:
            if owner:
                return f'STILLPOOL_TAP_OF("{to}", "{self.pointers[owner]}", "{place}")'
            return f'STILLPOOL_TAP("{to}", "{place}")'
        high = f' "movt %[{to}], #{place >> 16}\\n"' if place >> 16 else ""
        pointer = self.pointers[owner]
        return f'"movw %[{to}], #{place & 0xFFFF}\\n"{high} "ldr %[{to}], [%[{pointer}], %[{to}]]\\n"'

    def _in_c(self) -> str:
        owners = self.owners or (0,) * len(self.places)
        taps = [
            "0" if place == CLIPPED else f"{self.pointers[owner]} + {place}"
            for place, owner in zip(self.places, owners, strict=True)
        ]
        mask = -1 if self.signed else 255
        return f"""\
  const int8_t *const taps[{len(taps)}] = {{{", ".join(taps)}}};
  simd_sum_taps(taps, {len(taps)}, {mask}, {self.zero_point}, words, sums);"""

    @property
    def definition(self) -> str:
        places = self.places
        steps: list[str] = []
        for number in range(0, len(places), 2):
            numbers = range(number, min(number + 2, len(places)))
            taps = [self._tap(to, n) for to, n in zip("ab", numbers, strict=False)]
            at = WORD * (BYTES + number // 2 * BYTES)
            kind = "PAIR" if len(taps) == 2 else "LAST"
            steps.append(f'STILLPOOL_TAPS_{kind}("{self.take}", {", ".join(taps)}, "{at}", "{at + 2 * WORD}")')
        listed = "\n".join(f"    {step}" for step in steps)
        parameters = ", ".join(f"const int8_t *{name}" for name in self.pointers)
        inputs = ", ".join(f'[{name}]"r"({name})' for name in self.pointers)
        break_ = "\n    " if self.memrefs > 1 else ""
        return f"""\
/* {self.told}. */
STILLPOOL_TAPS void {self.function}({break_}{parameters}, const int32_t *words, int32_t *sums) {{
#ifndef STILLPOOL_TAPS_IN_C
  int32_t a, b, t, x, y;
  __asm__ volatile(
    STILLPOOL_TAPS_SUMS
{listed}
    : {_OUTPUTS},
      {_TEMPORARIES}
    : {inputs}, [words]"r"(words)
    : "memory");
#else
{self._in_c()}
#endif
}}"""


def _stem(op: SumTapsOp) -> str:
    """What the name of the function begins with."""
    return "_".join([function_of(op), str(len(op.places)), *(["unsigned"] if op.unsigned is not None else [])])


def prepare(module: Operation) -> None:
    """Number the windows of a module."""
    number_variants(module, SumTapsOp, lambda op: (_stem(op), (op.places, op.zero_point, op.owners, len(op.beside))))


def _scale_bytes(function: str, op: ScaleBytesOp) -> str:
    skipped, rescaling = op.skipped.value.data, op.rescaling
    high, saturate = high_half(rescaling), saturated(rescaling)
    steps: list[str] = []
    for c in range(BYTES):
        at, total = WORD * (skipped + rescaling.record * c), f"%[s{c}]"
        load = f'"ldrd %[x], %[y], [%[words], #{at}]\\n"'
        steps.append(load + (f' "ldr %[t], [%[words], #{at + 2 * WORD}]\\n"' if rescaling.shift is None else ""))
        steps += [f'"add %[y], %[y], {total}, asr #31\\n"'] if rescaling.signed else []
        shift = f' "asr {total}, {total}, %[t]\\n"' if rescaling.shift is None else ""
        steps.append(f'"{high} {total}, {total}, %[x], %[y]\\n"{shift}')
        steps.append(f'"{saturate(total).strip()}\\n" "strb {total}, [%[bytes], #{c}]\\n"')
    listed = "\n".join(f"    {step}" for step in steps)
    scaled = ", ".join(f'[s{c}]"+r"(sums[{c}])' for c in range(BYTES))
    has_shift = rescaling.shift is None
    names = "t, x, y" if has_shift else "x, y"
    temporaries = ", ".join(f'[{name}]"=&r"({name})' for name in names.split(", "))
    return f"""\
/* Tile: 4 channels. Layout: for each a record of {told(rescaling)}.
 * Source: Arm v7-M Architecture Reference Manual, {sources(rescaling)}. */
STILLPOOL_TAPS void {function}(int32_t *sums, const int32_t *words, int8_t *bytes) {{
#ifndef STILLPOOL_TAPS_IN_C
  int32_t {names};
  __asm__ volatile(
{listed}
    : {scaled},
      {temporaries}
    : [bytes]"r"(bytes), [words]"r"(words)
    : "memory");
#else
  for (int32_t c = 0; c < {BYTES}; c++) {{
    const int32_t *record = words + {skipped} + {rescaling.record} * c;
    int32_t high = {high_in_c(rescaling, "sums[c]", "sums[c]")};
    bytes[c] = {byte_in_c(rescaling)};
  }}
#endif
}}"""


def ending_of(op: ScaleBytesOp) -> str:
    """The name of the function for it."""
    return "_".join([function_of(op), str(op.skipped.value.data), *op.rescaling.suffixes])


def _functions(module: Operation) -> dict[str, str]:
    """The definitions of the functions that the module's operations need, by name."""
    found: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, SumTapsOp):
            window = Window.of(op)
            found[window.function] = window.definition
        elif isinstance(op, ScaleBytesOp):
            name = ending_of(op)
            found[name] = _scale_bytes(name, op)
    return found


def names(module: Operation) -> list[str]:
    """The names of these functions."""
    found = _functions(module)
    return ["simd_sum_taps", *found] if found else []


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    found = _functions(module)
    return [emitc.VerbatimOp(text) for text in ([_COMMON, _IN_C, *found.values()] if found else [])]


def _lower_sum(op: SumTapsOp, at: Lowering) -> None:
    found, sums = pointed(op, at), address(at.build, *at.buffer(op.sums), const=False)
    window = Window.of(op)
    pointers = [found[name] for name in window.pointers]
    at.build.add(EmitC_CallOpaqueOp(window.function, [*pointers, found["words"], sums], []))
    leave(op, at)


def _lower_scale(op: ScaleBytesOp, at: Lowering) -> None:
    found, sums = pointed(op, at), address(at.build, *at.buffer(op.sums), const=False)
    at.build.add(EmitC_CallOpaqueOp(ending_of(op), [sums, found["words"], found["out"]], []))
    leave(op, at)


PATTERNS: Patterns = {SumTapsOp: _lower_sum, ScaleBytesOp: _lower_scale}

"""Windows over four channels that stay apart in C: assembly for Armv7E-M, and loops.

From the same in intrinsics GCC and clang make 16 % more instructions: four sums, words taken apart and weights leave
few registers for pointers, and compilers load more at once than there is room for. A statement for each window leaves
the sums in memory and the pointers to the compiler, which moves every one of them on by itself; with the loop over all
channels inside, loads move them on, and three words of a record are one load.
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation

from ...dialects.simd import BYTES, ScaleBytesOp, SumTapsOp, function_of
from ...dialects.simd.taps import CLIPPED, WindowLoop
from ..kernels.armv7em import Variable, statement
from ..kernels.armv7em.windows import scale_bytes, sum_taps, window_of, windows
from .c_function import Function, Kernels, c_function, call, when
from .lowering import Lowering
from .numbering import number_of, number_variants
from .rescaling import byte_in_c, high_in_c, needs, sources, told
from .walk import first_pointer, places

_COMMON = """\
#if defined(STILLPOOL_DSP) && defined(__OPTIMIZE__)
/* Compilers take every line of assembly for an instruction, and count calls of such a function as cheaper. */
#define STILLPOOL_TAPS static inline __attribute__((always_inline))
#else
#define STILLPOOL_TAPS static inline
#define STILLPOOL_TAPS_IN_C
#endif"""


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


_SUMS = [Variable(f"sums[{c}]") for c in range(BYTES)]


class _Sums(Function):
    """The function for a window: its taps lie at the same distances wherever its code runs."""

    def __init__(self, op: SumTapsOp):
        super().__init__(f"{_stem(op)}_{number_of(op)}", self._definition, op.memref, *op.beside, op.words, op.sums)
        self.window = window_of(op)
        self.pointers = ["bytes", *(f"bytes_{n}" for n in range(1, self.window.memrefs))]
        """Names of pointers, one of each memref."""
        self._zero_point = op.zero_point.value.data

    @property
    def told(self) -> str:
        """Return a comment's words on the window."""
        places = self.window.places
        return f"{len(places)} taps, {places.count(CLIPPED) or 'none'} of them clipped"

    def head(self, qualifiers: str, name: str, others: str) -> str:
        """The beginning of a function of these pointers and others."""
        parameters = ", ".join(f"const int8_t *{pointer}" for pointer in self.pointers)
        break_ = "\n    " if len(self.pointers) > 1 else ""
        return f"{qualifiers} void {name}({break_}{parameters}, {others})"

    def _in_c(self) -> str:
        window = self.window
        taps = [
            "0" if place == CLIPPED else f"{self.pointers[owner]} + {place}"
            for place, owner in zip(window.places, window.owners, strict=True)
        ]
        mask = -1 if window.signed else 255
        return (
            f"  const int8_t *const taps[{len(taps)}] = {{{', '.join(taps)}}};\n"
            f"  simd_sum_taps(taps, {len(taps)}, {mask}, {self._zero_point}, words, sums);"
        )

    def _definition(self) -> str:
        comment = (
            f"Tile: 4 channels of 1 point; {self.told}.\n"
            " * Layout: words in the order of use: sums, weights of two taps for each channel, and so on, those of a "
            "last tap alone\n"
            " * in the low lane for channels 0 and 1, in the high one for 2 and 3.\n"
            " * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD."
        )
        head = self.head("STILLPOOL_TAPS", self.name, "const int32_t *words, int32_t *sums")
        inputs = [Variable(name) for name in (*self.pointers, "words")]
        assembly = statement(sum_taps(self.window), inputs, _SUMS)
        return c_function(head, when("STILLPOOL_TAPS_IN_C", absent=True), assembly, self._in_c(), comment)


def _stem(op: SumTapsOp) -> str:
    """Return the beginning of the function's name."""
    return "_".join([function_of(op), str(len(op.places)), *(["unsigned"] if op.unsigned is not None else [])])


def prepare(module: Operation) -> None:
    """Number the windows of a module."""
    number_variants(module, SumTapsOp, lambda op: (_stem(op), (op.places, op.zero_point, op.owners, len(op.beside))))


class _Ending(Function):
    """The function that makes bytes of a window's sums."""

    def __init__(self, op: ScaleBytesOp):
        self._skipped, self._rescaling = op.skipped.value.data, op.rescaling
        name = "_".join([function_of(op), str(self._skipped), *self._rescaling.suffixes])
        super().__init__(name, self._definition, op.sums, op.words, op.memref)

    def _definition(self) -> str:
        skipped, rescaling = self._skipped, self._rescaling
        comment = (
            f"Tile: 4 channels. Layout: for each a record of {told(rescaling)}.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, {sources(rescaling)}."
        )
        portable = f"""\
  for (int32_t c = 0; c < {BYTES}; c++) {{
    const int32_t *record = words + {skipped} + {rescaling.apart} * c;
    int32_t high = {high_in_c(rescaling, "sums[c]", "sums[c]")};
    bytes[c] = {byte_in_c(rescaling)};
  }}"""
        head = f"STILLPOOL_TAPS void {self.name}(int32_t *sums, const int32_t *words, int8_t *bytes)"
        assembly = statement(scale_bytes(skipped, rescaling), [Variable("bytes"), Variable("words"), *_SUMS])
        condition = when("STILLPOOL_TAPS_IN_C", needs(rescaling), absent=True)
        return c_function(head, condition, assembly, portable, comment)


_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
#else
#define STILLPOOL_WINDOWS static inline
#endif"""


class _Windows(Function):
    """The function for a loop."""

    def __init__(self, found: WindowLoop):
        self._window, self._ending = _Sums(found.sums), _Ending(found.scale).name
        self._words, self._backward = found.words, found.backward
        """Words of one block, and whether the last ones come first."""
        self._rescaling = found.scale.rescaling
        function = self._window.name.replace("simd_sum_taps", "simd_windows", 1)
        kind = [*self._rescaling.suffixes, *(["backward"] if self._backward else [])]
        super().__init__("_".join([function, *kind]), self._definition)

    def _definition(self) -> str:
        window, rescaling, names = self._window, self._rescaling, self._window.pointers
        symbol = "-" if self._backward else "+"
        passed = ", ".join(f"{name} {symbol} {BYTES} * b" for name in names)
        inputs = [
            *(self._pointer(owner, name) for owner, name in enumerate(names)),
            Variable("word", "const int32_t *", "words"),
            Variable("end", "const int32_t *", f"words {symbol} {self._words} * blocks"),
            Variable("result", "int8_t *", "out"),
        ]
        kernel = windows(window.window, rescaling, self._words, backward=self._backward)
        comment = (
            f"Tile: 4 channels, over all channels{', from the last ones on' if self._backward else ''}; "
            f"{window.told}.\n"
            f" * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel {told(rescaling)}.\n"
            " * Source: Arm v7-M Architecture Reference Manual, PKHBT, PKHTB, SXTB16, SMLAD, "
            f"{sources(rescaling)}."
        )
        portable = f"""\
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {window.name}({passed}, words {symbol} {self._words} * b, sums);
    {self._ending}(sums, words {symbol} {self._words} * b, out {symbol} {BYTES} * b);
  }}"""
        head = window.head("STILLPOOL_WINDOWS", self.name, "const int32_t *words, int32_t blocks, int8_t *out")
        condition = when("STILLPOOL_TILE_ASSEMBLY", needs(rescaling))
        return c_function(head, condition, statement(kernel, inputs), portable, comment)

    def _pointer(self, owner: int, name: str) -> Variable:
        """The one to the nearest bytes of a memref."""
        behind = f" + {at}" if (at := self._window.window.nearest(owner)) else ""
        return Variable(name.replace("bytes", "byte"), "const int8_t *", f"{name}{behind}")


def call_window(loop: scf.ForOp, at: Lowering) -> bool:
    """Lower a loop to a call, if it is one over windows."""
    found = WindowLoop.of(loop)
    if found is None:
        return False
    body, read, written = loop.body.block, places(found.sums), places(found.scale)
    names = [*_Sums(found.sums).pointers, "words"]
    inputs = [first_pointer(read[name], body, found.first, at, const=True) for name in names]
    out = first_pointer(written["out"], body, found.first, at, const=False)
    call(at, _Windows(found).name, *inputs, found.blocks, out)
    return True


def _loops(op: scf.ForOp) -> list[_Windows]:
    found = WindowLoop.of(op)
    return [] if found is None else [_Windows(found)]


SUMS = Kernels({SumTapsOp: _Sums, ScaleBytesOp: _Ending}, [_COMMON, _IN_C], "simd_sum_taps")
LOOPS = Kernels({}, [_MACROS], further={scf.ForOp: _loops})

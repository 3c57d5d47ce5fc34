"""Windows over four channels that stay apart in C: assembly for Armv7E-M, and loops.

From the same in intrinsics GCC and clang make 16 % more instructions: four sums, words taken apart and weights leave
few registers for pointers, and compilers load more at once than there is room for. A statement for each window leaves
the sums in memory and the pointers to the compiler, which moves every one of them on by itself; with the loop over all
channels inside, loads move them on, and three words of a record are one load.
"""

from __future__ import annotations

from ...dialects.simd.instruction import function_of
from ...dialects.simd.windows import CLIPPED, ScaleBytesOp, SumTapsOp, Taps, WindowsOp, passes_of
from ...dialects.simd.words import BYTES
from ..kernels.armv7em.operations import kernel_of
from ..kernels.thumb import Variable, statement
from .c_function import Bodies, Extension, Function, Kernels, Meant, Shared, call
from .comments import put_comment
from .lowering import Lowering, Patterns
from .meanings import Meanings
from .numbering import Variants, number_of
from .tiles import needs, sources, told
from .walk import first_pointer, places

_COMMON = """\
#if defined(STILLPOOL_DSP) && defined(__OPTIMIZE__)
/* Compilers take every line of assembly for an instruction, and count calls of such a function as cheaper. */
#define STILLPOOL_TAPS static inline __attribute__((always_inline))
#else
#define STILLPOOL_TAPS static inline
#define STILLPOOL_TAPS_IN_C
#endif"""
_EXTENSION = Extension("STILLPOOL_TAPS_IN_C", "STILLPOOL_TAPS", absent=True)

_SUMS = [Variable(f"sums[{c}]") for c in range(BYTES)]
_MANUAL = " * Source: Arm v7-M Architecture Reference Manual"


def _pointers(op: SumTapsOp) -> list[str]:
    """The names of pointers, one of each memref."""
    return [name for name in places(op) if name != "words"]


def _told(taps: Taps) -> str:
    """A comment's words on a window."""
    return f"{len(taps.places)} taps, {taps.places.count(CLIPPED) or 'none'} of them clipped"


def _opens(op: SumTapsOp) -> str:
    """What stands in front of the first parameter of a function: those of several memrefs have a line of their own."""
    return "\n    " if op.beside else ""


def _signs(op: SumTapsOp) -> str:
    """A part of a function's name."""
    return "_unsigned" if op.unsigned is not None else ""


def _stem(op: SumTapsOp) -> str:
    """The beginning of the function's name."""
    return f"{function_of(op)}_{len(op.places)}{_signs(op)}"


def _sums(op: SumTapsOp) -> Function:
    """The function for a window: its taps lie at the same distances wherever its code runs."""

    def bodies() -> Bodies:
        comment = (
            f"Tile: 4 channels of 1 point; {_told(op.taps)}.\n"
            " * Layout: words in the order of use: sums, weights of two taps for each channel, and so on, those of a "
            "last tap alone\n"
            " * in the low lane for channels 0 and 1, in the high one for 2 and 3.\n"
            f"{_MANUAL}, PKHBT, PKHTB, SXTB16, SMLAD."
        )
        inputs = [Variable(one) for one in (*_pointers(op), "words")]
        return Bodies(statement(kernel_of(op), inputs, _SUMS), comment, opens=_opens(op))

    # The function of all windows of one kind, for which there are no instructions.
    of_kind = f"{function_of(op)}_in_c{_signs(op)}{f'_of_{1 + len(op.beside)}' if op.beside else ''}"
    shared = Shared(of_kind, op, "count", "zero_point")
    return Meant(f"{_stem(op)}_{number_of(op)}", op, _EXTENSION, bodies, shared)


def _ending(op: ScaleBytesOp) -> Function:
    """The function that makes bytes of a window's sums."""
    skipped, rescaling = op.skipped.value.data, op.rescaling
    name = "_".join([function_of(op), str(skipped), *rescaling.suffixes])

    def bodies() -> Bodies:
        comment = f"Tile: 4 channels. Layout: for each a record of {told(rescaling)}.\n{_MANUAL}, {sources(rescaling)}."
        assembly = statement(kernel_of(op), [Variable("bytes"), Variable("words"), *_SUMS])
        return Bodies(assembly, comment, needs(rescaling))

    return Meant(name, op, _EXTENSION, bodies)


_MACROS = """\
#ifdef STILLPOOL_TILE_ASSEMBLY
/* Inlined, it would leave the caller no register: all that it keeps would be in memory. */
#define STILLPOOL_WINDOWS static __attribute__((noinline))
#else
#define STILLPOOL_WINDOWS static inline
#endif"""
_OF_LOOPS = Extension("STILLPOOL_TILE_ASSEMBLY", "STILLPOOL_WINDOWS")


def _windows(loop: WindowsOp) -> Function:
    """The function for a loop."""
    op, rescaling, is_backward = loop.sums, loop.scale.rescaling, loop.is_backward
    of_pass, kind = _sums(op).name, [*rescaling.suffixes, *(["backward"] if is_backward else [])]
    name = "_".join([of_pass.replace("simd_sum_taps", "simd_windows", 1), *kind])

    def definition(_: Meanings) -> str:
        taps, words, symbol = op.taps, loop.scale.reach, "-" if is_backward else "+"
        nearest = [f" + {at}" if (at := taps.nearest(owner)) else "" for owner in range(1 + len(op.beside))]
        inputs = [
            *(
                Variable(pointer.replace("bytes", "byte"), "const int8_t *", f"{pointer}{at}")
                for pointer, at in zip(_pointers(op), nearest, strict=True)
            ),
            Variable("word", "const int32_t *", "words"),
            Variable("end", "const int32_t *", f"words {symbol} {words} * blocks"),
            Variable("result", "int8_t *", "out"),
        ]
        comment = (
            f"Tile: 4 channels, over all channels{', from the last ones on' if is_backward else ''}; "
            f"{_told(taps)}.\n"
            f" * Layout: of each 4 channels words as simd_sum_taps has them, and for each channel {told(rescaling)}.\n"
            f"{_MANUAL}, PKHBT, PKHTB, SXTB16, SMLAD, {sources(rescaling)}."
        )
        passed = ", ".join(f"{pointer} {symbol} {BYTES} * b" for pointer in _pointers(op))
        portable = f"""\
  for (int32_t b = 0; b < blocks; b++) {{
    int32_t sums[{BYTES}];
    {of_pass}({passed}, words {symbol} {words} * b, sums);
    {_ending(loop.scale).name}(sums, words {symbol} {words} * b, out {symbol} {BYTES} * b);
  }}"""
        pointers = "".join(f"const int8_t *{pointer}, " for pointer in _pointers(op))
        head = f"void {name}({_opens(op)}{pointers}const int32_t *words, int32_t blocks, int8_t *out)"
        assembly = statement(kernel_of(loop), inputs)
        return _OF_LOOPS.function(head, Bodies(assembly, comment, needs(rescaling), portable))

    return Function(name, definition)


def _call(loop: WindowsOp, at: Lowering) -> None:
    put_comment(loop, at)
    body, read, out, passes = loop.body.block, places(loop.sums), places(loop.scale)["out"], passes_of(loop)
    inputs = [first_pointer(read[name], body, passes[0], at, const=True) for name in (*_pointers(loop.sums), "words")]
    call(at, _windows(loop).name, *inputs, len(passes), first_pointer(out, body, passes[0], at, const=False))


SUMS = Kernels({SumTapsOp: _sums, ScaleBytesOp: _ending}, [_COMMON])
LOOPS = Kernels({WindowsOp: _windows}, [_MACROS])
VARIANTS: Variants = {SumTapsOp: lambda op: (_stem(op), (op.places, op.zero_point, op.owners, len(op.beside)))}
PATTERNS: Patterns = {WindowsOp: _call}

"""Tiles of four channels in C: loops, and assembly for Arm's DSP extension, or for Armv6-M.

From the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that a tile needs all of. What they keep in memory around the sums of a tile (where channels, records
and results are) is in the registers that sums leave free for a while, or on the stack: half of the instructions beside
products. Of sums of two channels in one word they keep half of Armv6-M's eight registers in memory, which takes about
twice the instructions.
"""

from __future__ import annotations

from ...dialects.simd.instruction import function_of
from ...dialects.simd.rescaling import Rescaling
from ...dialects.simd.tiles import (
    SWAR_POINTS,
    TILE_CHANNELS,
    DualProductsOp,
    SwarProductsOp,
    TileBytesOp,
    UnpackPointsOp,
)
from ...dialects.simd.windows import WindowsOp
from ..kernels.armv6m.swar_products import swar_products
from ..kernels.armv7em.operations import kernel_of
from ..kernels.thumb import Variable, statement
from .c_function import FLOATS, Bodies, Extension, Function, Kernels, Meant, Shared

_MACROS = """\
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
_OPENS = "\n    "
EXTENSION = Extension("STILLPOOL_TILE_ASSEMBLY", "STILLPOOL_TILE")

_Tile = DualProductsOp | TileBytesOp


def _words(op: _Tile) -> list[str]:
    """Parts of a name: words in one pass of a loop, if there is one, and those after it."""
    return [*([str(op.passed)] if op.passed else []), str(op.after)]


def _tile(op: _Tile) -> str:
    """A comment's words on channels and points."""
    return f"Tile: 4 channels with {op.points} point{'s' if op.points > 1 else ''}"


def _written_out(op: _Tile) -> str:
    """A comment's words on what is written out: words in one pass of a loop, and those after it."""
    if not op.passed:
        return f"{op.after} words are written out"
    return f"{op.passed} words are written out in a loop" + (f", {op.after} after it" if op.after else "")


def _weights(op: _Tile) -> str:
    """A comment's words on the order of weights."""
    return "[word][channel]" if op.bytes is None else "[word][two channels], lower + 256 * upper"


def _looped(op: _Tile) -> str:
    """Words of a loop in C."""
    return f"(count - {op.after})" if op.after else "(count)"


def told(rescaling: Rescaling) -> str:
    """A comment's words on a record."""
    if rescaling.is_real:
        return "a factor, then for each what its product is added to"
    return "multiplier, what is added" + ("" if rescaling.shift is not None else ", shift")


def sources(rescaling: Rescaling) -> str:
    """A comment's words on the instructions that make bytes of sums."""
    if rescaling.is_real:
        return "VMLA, USAT16"
    return f"{'SMMLA' if rescaling.floor else 'SMMLAR'}, {'USAT' if rescaling.unsigned else 'SSAT'}"


def needs(rescaling: Rescaling) -> str:
    """What the preprocessor asks for beside the extension."""
    return FLOATS if rescaling.is_real else ""


def _sums(op: DualProductsOp) -> Function:
    shares = op.bytes is not None
    kind = [*(["bytes"] if shares else []), *(["point"] if op.points == 1 else []), *_words(op)]
    name = "_".join([function_of(op), *kind])

    def bodies() -> Bodies:
        comment = (
            f"{_tile(op)}; {_written_out(op)}.\n"
            f" * Layout: words of two lanes, those of points as [word][point], of weights as {_weights(op)};\n"
            " * sums as [channel][point]."
        )
        inputs = [
            *(Variable(one, "const int32_t *", f"{one}s") for one in ("point", "weight", "start")),
            Variable("end", "const int32_t *", f"weights + {2 if shares else 4} * {_looped(op)}"),
        ]
        sums = [Variable(f"sum_{n}", "int32_t ") for n in range(TILE_CHANNELS * op.points)]
        stored = "\n".join(f"  sums[{n}] = {one.name};" for n, one in enumerate(sums))
        assembly = statement(kernel_of(op), inputs, sums)
        return Bodies(f"{assembly}\n{stored}", comment, opens=_OPENS)

    return Meant(name, op, EXTENSION, bodies)


def _bytes(op: TileBytesOp) -> Function:
    rescaling, held, shares = op.rescaling, op.held is not None, op.bytes is not None
    kinds = [kind for kind, given in (("shared", shares), ("held", held)) if given]
    # The function of all tiles of one kind, for which there are no instructions.
    of_kind = "_".join([f"{function_of(op)}_in_c", *kinds, *rescaling.kinds])
    own = [*_words(op), "point" if op.apart is None else f"at_{op.apart}", *kinds, *rescaling.suffixes]
    around = 1 + rescaling.record
    of_block = f"(2 * count + {4 * around})" if shares else f"4 * (count + {around})"

    def bodies() -> Bodies:
        each = "of each channel where sums start,\n * weights, and"
        if not held:
            each = f"of 4 channels where sums start,\n * weights as {_weights(op)}, and for each channel"
        comment = (
            f"{_tile(op)}, over all channels;\n"
            f" * {_written_out(op)}.\n"
            f" * Layout: words of two lanes, those of points as [word][point]; {each}\n"
            f" * {told(rescaling)}.\n"
            f" * Source: Arm v7-M Architecture Reference Manual, SMLAD, {sources(rescaling)}."
        )
        inputs = [
            Variable("point", "const int32_t *", "points"),
            Variable("word", "const int32_t *", "words"),
            Variable("byte", "int8_t *", "bytes"),
            Variable("end", "const int32_t *", f"words + blocks * {of_block}"),
        ]
        if op.passed:
            inputs.append(Variable("last", "const int32_t *", f"points + {op.points} * {_looped(op)}"))
        return Bodies(statement(kernel_of(op), inputs), comment, needs(rescaling), opens=_OPENS)

    shared = Shared(of_kind, op, "width", "apart", "shift", "zero_point")
    return Meant("_".join([function_of(op), *own]), op, EXTENSION, bodies, shared)


_WINDOWS = 4
"""Of two numbers each, in one pass of the long loop."""

_ARMV6M = """\
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && defined(__GNUC__) && defined(__OPTIMIZE__) && \\
  !defined(__PIC__) && !defined(__ARM_RWPI) && !defined(STILLPOOL_PORTABLE)
#define STILLPOOL_ARMV6M
#endif"""
"""Armv6-M has the 16-bit instructions alone; compilers need registers of their own without optimisation."""
_OF_WORDS = """\
Tile: 4 channels. Each word holds weights of two channels, lower + 65536 * upper, so that one product adds to both.
 * Order: two numbers; of them the words of the first two channels, then of the others. Two products fit 16 bits."""


def _swar_bodies() -> Bodies:
    inputs = [
        Variable("number", "const int32_t *", "numbers"),
        Variable("word", "const int32_t *", "words"),
        Variable("end", "const int32_t *", "numbers + count"),
        Variable("sum", "int32_t *", "sums"),
        Variable("last", "const int32_t *", f"numbers + count % {SWAR_POINTS * _WINDOWS}"),
    ]
    return Bodies(statement(swar_products(_WINDOWS), inputs), _OF_WORDS)


def _swar(op: SwarProductsOp) -> Function:
    return Meant(function_of(op), op, Extension("STILLPOOL_ARMV6M"), _swar_bodies)


SUMS = Kernels({DualProductsOp: _sums}, [_MACROS], others=(TileBytesOp, UnpackPointsOp, WindowsOp))
SWAR = Kernels({SwarProductsOp: _swar}, [_ARMV6M])
BYTES = Kernels({TileBytesOp: _bytes})
"""Other kernels are defined between the two."""

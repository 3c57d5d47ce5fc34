"""Tiles of four channels in C, sums of dual products and bytes of them: loops, and assembly for Arm's DSP extension.

From the same in intrinsics compilers keep a part in memory: they load words far ahead of their use, and run out of the
fourteen registers that a tile needs all of. What they keep in memory around the sums of a tile (where channels, records
and results are) is in the registers that sums leave free for a while, or on the stack: half of the instructions beside
products.
"""

from __future__ import annotations

from ...dialects.simd.instruction import function_of
from ...dialects.simd.rescaling import Rescaling
from ...dialects.simd.tiles import TILE_CHANNELS, DualProductsOp, TileBytesOp, UnpackPointsOp
from ...dialects.simd.windows import WindowsOp
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
_EXTENSION = Extension("STILLPOOL_TILE_ASSEMBLY", "STILLPOOL_TILE")

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

    return Meant(name, op, _EXTENSION, bodies)


def _of_kind(op: TileBytesOp) -> Shared:
    """The function of all tiles of one kind, for which there are no instructions."""
    kinds = [name for name, given in (("shared", op.bytes), ("held", op.held)) if given is not None]
    name = "_".join([f"{function_of(op)}_in_c", *kinds, *op.rescaling.kinds])
    return Shared(name, op, "width", "apart", "shift", "zero_point")


def _bytes(op: TileBytesOp) -> Function:
    rescaling, held, shares = op.rescaling, op.held is not None, op.bytes is not None
    apart = op.apart
    kind = [*_words(op), "point" if apart is None else f"at_{apart}"]
    kind += [name for name, given in (("shared", shares), ("held", held)) if given]
    name, around = "_".join([function_of(op), *kind, *rescaling.suffixes]), 1 + rescaling.record
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

    return Meant(name, op, _EXTENSION, bodies, _of_kind(op))


SUMS = Kernels({DualProductsOp: _sums}, [_MACROS], others=(TileBytesOp, UnpackPointsOp, WindowsOp))
BYTES = Kernels({TileBytesOp: _bytes})
"""Other kernels are defined between the two."""

"""Loops over blocks of four channels whose passes are one window each, and nothing else."""

from __future__ import annotations

from typing import Self

from xdsl.dialects import arith, memref, scf
from xdsl.parser import Parser
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import VerifyException

from ..operations import all_of
from .taps import ScaleBytesOp, SumTapsOp, slope, words_of_taps
from .words import BYTES

_INDICES = (arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp)


class WindowsOp(scf.ForOp):
    """A loop whose passes are a window each: the next four channels and their words, or those before, and their bytes.

    It is an `scf.for` with constant bounds and at least two passes. Nothing but the window and its end stands in it,
    and what their indices are made of. Example:

        simd.windows %c = %c0 to %c64 step %c4 {
          %sums = memref.alloca() : memref<4xi32>
          %k = arith.muli %c, %c5 : index
          simd.sum_taps %x[%i, %c] [0, 64, 128] 5 [3, 64], %words[%k], %sums : ...
          simd.scale_bytes shift 8 %sums, %words[%k] 12, %y[%i, %c] : ...
        }

    Armv7E-M: as of its parts; loads move pointers on, and three words of a record are one load.
    """

    # What IRDL knows of `scf.for` it knows of this: it lets no operation be defined on top of another one.
    name = "simd.windows"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls._of(scf.ForOp.parse(parser))

    @classmethod
    def taken(cls, loop: scf.ForOp) -> Self | None:
        """The loop as one of this kind, with its body, to be put in its place; None if it is no such loop."""
        return cls._of(loop) if not isinstance(loop, cls) and _has_windows(loop) else None

    @classmethod
    def _of(cls, loop: scf.ForOp) -> Self:
        made = cls(loop.lb, loop.ub, loop.step, loop.iter_args, loop.detach_region(loop.body))
        made.attributes |= loop.attributes
        return made

    def verify_(self) -> None:
        super().verify_()
        if not _has_windows(self):
            raise VerifyException("a pass is one window and its end, whose places walk on by four channels")

    @property
    def sums(self) -> SumTapsOp:
        """The window."""
        (sums,) = all_of(self.body, SumTapsOp)
        return sums

    @property
    def scale(self) -> ScaleBytesOp:
        """Its end."""
        (scale,) = all_of(self.body, ScaleBytesOp)
        return scale

    @property
    def passes(self) -> range:
        """The counter's values; at least two."""
        return _passes(self)

    @property
    def words(self) -> int:
        """Words of one pass."""
        return _words(self.sums, self.scale)

    @property
    def is_backward(self) -> bool:
        """Whether each pass takes what lies in front of that of the one before."""
        return (slope(self.sums.first_word, self.body.block) or 0) < 0


def _has_windows(loop: scf.ForOp) -> bool:
    """Whether each pass of a loop is one window and its end, which walk on by four channels."""
    block = loop.body.block
    # Nothing but these stands in it, and what their indices are made of.
    match [op for op in block.ops if not isinstance(op, _INDICES)]:
        case [memref.AllocaOp(memref=made), SumTapsOp() as sums, ScaleBytesOp() as scale, scf.YieldOp()]:
            is_one = made is sums.sums and _is_one(sums, scale)
        case _:
            return False
    if not is_one or loop.results or len(passes := _passes(loop)) < 2:
        return False
    walked = [slope(index, block) for index in (*sums.indices, *scale.indices, sums.first_word)]
    channels, results = ([0] * (len(op.indices) - 1) + [BYTES] for op in (sums, scale))
    ways = [[one and one * step for one in walked] for step in (passes.step, -passes.step)]
    return [*channels, *results, _words(sums, scale)] in ways


def _is_one(sums: SumTapsOp, scale: ScaleBytesOp) -> bool:
    """Whether a window and its end take the same sums and words."""
    return (
        sums.sums is scale.sums
        and (sums.words, sums.first_word) == (scale.words, scale.first_word)
        and scale.skipped.value.data == words_of_taps(len(sums.places))
    )


def _passes(loop: scf.ForOp) -> range:
    """The values of a loop's counter; none where its bounds are no constants."""
    first, end, step = (const_evaluate_operand(bound) for bound in (loop.lb, loop.ub, loop.step))
    return range(0) if first is None or end is None or not step else range(first, end, step)


def _words(sums: SumTapsOp, scale: ScaleBytesOp) -> int:
    return words_of_taps(len(sums.places)) + scale.rescaling.record * BYTES

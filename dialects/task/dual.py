"""The steps `dual`, `single` and `swar`: roles of the operands of a nest, order of its fold points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..operations import all_of
from ..simd.tiles import SWAR_CHANNELS, SWAR_POINTS
from ..simd.words import BYTES, NIBBLES
from .code import Code, Collect, Manner
from .join import bytes_lie_along, join_axis, run_of
from .loop import Loop, check_fold, check_outside, check_unclamped
from .ops import TapsOp
from .products import Factor, products
from .step import Count, Flag
from .structure import Nest

IN_WORD = (0, 2, 1, 3)
"""The order in which a word's bytes become lanes."""
OF_PACKED = "order: with {} {{}} must be outside of what only the packed constant depends on"
"""Why loops over what is copied come first: it is copied once. By the step."""
_OF_SECOND = "order: with dual {} must be outside of what the second factor does not depend on"
_MOST = 32767
"""Largest number of a lane. Of two factors that are no constants it is the largest magnitude, too."""


@dataclass(frozen=True)
class InWords(Code):
    """Fold points run in words of `lanes` lanes; base of the steps that say which."""

    run: Count
    """Innermost fold dimensions whose points lie in words side by side; what the last one lacks is zero."""
    unroll: Count
    """Words in one pass of the loop over them."""

    lanes: ClassVar[int]
    """Fold points of a word."""
    writes_out = True
    unsigned = bytes = nibbles = both = swar = False
    """What only some of the steps say."""

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        plan = dual_plan(nest)
        check_fold(loops, "with dual the fold runs in pairs of points, in order")
        jammed = [loop for loop in loops if loop.form == "jam"]
        of_packed = nest.dims_of_read(plan.packed.read)
        for loop in jammed:
            if loop.dim in of_packed and loop.dim in plan.staged_dims:
                raise ValueError(f"jam {loop.name}: with dual only one of both factors may depend on it")
        if self.both:
            check_outside(loops, of_packed, _OF_SECOND)
        else:
            check_outside(loops, plan.staged_dims, OF_PACKED.format("dual"))
        channels = [loop for loop in jammed if loop.dim not in plan.staged_dims]
        if len(channels) > 1:
            raise ValueError(f"jam {channels[1].name}: with dual one dimension of the packed constant is jammed")
        if not self.both:
            check_unclamped(channels, "split {} clamped: words of the packed constant are no channel twice")
        self._check_jammed(nest, plan, jammed, channels)

    def _check_jammed(self, nest: Nest, plan: DualPlan, jammed: Sequence[Loop], channels: Sequence[Loop]) -> None:
        """Check which points run side by side: `channels` of the packed constant among what is `jammed`.

        All are legal unless a step says so.
        """


class Direct(Manner):
    """With `dual`, words of the factor that is not packed are read where its bytes lie: they are not copied."""

    beside = (Collect,)

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        step = nest.step_of(InWords)
        if step is None or step.lanes != 2:
            raise ValueError(f"{self}: it says nothing without dual")


@dataclass(frozen=True)
class Dual(InWords):
    """Fold points run in pairs, as products of two 16-bit lanes in one instruction.

    The operand that is constant is packed at compile time in the order of its use, zero points are folded into where
    the sums start, and the other one is copied before the loops over what it does not depend on. Of a zero point that
    the step reads, a number of the elements' type, the products with the weights are taken off the sums at their end.
    """

    lanes = 2
    beside = (Collect, Direct)

    bytes: Flag = False
    """Whether the packed constant is bytes, those of two channels in a word: half the memory, more instructions. With
    `direct` that is not jammed they are of one channel."""
    nibbles: Flag = False
    """Whether it is numbers of four bits, those of four channels in a word: a quarter of the memory."""
    both: Flag = False
    """Whether both operands are copied into words, less their zero points, as where neither is constant."""

    def _check_jammed(self, nest: Nest, plan: DualPlan, jammed: Sequence[Loop], channels: Sequence[Loop]) -> None:
        direct = is_direct(nest)
        if self.both and direct:
            raise ValueError("direct: with dual of two factors that are no constants both are copied")
        if direct and not allows_direct(nest, plan):
            raise ValueError("direct: the fold does not walk along whole words of bytes")
        if direct and (self.unroll % 2 or len(channels) < len(jammed)):
            raise ValueError("direct: an even number of words in a round, and only the packed constant is jammed")
        if self.bytes and not (direct and not channels) and not _fills_words(nest, channels, 2):
            raise ValueError(
                "dual: bytes are of two channels each: jam an even number of them, or all, or none with direct"
            )
        if self.nibbles and not _fills_words(nest, channels, NIBBLES):
            raise ValueError(f"dual: {NIBBLES} channels share a word of nibbles: jam a multiple of that, or all")


@dataclass(frozen=True)
class Single(InWords):
    """Products as with `dual`, but a word is one element in its own width: one product at a time, for any processor."""

    lanes = 1
    beside = (Collect,)

    unsigned: Flag = False
    """Whether elements of both factors lie in memory raised to what is not negative, for processors that load unsigned
    bytes in fewer instructions. What this adds to the sums is in where they start."""


@dataclass(frozen=True)
class Swar(InWords):
    """Products as with `single`, with a weight of two channels in each packed word: one product adds to the sums of
    both.

    These share a word for two fold points, after which they are taken apart. The other operand is copied into words of
    one element each. The products of two fold points must fit 16 bits with their sign, whatever the elements.
    """

    unroll: int = SWAR_POINTS
    lanes = 1
    beside = (Collect,)
    swar = True

    def _check_jammed(self, nest: Nest, plan: DualPlan, jammed: Sequence[Loop], channels: Sequence[Loop]) -> None:
        of_packed = nest.dims_of_read(plan.packed.read)
        if not jammed and any(nest.extents[dim] > 1 for dim in of_packed if dim < len(nest.space.data)):
            raise ValueError(f"swar: a word is of two channels: jam {SWAR_CHANNELS} of them, or all of fewer")
        for loop in jammed:
            if loop.reverse:
                raise ValueError(f"reverse {loop.name}: with swar channels that are jammed run in order")
            if loop.dim in plan.staged_dims:
                raise ValueError(f"jam {loop.name}: with swar only the packed constant is jammed")
            if loop.extent != min(SWAR_CHANNELS, nest.extents[loop.dim]):
                raise ValueError(f"jam {loop.name}: with swar {SWAR_CHANNELS} channels are jammed, or all of fewer")


@dataclass(frozen=True)
class DualPlan:
    """A nest that sums products in words of fold points: pairs of them, or one at a time."""

    staged: Factor
    """Copied into words; what is clipped counts as its zero point."""
    packed: Factor
    """Constant, packed at compile time."""
    staged_dims: frozenset[int]
    """Space dimensions on which the place of the staged element depends."""
    outer: tuple[int, ...]
    """Extents of the fold dimensions outside the run of points that lie side by side."""
    run: tuple[int, ...]
    """Extents of those inside."""
    step: InWords
    """How the schedule puts them into words, or would."""
    by_words: bool
    """Whether the staged elements of four points in a row are read as one word of bytes. Taken apart it is the first
    with the third, and the second with the fourth."""
    piece: int = 0
    """Number of staged elements that lie side by side as bytes, where some are read in words: a run is of such pieces.
    The words come first in the run, what is left of each piece follows. 0 where all are read one by one."""

    @property
    def raised(self) -> int:
        """Return what is added to staged elements in memory."""
        return 128 if self.step.unsigned and self.staged.signed else 0

    @property
    def zero_point(self) -> int:
        """Return what stands for nothing among the staged elements in memory."""
        return self.staged.zero_point + self.raised

    @property
    def pairs_of_run(self) -> int:
        """Words of one run; an odd last point is paired with zero."""
        return -(-math.prod(self.run) // self.step.lanes)

    @property
    def pairs(self) -> int:
        """Words of the whole fold."""
        return math.prod(self.outer) * self.pairs_of_run

    def run_points(self) -> list[tuple[int, ...]]:
        """The points of a run in the order in which they are paired."""
        found = list(itertools.product(*map(range, self.run)))
        if not self.piece:
            return found
        words, others = list[tuple[int, ...]](), list[tuple[int, ...]]()
        for begin in range(0, len(found), self.piece):
            middle, end = begin + self.piece // BYTES * BYTES, begin + self.piece
            words += [found[first + n] for first in range(begin, middle, BYTES) for n in IN_WORD]
            others += found[middle:end]
        return words + others

    @property
    def words_of_run(self) -> int:
        """Return how many words of bytes its first points are read as, of four points each."""
        return math.prod(self.run) // self.piece * (self.piece // BYTES) if self.piece else 0


def is_direct(nest: Nest) -> bool:
    """Whether the schedule has the step `direct`."""
    return Direct() in nest.steps


def allows_direct(nest: Nest, plan: DualPlan) -> bool:
    """Whether the fold walks along the bytes of four points at a time, none of which is ever clipped.

    Bytes of the constant must be such without their zero point: the sum of the others is not made.
    """
    access = nest.accesses("step_reads")[plan.staged.read]
    *outer, _ = (extent for _, extent in nest.fold.data)
    is_byte = not plan.step.bytes or plan.packed.fits_byte
    return is_byte and plan.by_words and not access.clip and all(extent == 1 for extent in outer)


def dual_plan(nest: Nest, step: InWords | None = None, *, late: bool = False, who: str = "dual") -> DualPlan:
    """Return the meaning of `dual` for a nest whose schedule has it, or for `step`.

    Args:
        nest: the nest.
        step: in the place of that of the schedule.
        late: whether zero points may be known at run time only; for a step of the schedule they may.
        who: the step to name where the nest does not allow it.

    Raises:
        ValueError: the nest or the rest of its schedule does not allow the step.
    """
    late = late or step is None
    step = step or nest.required_step(InWords)
    factors = products(nest, late=late)
    if factors is None:
        raise ValueError(f"{who}: the step is not a product of two narrow integers added to an i32")
    if all_of(nest, TapsOp):
        raise ValueError(f"{who}: the number of points that clipping leaves is asked for")
    if 0 in nest.extents:
        raise ValueError(f"{who}: a dimension has no points")
    reads = nest.accesses("step_reads")
    # A constant is never clipped; of two factors that are not, the second read is it.
    staged, packed = sorted(factors, key=lambda factor: (not reads[factor.read].clip, factor.read))
    if reads[packed.read].clip:
        raise ValueError(f"{who}: both factors are clipped")
    folds = [extent for _, extent in nest.fold.data]
    if not 1 <= step.run <= len(folds) or step.unroll < 1:
        raise ValueError(f"{step}: a run has 1 to {len(folds)} dimensions, and 1 pair or more")
    plan = DualPlan(
        staged,
        packed,
        frozenset(nest.dims_of_read(staged.read)).difference(nest.folds),
        outer=tuple(folds[: -step.run]),
        run=tuple(folds[-step.run :]),
        step=step,
        by_words=step.lanes == 2 and lies_in_words(nest, staged),
    )
    _check_elements(nest, plan, who)
    return replace(plan, piece=_piece(nest, plan))


def _check_elements(nest: Nest, plan: DualPlan, who: str) -> None:
    """Check that elements fit the words, and that there is one zero point for all that is copied at once."""
    staged, packed, step, reads = plan.staged, plan.packed, plan.step, nest.accesses("step_reads")
    if staged.bits + (not staged.signed) > 16 or not _fits_lane(packed, step):
        raise ValueError(f"{who}: an element does not fit a lane of 16 bits")
    if packed.zero_point_read is not None:
        raise ValueError(f"{step}: the zero point of the constant is none")
    if staged.zero_point_read is not None:
        if step.both:
            raise ValueError(f"{step}: the zero point is known at run time only")
        late = reads[staged.zero_point_read]
        if late.clip or not nest.dims_of(late) <= plan.staged_dims:
            raise ValueError(f"{step}: there is more than one zero point for what is copied at once")
    if step.unsigned and (staged.bits != 8 or packed.bits != 8):
        raise ValueError("single: numbers that are not negative lie in bytes")
    if step.both and not _fits_lane(staged, step):
        raise ValueError(f"{step}: an element less its zero point does not fit a lane of 16 bits")
    if step.both and any(reads[factor.read].clip for factor in (staged, packed)):
        raise ValueError(f"{step}: what is clipped has no zero point of its own")
    least, most = staged.extremes
    if reads[staged.read].clip and staged.zero_point_read is None and not least <= 0 <= most:
        # What is clipped counts as one.
        raise ValueError(f"{who}: the zero point {staged.zero_point} is no number of {reads[staged.read].type}")
    if step.bytes and packed.bits > 8:
        raise ValueError(f"{step}: an element of the constant does not fit a byte")


def _fits_lane(factor: Factor, step: InWords) -> bool:
    least, most = factor.extremes
    return most <= _MOST and (-_MOST if step.both else -_MOST - 1) <= least


def lies_in_words(nest: Nest, staged: Factor) -> bool:
    """Whether the innermost fold dimension walks along the bytes of a factor, a multiple of four of them."""
    access, innermost = nest.accesses("step_reads")[staged.read], len(nest.extents) - 1
    return nest.extents[innermost] % BYTES == 0 and bytes_lie_along(nest, access, innermost)


def _piece(nest: Nest, plan: DualPlan) -> int:
    """Number of staged elements that lie side by side as bytes; see `DualPlan.piece`."""
    if plan.by_words:
        return math.prod(plan.run)
    # In the shortest code the view of a row and what is left of it take more than they save.
    if plan.step.lanes != 2 or plan.step.both or Collect() in nest.steps:
        return 0
    access = nest.accesses("step_reads")[plan.staged.read]
    is_bytes = plan.staged.bits == 8 and access.is_dense and join_axis(access) is None
    if not is_bytes or -1 in access.shape:
        return 0
    side_by_side = min(run_of(nest, access), len(plan.run))
    length = math.prod(nest.extents[len(nest.extents) - side_by_side :])
    return length if length >= BYTES else 0


def _fills_words(nest: Nest, channels: Sequence[Loop], count: int) -> bool:
    """Whether channels of which `count` share a word are jammed so that no two blocks share one."""
    return any(loop.extent % count == 0 or loop.extent == nest.extents[loop.dim] for loop in channels)

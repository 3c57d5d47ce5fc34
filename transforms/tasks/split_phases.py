"""The pass `split-phases`: transposed convolutions become convolutions.

There is one for each kind of place that a result has between two input pixels.

Where a constant slides backwards over a clipped operand, `k = o - stride * i + offset` for a place `o` of the result,
a place `i` of the operand and a tap `k`, places of the result that differ by the stride meet the same taps. With
`o = stride * q + phase` the fold runs over these taps alone, in the order of `i`, as that of a convolution with
stride 1 does. Phases that meet as many taps at the same places are a dimension of one nest; others have a nest of
their own, at most four along each dimension.

The decomposition is that of polyphase filters (Bellanger, Bonnerot, Coudreuse, IEEE Transactions on Acoustics, Speech,
and Signal Processing 24(2), 1976).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, MemRefType, ModuleOp, i32
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...dialects.operations import operations
from ...dialects.strides import row_major
from ...dialects.task import DimsAttr, IndexOp, NestOp, TapsOp
from ...dialects.task.join import decided_dims
from ...dialects.task.syntax import Access
from ...lowering.constants import Constants, Elements, Use
from ...lowering.schedule import is_open
from .nests import nests_to_rewrite

_TAP, _PHASE = "_tap", "_phase"
"""Endings of names of dimensions: taps of a fold dimension, phases of a space dimension."""


class SplitPhasesPass(ModulePass):
    """Put nests of phases in the place of those whose constant slides backwards."""

    name: ClassVar[str] = "split-phases"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest, form in nests_to_rewrite(op):
            if is_open(nest):
                split_phases(nest, constants, alone=form.is_short)


@dataclass(frozen=True)
class Slide:
    """One dimension along which the constant slides: the tap is `space - stride * fold + offset`."""

    space: int
    fold: int
    stride: int
    offset: int
    taps: int
    """Taps of the constant."""
    axis: int
    """Axis of the constant along which its taps lie."""
    results: int
    """Places along the space dimension."""
    extent: int
    """Places of the other operand."""


@dataclass(frozen=True)
class Group:
    """Phases of one dimension that meet as many taps at the same places."""

    slide: Slide
    first: int
    """Phase."""
    phases: int
    results: int
    """Results of each phase."""
    taps: int
    """Taps that each phase meets."""
    shift: int
    """From the number of a result of a phase to the last place of the operand that it meets."""
    first_tap: int
    """The tap that the first phase meets there."""

    @property
    def places(self) -> int:
        """Fold points: at least one, which is clipped where there is no tap."""
        return max(self.taps, 1)

    @property
    def begin(self) -> int:
        """The place of the operand at the first fold point of the first result; beyond its end without taps."""
        return self.shift - self.places + 1 if self.taps else self.slide.extent

    @property
    def is_clipped(self) -> bool:
        """Whether some place is outside of the operand."""
        return self.begin < 0 or self.begin + self.results + self.places - 2 >= self.slide.extent

    def constant(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The taps of all phases, one phase after the other, along the axis."""
        axis, step = self.slide.axis, self.slide.stride
        if not self.taps:
            return np.zeros_like(np.take(values, [0] * self.phases, axis))
        tap = np.arange(self.taps)[::-1]
        return np.take(values, (self.first_tap + np.arange(self.phases)[:, None] + step * tap).reshape(-1), axis)


def split_phases(nest: NestOp, constants: Constants, *, alone: bool = False) -> list[NestOp]:
    """The nests that take the place of one whose constant slides backwards; the nest itself if it does not.

    Args:
        nest: the nest.
        constants: of the module, in which each nest gets its own taps and biases.
        alone: whether one nest may be replaced by one only.
    """
    slides = _slides(nest, constants)
    if not slides:
        return [nest]
    groups = list(itertools.product(*map(_groups, slides)))
    if alone and len(groups) > 1:
        return [nest]
    accesses = nest.accesses("step_reads")
    packed = next(access.buffer for access in accesses if access.clip)
    biases = [access.buffer for access in nest.accesses("start_reads")]
    split = {buffer: uses for buffer in biases if (uses := _biases(constants, buffer)) is not None}
    split_taps = constants.uses(packed)
    assert split_taps is not None, "they are constants"
    made: list[NestOp] = []
    for number, own in enumerate(groups):
        mine: dict[SSAValue, SSAValue] = {packed: _taps(constants, packed, split_taps, own, number)}
        mine |= {buffer: _starts(constants, buffer, uses, own, number) for buffer, uses in split.items()}
        made.append(_nest(nest, own, mine))
    Rewriter.replace_op(nest, made, [])
    for buffer, uses in ((packed, split_taps), *split.items()):
        constants.remove(buffer, uses)
    return made


def _slides(nest: NestOp, constants: Constants) -> list[Slide]:
    """The dimensions along which the constant slides; none where it does not, or something is in the way."""
    reads = nest.accesses("step_reads") if nest.fold.data else []
    if len(reads) != 2 or [access.clip for access in reads].count(True) != 1:
        return []
    taps, other = sorted(reads, key=lambda access: not access.clip)
    asks = (op for region in (nest.start, nest.step, nest.finish) for op in operations(region))
    if any(isinstance(op, TapsOp | IndexOp) for op in asks) or not _is_own(constants, taps.buffer):
        return []
    found: list[Slide] = []
    for axis, (index, extent) in enumerate(zip(taps.indices, _shape(taps.buffer), strict=True)):
        least, most = nest.form(index).bounds(nest.extents)
        if least >= 0 and most < extent:
            continue
        slide = _slide(nest, axis, index, extent)
        if slide is None or not _is_walked_alone(nest, slide, taps, other):
            return []
        found.append(slide)
    return found


def _slide(nest: NestOp, axis: int, index: AffineExpr, extent: int) -> Slide | None:
    form, first_fold = nest.form(index), len(nest.space.data)
    if len(form.terms) != 2 or form.constant < 0:
        return None
    (space, one), (fold, step) = sorted(form.terms)
    if space >= first_fold or fold < first_fold or one != 1 or step >= 0:
        return None
    return Slide(space, fold, -step, form.constant, extent, axis, nest.extents[space], nest.extents[fold])


def _is_walked_alone(nest: NestOp, slide: Slide, taps: Access, other: Access) -> bool:
    """Whether the fold dimension is a dimension of the other operand, and all that it has, and nothing else is."""
    if slide.fold in decided_dims(nest, other):
        return False
    places = [nest.form(index) for index in other.indices]
    own = [n for n, form in enumerate(places) if form.terms == ((slide.fold, 1),) and not form.constant]
    uses = sum(bool(form.coefficient(slide.fold) or form.coefficient(slide.space)) for form in places)
    uses_of_taps = sum(bool(nest.form(index).coefficient(slide.fold)) for index in taps.indices)
    is_whole = any(_shape(other.buffer)[n] == nest.extents[slide.fold] for n in own)
    return is_whole and uses == uses_of_taps == 1


def _is_own(constants: Constants, buffer: SSAValue) -> bool:
    """Whether a constant of whole bytes belongs to the nest alone."""
    type = buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    element = type.element_type
    is_bytes = isinstance(element, IntegerType) and element.width.data in (8, 16, 32)
    return is_bytes and buffer.has_one_use() and constants.uses(buffer) is not None


def _groups(slide: Slide) -> list[Group]:
    found: list[Group] = []
    for phase in range(min(slide.stride, slide.results)):
        shift, tap = divmod(slide.offset + phase, slide.stride)
        taps = max(0, -(-(slide.taps - tap) // slide.stride))
        results = -(-(slide.results - phase) // slide.stride)
        one = Group(slide, phase, 1, results, taps, shift, tap)
        last = found[-1] if found else None
        if last is not None and (last.results, last.taps, last.shift) == (results, taps, shift):
            found[-1] = Group(slide, last.first, last.phases + 1, results, taps, shift, last.first_tap)
        else:
            found.append(one)
    return found


def _biases(constants: Constants, buffer: SSAValue) -> list[Use] | None:
    """Where a constant that sums start from comes from, if each nest can have its own, with zero points in it."""
    type = buffer.type
    is_word = isinstance(type, MemRefType) and type.element_type == i32
    return constants.uses(buffer) if is_word and buffer.has_one_use() else None


def _taps(
    constants: Constants, buffer: SSAValue, uses: Sequence[Use], groups: Sequence[Group], number: int
) -> SSAValue:
    type = buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    element = type.element_type
    assert isinstance(element, IntegerType), "asked before"
    made: list[Elements] = []
    for use in uses:
        values = constants.values(use)
        for group in groups:
            values = group.constant(values)
        made.append(np.ascontiguousarray(values.astype(f"<i{element.width.data // 8}")))
    return _added(constants, buffer, uses, made, number)


def _starts(
    constants: Constants, buffer: SSAValue, uses: Sequence[Use], groups: Sequence[Group], number: int
) -> SSAValue:
    phases = math.prod(group.phases for group in groups)
    made = [np.tile(constants.values(use).reshape(-1).astype(np.int32), phases) for use in uses]
    return _added(constants, buffer, uses, made, number)


def _added(
    constants: Constants, buffer: SSAValue, uses: Sequence[Use], made: Sequence[Elements], number: int
) -> SSAValue:
    hint = buffer.name_hint or "constant"
    added = constants.add(buffer, uses, made, f"phase_{number}")
    added.name_hint = f"{hint}_{number}"
    return added


def _nest(nest: NestOp, groups: Sequence[Group], own: Mapping[SSAValue, SSAValue]) -> NestOp:
    """The nest of some phases, with constants of its own in the place of others."""
    first_fold = len(nest.space.data)
    space, fold = list(nest.space.data), list(nest.fold.data)
    for group in groups:
        slide = group.slide
        space[slide.space] = space[slide.space][0], group.results
        fold[slide.fold - first_fold] = fold[slide.fold - first_fold][0] + _TAP, group.places
    several = [group for group in groups if group.phases > 1]
    after = max(group.slide.space for group in groups) + 1
    space[after:after] = [(nest.space.names[group.slide.space] + _PHASE, group.phases) for group in several]

    def dim(old: int) -> AffineExpr:
        return AffineExpr.dimension(old if old < after else old + len(several))

    phase_of = {group.slide: AffineExpr.dimension(after + n) for n, group in enumerate(several)}
    places = [dim(d) for d in range(len(nest.extents))]
    where: list[tuple[str, AffineExpr]] = []
    for group in groups:
        slide = group.slide
        result = dim(slide.space) * slide.stride + group.first
        places[slide.space] = result + phase_of[slide] if slide in phase_of else result
        where.append((nest.fold.names[slide.fold - first_fold], dim(slide.space) + dim(slide.fold) + group.begin))
        places[slide.fold] = AffineExpr.dimension(len(space) + len(fold) + len(where) - 1)

    def moved(index: AffineExpr) -> AffineExpr:
        return nest.form(index).expression(places.__getitem__)

    def access(old: Access, group_of_reads: str) -> Access:
        buffer = own.get(old.buffer, old.buffer)
        indices = tuple(map(moved, old.indices))
        if group_of_reads == "step_reads" and old.clip:
            taps = {
                group.slide.axis: dim(group.slide.fold) + phase_of[group.slide] * group.places
                if group.slide in phase_of
                else dim(group.slide.fold)
                for group in groups
            }
            indices = tuple(taps.get(axis, index) for axis, index in enumerate(indices))
        elif group_of_reads == "start_reads" and buffer is not old.buffer:
            strides = row_major(_shape(old.buffer))
            total: AffineExpr = AffineExpr.constant(0)
            for group in several:
                total = total * group.phases + phase_of[group.slide]
            total = total * math.prod(_shape(old.buffer))
            indices = (sum((i * stride for i, stride in zip(indices, strides, strict=True)), start=total),)
        is_other = group_of_reads == "step_reads" and not old.clip
        return Access(buffer, indices, is_other and any(group.is_clipped for group in groups))

    reads = [[access(old, name) for old in nest.accesses(name)] for name in nest.GROUPS]
    made = NestOp(
        DimsAttr(tuple(space)),
        DimsAttr(tuple(fold)),
        where,
        reads,
        [region.clone() for region in (nest.start, nest.step, nest.finish)],
        ordered=nest.ordered is not None,
        schedule=nest.schedule,
        attributes=dict(nest.attributes),
    )
    return made


def _shape(buffer: SSAValue) -> tuple[int, ...]:
    type = buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    return type.get_shape()

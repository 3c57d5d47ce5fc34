"""Packs the constant factor of a nest into words of two lanes, and folds the zero point of the other into the sums."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.task import NestOp
from ....dialects.task.domain import Linear, row_major
from ....dialects.task.dual import DualPlan
from ....dialects.task.loops import Loop
from ...builder import Loops, Value
from ..point import Point
from .constants import Constants, Numbers, Use


@dataclass(frozen=True)
class Packed:
    """What the loops of a nest use in place of its constant factor."""

    words: SSAValue
    """For each block of channels, for each pair of fold points, for each channel of the block a word."""
    strides: Mapping[int, int]
    """Of the space dimensions that number the channels, innermost last."""
    sums: SSAValue | None
    """What is added to the start of each channel's sum; None where the starts hold it, or it is nothing."""

    def channel(self, k: Loops, point: Point) -> Value:
        """The number of a point's channel in the order of the packed constant."""
        return point.places.value(k, Linear(tuple(self.strides.items()), 0))

    def start(self, k: Loops, point: Point, start: SSAValue) -> SSAValue:
        """What the sum of a point starts from; `start` is what the nest says."""
        if self.sums is None:
            return start
        added = k.load(self.sums, [self.channel(k, point)], "sum")
        total = k.add(start, added, "acc", wraps=True)
        assert isinstance(total, SSAValue), "a sum of loaded values"
        return total


def pack(nest: NestOp, plan: DualPlan, loops: Sequence[Loop], constants: Constants) -> Packed:
    """Put packed constants in the place of those that the nest reads.

    Args:
        nest: the nest, whose operands change.
        plan: what its schedule says.
        loops: its loops over space, outermost first, jammed ones last.
        constants: of the module.

    Raises:
        ValueError: the factor to pack is not a constant that the nest alone uses.
    """
    access = nest.accesses("step_reads")[plan.packed.read]
    used = {position for index in access.indices for position in nest.form(index).positions()}
    dims = list(dict.fromkeys(loop.dim for loop in reversed(loops) if loop.dim in used))[::-1]
    uses = constants.uses(access.buffer)
    if uses is None or not access.buffer.has_one_use():
        raise ValueError("dual: the factor to pack is not a constant that belongs to this nest alone")
    extents = [nest.extents[d] for d in dims]
    block = next((loop.extent for loop in loops if loop.form == "jam" and loop.dim in used), 1)
    values = [lanes(nest, plan, dims, constants.numbers(use)) for use in uses]
    sums = None
    if plan.staged.zero_point:
        added = [folded(each, plan.staged.zero_point) for each in values]
        if not _add_to_bias(nest, dims, added, constants):
            sums = constants.add(access.buffer, uses, added, "sums")
    constants.replace(access.buffer, uses, [words(each, extents[-1] if dims else 1, block) for each in values])
    words_of = nest.accesses("step_reads")[plan.packed.read].buffer
    return Packed(words_of, dict(zip(dims, row_major(extents), strict=True)), sums)


def _add_to_bias(nest: NestOp, dims: Sequence[int], added: Sequence[Numbers], constants: Constants) -> bool:
    """Whether the sums start from constants that only this nest reads, which then hold what is added."""
    found = with_added(nest, dims, added, constants)
    if found is None or not nest.start_reads[0].has_one_use():
        return False
    constants.replace(nest.start_reads[0], *found)
    return True


def with_added(
    nest: NestOp, dims: Sequence[int], added: Sequence[Numbers], constants: Constants
) -> tuple[Sequence[Use], Sequence[Numbers]] | None:
    """What the only sum of a nest starts from, and that with something added to it.

    Args:
        nest: the nest.
        dims: space dimensions that number the channels, innermost last.
        added: for each place where the constants come from, a number for each channel.
        constants: of the module.

    Returns:
        None if the sums do not start from constants alone, one for each channel.
    """
    reads = nest.accesses("start_reads")
    if len(reads) != 1 or list(nest.accumulators) != list(nest.start.block.args):
        return None
    bias, uses = reads[0], constants.uses(reads[0].buffer)
    if uses is None or len(uses) != len(added):
        return None
    extents = [nest.extents[d] for d in dims]
    channels = dict(zip(dims, np.indices(extents).reshape(len(dims), -1), strict=True))
    if any(position not in channels for index in bias.indices for position in nest.form(index).positions()):
        return None
    places = tuple(np.broadcast_to(_at(nest, index, channels), added[0].shape).reshape(-1) for index in bias.indices)
    if len({*zip(*(place.tolist() for place in places), strict=True)}) != added[0].size:
        return None
    made: list[Numbers] = []
    for use, numbers in zip(uses, added, strict=True):
        biases = constants.numbers(use).astype(np.uint32)
        biases[places] += numbers.view(np.uint32)
        made.append(biases.view(np.int32))
    return uses, made


def lanes(nest: NestOp, plan: DualPlan, dims: Sequence[int], constant: Numbers) -> npt.NDArray[np.int64]:
    """What the constant contributes to the sums: [points of `dims`, lanes], zero where a pair has one point only."""
    indices = nest.accesses("step_reads")[plan.packed.read].indices
    values = constant.astype(np.int64)
    if not plan.packed.signed:
        values &= (1 << plan.packed.bits) - 1
    values -= plan.packed.zero_point
    extents = [nest.extents[d] for d in dims]
    space = list(itertools.product(*map(range, extents)))
    folds = plan.points()
    present = [point for point in folds if point is not None]
    first = len(nest.space.data)
    grid = {d: np.array([point[n] for point in space], np.int64)[:, None] for n, d in enumerate(dims)}
    grid |= {first + n: np.array([point[n] for point in present])[None, :] for n in range(len(nest.fold.data))}
    found = np.zeros((len(space), len(folds)), np.int64)
    kept = [n for n, point in enumerate(folds) if point is not None]
    found[:, kept] = values[tuple(_at(nest, index, grid) for index in indices)]
    return found


def _at(nest: NestOp, index: AffineExpr, grid: Mapping[int, npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    form = nest.form(index)
    total = np.array(form.constant, np.int64)
    for position, factor in form.terms:
        total = total + factor * grid[position]
    return total


def words(values: npt.NDArray[np.int64], inner: int, block: int) -> Numbers:
    """Lanes as words in the order of use: for each block of channels, for each pair of points, each channel.

    Args:
        values: [channels, lanes].
        inner: channels after which blocks start anew: the extent of the innermost dimension.
        block: channels that are computed side by side; what remains of `inner` is a smaller block.
    """
    pairs = values.astype(np.uint32) & 0xFFFF
    packed = (pairs[:, 0::2] | (pairs[:, 1::2] << 16)).astype(np.uint32).view(np.int32)
    blocks = [
        packed[outer + first : outer + min(first + block, inner)].T.reshape(-1)
        for outer in range(0, len(packed), inner)
        for first in range(0, inner, block)
    ]
    return np.concatenate(blocks) if blocks else np.zeros(0, np.int32)


def folded(values: npt.NDArray[np.int64], zero_point: int) -> Numbers:
    """What each channel's sum starts from, apart from its bias: `-zero_point` times its weights, wrapped to i32."""
    return (-zero_point * values.sum(axis=1)).astype(np.uint64).astype(np.uint32).view(np.int32)

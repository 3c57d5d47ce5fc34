"""Windows that one point reads, as operations take them: over channels that stay apart, and runs of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from ....dialects.simd.dots import Runs, SumWindowOp
from ....dialects.simd.lanes import LANES
from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.join import decided_dims, join_axis, run_of
from ....dialects.task.lanes import lane_axis
from ....dialects.task.products import products
from ....dialects.task.steps import Dual
from ....dialects.task.syntax import Access
from ..point import Point
from .blocks import Blocks

_MOST_POINTS = 31
"""Most points whose weights lie within reach of one pointer."""
_LEAST_RUN = 8
"""Bytes side by side from which on they are read where they lie."""


@dataclass(frozen=True)
class ChannelWindow:
    """The window of a nest, where nothing of it is clipped and zero points are in where sums start."""

    elements: Access
    weights: Access
    blocks: Blocks
    """Blocks in which the weights lie."""
    window: Mapping[str, Sequence[int]]
    """What `simd.sum_window` says of it."""
    zero_point: int

    @staticmethod
    def of(nest: NestOp, dim: int, arranged: Mapping[SSAValue, Blocks]) -> ChannelWindow | None:
        """Return the window of a nest whose points along `dim` are lanes; None if it sums something else."""
        factors = products(nest)
        if factors is None or any(factor.bits != 8 or not factor.signed for factor in factors):
            return None
        plan = dual_plan(nest, Dual(1, 1))
        elements, weights = (nest.accesses("step_reads")[each.read] for each in (plan.staged, plan.packed))
        blocks = arranged.get(weights.buffer)
        is_plain = join_axis(elements) is None and not plan.packed.zero_point
        if blocks is None or not is_plain or lane_axis(nest, elements, dim) != len(elements.indices) - 1:
            return None
        folds = nest.folds
        if not _are_in_order(nest, weights, blocks, folds) or prod(nest.extents[d] for d in folds) > _MOST_POINTS:
            return None
        found = _rows_and_columns(nest, elements, folds)
        reaches = [[step * (nest.extents[d] - 1) for step in nest.steps_along(elements, d)] for d in folds]
        if found is None or any(reach < 0 for along in reaches for reach in along):
            return None
        box = [1 + sum(along) for along in zip(*reaches, strict=True)]
        window = {"extents": found[0], "steps": found[1], "shape": (*box[:-1], LANES)}
        return ChannelWindow(elements, weights, blocks, window, plan.staged.zero_point)

    def emit(self, point: Point, start: SSAValue) -> SSAValue:
        """The sums at a point."""
        k, inner = point.k, point.at(dict.fromkeys(point.nest.folds, 0))
        elements = inner.operands(self.elements)
        first = k.index(self.blocks.place(k, inner.indices(self.weights.indices)))
        return k.emit(SumWindowOp(*elements, self.weights.buffer, first, start, **self.window), "sums")


def runs_of(nest: NestOp, access: Access) -> Runs | None:
    """The bytes of a point that an access reads, where nothing is clipped; None if they had better be copied first."""
    folds = nest.folds
    if not decided_dims(nest, access).isdisjoint(folds):
        return None
    outer = len(folds) - run_of(nest, access)
    count, found = prod(nest.extents[d] for d in folds[outer:]), _rows_and_columns(nest, access, folds[:outer])
    if found is None:
        return None
    extents, steps = found
    if min(steps) < 0 or (prod(extents) > 1 and count < _LEAST_RUN):
        return None
    return Runs(extents, steps, count)


def _rows_and_columns(
    nest: NestOp, access: Access, dims: Sequence[int]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The extents of those dimensions that have several points, and the steps in memory; None if more than two have."""
    wide = [(nest.extents[d], nest.stride(access, d)) for d in dims if nest.extents[d] > 1]
    if len(wide) > 2:
        return None
    (rows, row), (columns, column) = [(1, 0)] * (2 - len(wide)) + wide
    return (rows, columns), (row, column)


def _are_in_order(nest: NestOp, weights: Access, blocks: Blocks, folds: range) -> bool:
    """Whether the weights of a block lie in the order of the fold, without gaps."""
    found: list[int] = []
    for axis, (index, extent) in enumerate(zip(weights.indices, blocks.shape, strict=True)):
        form = nest.form(index)
        if axis == blocks.axis or (extent == 1 and not form.terms):
            continue
        if form.constant or len(form.terms) != 1 or form.terms[0][1] != 1 or nest.extents[form.terms[0][0]] != extent:
            return False
        found.append(form.terms[0][0])
    return [d for d in found if nest.extents[d] > 1] == [d for d in folds if nest.extents[d] > 1]

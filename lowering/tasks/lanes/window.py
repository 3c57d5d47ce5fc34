"""Windows over channels that stay apart, whose products with constants one operation adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....dialects.simd import LANES, SumWindowOp
from ....dialects.simd.lane_memory import Window
from ....dialects.strides import row_major
from ....dialects.task import JoinOp, NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.lanes import lane_axis
from ....dialects.task.products import products
from ....dialects.task.schedule import Dual
from ....dialects.task.syntax import Access
from ...builder import Loops
from ..point import Point
from .blocks import Blocks

_MOST_POINTS = 31
"""Most points whose weights lie within reach of one pointer."""


@dataclass(frozen=True)
class ChannelWindow:
    """The window of a nest, where nothing of it is clipped and zero points are in where sums start."""

    elements: Access
    weights: Access
    blocks: Blocks
    """Blocks in which the weights lie."""
    window: Window
    zero_point: int
    folds: range

    @staticmethod
    def of(nest: NestOp, dim: int, arranged: Mapping[SSAValue, Blocks]) -> ChannelWindow | None:
        """Return the window of a nest whose points along `dim` are lanes; None if it sums something else."""
        factors = products(nest)
        if factors is None or any(factor.bits != 8 or not factor.signed for factor in factors):
            return None
        plan = dual_plan(nest, Dual(1, 1))
        elements, weights = (nest.accesses("step_reads")[each.read] for each in (plan.staged, plan.packed))
        type, blocks = elements.buffer.type, arranged.get(weights.buffer)
        assert isinstance(type, MemRefType), "operands are memrefs"
        is_plain = not isinstance(elements.buffer.owner, JoinOp) and not plan.packed.zero_point
        if blocks is None or not is_plain or lane_axis(nest, elements, dim) != len(elements.indices) - 1:
            return None
        first = len(nest.space.data)
        folds = range(first, len(nest.extents))
        if not _are_in_order(nest, weights, blocks, folds) or prod(nest.extents[first:]) > _MOST_POINTS:
            return None
        wide = [d for d in folds if nest.extents[d] > 1]
        forms, strides = [nest.form(index) for index in elements.indices], row_major(type.get_shape())
        steps = [sum(f.coefficient(d) * s for f, s in zip(forms, strides, strict=True)) for d in wide]
        if len(wide) > 2 or any(form.coefficient(d) < 0 for form in forms for d in wide):
            return None
        box = [1 + sum(form.coefficient(d) * (nest.extents[d] - 1) for d in wide) for form in forms]
        rows, columns = [1] * (2 - len(wide)) + [nest.extents[d] for d in wide]
        row, column = [0] * (2 - len(wide)) + steps
        window = Window((rows, columns), (row, column), (*box[:-1], LANES))
        return ChannelWindow(elements, weights, blocks, window, plan.staged.zero_point, folds)

    def emit(self, k: Loops, point: Point, start: SSAValue) -> SSAValue:
        """The sums at a point."""
        inner = point.child()
        for dim in self.folds:
            inner.places.put(dim, 0)
        inner.advance()
        at = [k.index(i) for i in inner.places.indices(k, self.elements.indices)]
        first = k.index(self.blocks.place(k, inner.places.indices(k, self.weights.indices)))
        return k.emit(SumWindowOp(self.elements.buffer, at, self.window, self.weights.buffer, first, start), "sums")


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

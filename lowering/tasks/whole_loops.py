"""The loops of a nest whose schedule may have `whole`: code of its own for points where no fold point is clipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.task import NestOp
from ...dialects.task.dual import dual_plan
from ...dialects.task.loop import Loop
from ...dialects.task.schedule import Dual, Whole
from ...dialects.task.syntax import Access
from ..builder import Loops
from ..constants import Constants, with_added
from ..constants.products import INT32_MAX, largest_sum
from .dual.pack import channel_dims, folded, lanes_of_uses
from .nest_loops import NestLoops
from .once import decision
from .point import Point


class WholeLoops(NestLoops):
    """Emits one nest: where nothing is clipped the fold is written out, and zero points are in where it starts."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants, *, clips: bool = True):
        super().__init__(nest, k, clips=clips)
        self._splits = clips and Whole() in nest.steps
        """Whether there is code of its own for points where nothing is clipped."""
        self._is_whole = False
        """Whether it is known that nothing is clipped at the points whose code is emitted."""
        self._starts: SSAValue | None = None
        """From what sums start there, zero points taken off; None where it is what the nest says."""
        if self._splits:
            self._waiting = [decision(nest, k, self._whole, self._over_space)]
            self._starts = _starts(nest, constants)

    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        fold, step = self._fold, self._step_region
        self._is_whole = True
        self._fold = [replace(loop, form="unroll") for loop in fold]
        self._step_region = step.clone()
        if self._starts is not None:
            _remove_zero_point(self._step_region, self._nest)
        self._over_space(loops, point.whole())
        self._step_region.drop_all_references()
        self._is_whole, self._fold, self._step_region = False, fold, step

    def _start_at(self, point: Point) -> list[SSAValue]:
        if self._starts is None or not self._is_whole:
            return super()._start_at(point)
        (access,) = self._nest.accesses("start_reads")
        return [self._start_from(replace(access, buffer=self._starts), point)]

    def _start_from(self, access: Access, point: Point) -> SSAValue:
        return self._k.load(*point.element(access), "acc")


def _starts(nest: NestOp, constants: Constants) -> SSAValue | None:
    """From what the sums start where elements count with their zero point; None where that is not known, or the same.

    These constants stand beside those from which the sums start that are clipped.
    """
    try:
        plan = dual_plan(nest, Dual(1, 1))
    except ValueError:
        return None
    values, zero_point = lanes_of_uses(nest, plan, constants), plan.staged.zero_point
    if values is None or not zero_point:
        return None
    found = with_added(nest, channel_dims(nest, plan), [folded(each, zero_point) for each in values], constants)
    if found is None:
        return None
    element = max(abs(bound + zero_point) for bound in plan.staged.extremes)
    if any(largest_sum(*both, element) > INT32_MAX for both in zip(values, found[1], strict=True)):
        return None
    return constants.add(nest.start_reads[0], *found, "whole")


def _remove_zero_point(step: Region, nest: NestOp) -> None:
    """Let a copy of the step multiply elements with their zero point."""
    product = next(op for op in step.block.ops if isinstance(op, arith.MuliOp))
    element = step.block.args[dual_plan(nest, Dual(1, 1)).staged.read]
    for number, operand in enumerate(product.operands):
        moved = operand.owner
        if not isinstance(moved, arith.SubiOp | arith.AddiOp):
            continue
        wide = moved.lhs.owner
        if isinstance(wide, arith.ExtSIOp | arith.ExtUIOp) and wide.input is element:
            product.operands[number] = wide.result
            if moved.result.first_use is None:
                Rewriter.erase_op(moved)

"""The loops of a nest whose schedule may have `whole`: code of its own for points where no fold point is clipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ...dialects.task import NestOp
from ...dialects.task.dual import dual_plan
from ...dialects.task.loop import Loop
from ...dialects.task.steps import Dual, Whole
from ...dialects.task.syntax import Access
from ..builder import Loops
from ..constants import Constants, starts_of_elements
from .nest_loops import NestLoops
from .point import Point
from .steps.fold_zero_point import remove_zero_point


class WholeLoops(NestLoops):
    """Emits one nest: where nothing is clipped the fold is written out, and zero points are in where it starts."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._splits = self._clips and Whole() in nest.steps
        """Whether there is code of its own for points where nothing is clipped."""
        self._is_whole = False
        """Whether it is known that nothing is clipped at the points whose code is emitted."""
        self._starts: SSAValue | None = None
        """From what sums start there, zero points taken off; None where it is what the nest says."""
        if self._splits:
            self._waiting = [self._decision(self._whole, self._over_space)]
            self._starts = _starts(nest, constants)

    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        fold, step = self._fold, self._step_region
        self._is_whole = True
        self._fold = [replace(loop, form="unroll") for loop in fold]
        self._step_region = step.clone()
        if self._starts is not None:
            remove_zero_point(self._step_region, dual_plan(self._nest, Dual(1, 1)).staged.read)
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
        found = starts_of_elements(nest, plan.staged, plan.packed, constants) if plan.staged.zero_point else None
    except ValueError:
        return None
    return found and constants.add(nest.start_reads[0], *found, "whole")

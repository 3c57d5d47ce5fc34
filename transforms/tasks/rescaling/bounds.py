"""Bounds of what the regions of a nest compute: from element types, constants and the number of fold points."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.fx import RescaleOp
from ....dialects.task import NestOp
from ....dialects.task.clipping import most_points
from ....lowering.constants import Constants
from ....lowering.emit_c.index_bounds import Bounds, Interval, everything


class NestBounds(Bounds):
    """Answers for the values of one nest that does not change meanwhile."""

    def __init__(self, nest: NestOp, constants: Constants):
        super().__init__()
        self._nest = nest
        self._constants = constants
        self._groups = {nest.step: "step_reads", nest.finish: "finish_reads", nest.start: "start_reads"}

    def _result(self, value: SSAValue, op: Operation) -> Interval | None:
        # Multiplied by less than one and not shifted left a value does not grow, however often it is rounded.
        if isinstance(op, RescaleOp) and op.right_only is not None:
            least, most = self.of(op.value)
            return Interval(min(least, 0), max(most, 0))
        if isinstance(op, arith.TruncIOp):
            whole = self.of(op.input)
            return whole if whole.within(everything(value.type)) else None
        return super()._result(value, op)

    def _argument(self, value: SSAValue, block: Block) -> Interval | None:
        group = None if (region := block.parent) is None else self._groups.get(region)
        if group is None:
            return super()._argument(value, block)
        reads, number = self._nest.accesses(group), block.args.index(value)
        if number >= len(reads):
            return self._sum(number - len(reads)) if group == "finish_reads" else None
        return self._constant(reads[number].buffer) if value.type == i32 else None

    def _constant(self, buffer: SSAValue) -> Interval | None:
        uses = self._constants.uses(buffer)
        if uses is None:
            return None
        found = [self._constants.values(use) for use in uses]
        return Interval(min(int(each.min()) for each in found), max(int(each.max()) for each in found))

    def _sum(self, number: int) -> Interval | None:
        """An accumulator after the fold, some of whose points may be clipped, where each point adds something to it."""
        nest = self._nest
        argument = nest.step.block.args[len(nest.step_reads) + number]
        total = nest.terminator(nest.step).values[number].owner
        if not isinstance(total, arith.AddiOp) or argument not in total.operands:
            return None
        added = total.rhs if total.lhs is argument else total.lhs
        if added is argument:
            return None
        points = most_points(nest)
        start, (least, most) = self.of(nest.accumulators[number]), self.of(added)
        found = Interval(start.least + min(0, points * least), start.most + max(0, points * most))
        return found if found.within(everything(argument.type)) else None

"""A lowered module in which some functions are tasks again, as they were before they had schedules.

Where another choice concerns a few functions, the others are not lowered twice.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...transforms.tasks.calls import Calls, constant_ops
from ...transforms.usmp.analysis.structure import functions


def with_tasks(lowered: ModuleOp, unscheduled: ModuleOp, names: Collection[str]) -> ModuleOp | None:
    """A copy of a lowered module in which some functions are what they were before schedules.

    Args:
        lowered: the module at level `memref`.
        unscheduled: the module at level `tasks` that became it.
        names: those of the functions.

    Returns:
        None where one of them shares a constant with other functions, for then both must be lowered together.
    """
    before = Calls.of(unscheduled)
    if any(before.shares(name) for name in names):
        return None
    made = lowered.clone()
    after, given = Calls.of(made), functions(unscheduled)
    for name in names:
        old = after.functions[name]
        Rewriter.insert_op(given[name].clone(), InsertPoint.before(old))
        restored, dropped = before.constants_of[name], after.constants_of[name]
        for constant in before.globals_of(restored - dropped):
            Rewriter.insert_op(constant.clone(), _place(after, before, constant.sym_name.data, old))
        mapping: dict[SSAValue, SSAValue] = {}
        for call, was in zip(after.calls[name], before.calls[name], strict=True):
            _restore(call, was, mapping)
        Rewriter.erase_op(old)
        after.drop(dropped - restored)
    return made


def _place(after: Calls, before: Calls, name: str, last: Operation) -> InsertPoint:
    """Where a constant stood: the C has constants in the module's order, in which others have taken the places of some.

    Args:
        after: the module in which it is missing.
        before: the one in which it is.
        name: its name.
        last: what comes after all constants.
    """
    order = {given: number for number, given in enumerate(before.globals)}

    def origin(made: str) -> int:
        """The number of the constant that another was made of, whose name begins with that of the first."""
        while made not in order and "_" in made:
            made = made.rpartition("_")[0]
        return order.get(made, len(order))

    later = (op for made, op in after.globals.items() if origin(made) > order[name])
    return InsertPoint.before(next(later, last))


def _restore(call: func.CallOp, was: func.CallOp, mapping: dict[SSAValue, SSAValue]) -> None:
    """Pass a call the constants that the same call was passed before schedules, and its buffers.

    `mapping` has what was read for calls before. Reads keep their place, for operations are what lives are counted in.
    """
    old = [op for value in call.arguments for op in reversed(constant_ops(value))]
    buffers = iter([value for value in call.arguments if not constant_ops(value)])
    operands = list[SSAValue]()
    for value in was.arguments:
        for op in reversed(constant_ops(value)):
            if op.results[0] not in mapping:
                Rewriter.insert_op(op.clone(mapping), InsertPoint.before(old[0] if old else call))
        operands.append(mapping[value] if value in mapping else next(buffers))
    call.operands = operands
    for op in reversed(old):
        if op.parent is not None and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)

"""Passing values into, round and out of the regions of `scf`, in variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from .lowering import Lowering


def enter(op: Operation, initial: Sequence[SSAValue], arguments: Sequence[SSAValue], at: Lowering) -> list[SSAValue]:
    """Variables that hold `initial` as the loop `op` begins, to arrive as `arguments` in each round."""
    variables = at.variables
    carried: list[SSAValue] = []
    values = [at.value(value) for value in initial]
    results = op.results if isinstance(op, scf.ForOp) else arguments
    for value, argument, result in zip(values, arguments, results, strict=True):
        type = at.type(argument)
        candidates = (variables.holder(value), _destination(result, at))
        variable = variables.choose(op, type, candidates, carried, inside=True)
        if variable is None:
            variable = variables.declare(type, value, argument.name_hint or result.name_hint)
        else:
            variables.assign(variable, value)
        carried.append(variable)
    return carried


def leave(op: Operation, yields: Sequence[Block], at: Lowering) -> list[SSAValue]:
    """Variables for the results of a branch; without copies where a branch yields what a variable holds already."""
    variables = at.variables
    chosen: list[SSAValue] = []
    for index, result in enumerate(op.results):
        type = at.type(result)
        yielded = [_operand(block, index) for block in yields]
        candidates = [*(at.holder(value) for value in yielded), _destination(result, at)]
        variable = variables.choose(op, type, candidates, chosen, inside=False)
        names = [result.name_hint, *(value.name_hint for value in yielded)]
        chosen.append(variable or variables.declare(type, None, next(filter(None, names), None)))
    return chosen


def pass_on(variables: Sequence[SSAValue], values: Iterable[SSAValue], at: Lowering) -> None:
    """Assign the values to the variables, as if all at once."""
    for variable, value in list(zip(variables, [at.value(value) for value in values], strict=True)):
        at.variables.assign(variable, value)


def arrive(variables: Sequence[SSAValue], values: Iterable[SSAValue], at: Lowering) -> None:
    """Load the variables where the SSA values `values` begin."""
    for variable, value in zip(variables, values, strict=True):
        at.define(value, at.variables.load(variable, value))


def _destination(result: SSAValue, at: Lowering) -> SSAValue | None:
    """The variable that the result is passed on in by the end of its block, if that is all that it is used for."""
    use = result.get_unique_use()
    if use is None or not isinstance(use.operation, scf.YieldOp):
        return None
    block = use.operation.parent
    assert block is not None, "a terminator stands in a block"
    destinations = at.variables.destinations.get(block)
    return None if destinations is None else destinations[use.index]


def _operand(block: Block, index: int) -> SSAValue:
    terminator = block.last_op
    assert isinstance(terminator, scf.YieldOp), "a branch of scf ends in scf.yield"
    return terminator.arguments[index]

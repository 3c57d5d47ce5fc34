"""When variables are read and written, and which reads and writes need no copy.

Converters read all variables first and assign them last, so that all that they hold would be in the workspace at once.
A variable is read right before what was read is needed, and written as soon as nothing needs what it held. Operators
that compute use it where it lies, as long as nothing else writes it. Those that only move elements do not: what they
move becomes a view, and one copy of bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.external import OperatorOp
from ...dialects.nn import AssignVariableOp, ConstantOp, CustomOp, ReadVariableOp, VariableOp
from ...dialects.nn.attributes import VariableType
from ...dialects.nn.interfaces import View
from ...dialects.nn.movement import Movement
from ...dialects.operations import operations
from .registry import has_lowering


def late_reads_early_writes(operations: Iterable[Operation]) -> list[Operation]:
    """The operations of a block with reads and assignments of variables where they leave the least to be kept."""
    order = list(operations)
    for read in [op for op in order if isinstance(op, ReadVariableOp)]:
        at = order.index(read)
        first = next((n for n, op in enumerate(order) if n > at and _uses(op, read.output)), at)
        if first > at and not any(_writes(op, _name_of(read.variable)) for op in order[at:first]):
            order.insert(first - 1, order.pop(at))
    for assign in [op for op in order if isinstance(op, AssignVariableOp)]:
        at, name = order.index(assign), _name_of(assign.variable)
        begin = at
        while begin and not _holds_back(order[begin - 1], assign, name):
            begin -= 1
        order.insert(begin, order.pop(at))
    return order


def is_read_in_place(read: ReadVariableOp, order: Sequence[Operation]) -> bool:
    """Whether operators may take what was read from the variable itself: it keeps it until the last of them ran."""
    name, users = _name_of(read.variable), list(_users(read.output))
    if read not in order or name is None or not all(user in order and _computes(user) for user in users):
        return False
    last = max(map(order.index, users), default=0)
    return not any(_writes(op, name) for op in order[order.index(read) + 1 : last + 1])


def written_in_place(order: Sequence[Operation]) -> Iterator[tuple[OpResult, VariableOp]]:
    """The tensors that operators may write to a variable at once, and the variables.

    The variable is written once, and neither the operator nor what comes between it and the assignment reads it.
    """
    for at, assign in enumerate(order):
        if not isinstance(assign, AssignVariableOp) or not isinstance(variable := assign.variable.owner, VariableOp):
            continue
        made, name = _root_of(assign.value), variable.variable.data
        if not isinstance(made, OpResult) or made.op not in order or not _computes(made.op):
            continue
        if not all(_computes(user) or isinstance(user, AssignVariableOp) for user in _users(made)):
            continue
        if sum(_writes(op, name) for op in order) == 1 and not any(
            _minds(op, name) for op in order[order.index(made.op) : at]
        ):
            yield made, variable


def _holds_back(op: Operation, assign: AssignVariableOp, name: str | None) -> bool:
    """Whether an assignment cannot come before an operation."""
    return _defines(op, assign.value) or op is assign.variable.owner or _minds(op, name)


def _computes(op: Operation) -> bool:
    """Whether an operation becomes a call of a function of ours, which works on any memory, and more than moves."""
    is_ours = has_lowering(op) and not isinstance(op, (OperatorOp, CustomOp, ConstantOp, View))
    return is_ours and not isinstance(op, Movement) and not op.regions


def _minds(op: Operation, name: str | None) -> bool:
    """Whether an operation reads or writes a variable, or takes what may have been read from it."""
    reads = (
        value
        for inner in op.walk()
        for operand in inner.operands
        if isinstance((value := _root_of(operand)).owner, ReadVariableOp)
    )
    return any(
        isinstance(operand.type, VariableType) and _is_same(operand, name)
        for inner in op.walk()
        for operand in inner.operands
    ) or any(_is_same(value.owner.operands[0], name) for value in reads if isinstance(value.owner, Operation))


def _writes(op: Operation, name: str | None) -> bool:
    """Whether an operation, or one inside of it, may write a variable."""
    return any(
        isinstance(operand.type, VariableType) and _is_same(operand, name)
        for inner in op.walk()
        if not isinstance(inner, ReadVariableOp)
        for operand in inner.operands
    )


def _is_same(variable: SSAValue, name: str | None) -> bool:
    """Whether a variable may be the one of a name; some are only known at run time."""
    own = _name_of(variable)
    return own is None or name is None or own == name


def _name_of(variable: SSAValue) -> str | None:
    return variable.owner.variable.data if isinstance(variable.owner, VariableOp) else None


def _defines(op: Operation, value: SSAValue) -> bool:
    """Whether an operation makes a tensor, or a view that it is seen through."""
    while value.owner is not op and isinstance(value.owner, View):
        value = value.owner.operands[0]
    return value.owner is op


def _root_of(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, View):
        value = value.owner.operands[0]
    return value


def _uses(op: Operation, value: SSAValue) -> bool:
    """Whether an operation, or one inside of it, takes a tensor or is a view of it."""
    return any(operand is value for inner in operations(op) for operand in inner.operands)


def _users(value: SSAValue) -> Iterator[Operation]:
    """Return the operations that take a tensor, through any number of views."""
    for use in value.uses:
        if isinstance(use.operation, View):
            for result in use.operation.results:
                yield from _users(result)
        else:
            yield use.operation

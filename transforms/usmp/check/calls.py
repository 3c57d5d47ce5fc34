"""Who calls whom in a module."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import all_of, operations


def calls_by_name(module: ModuleOp) -> dict[str, list[func.CallOp]]:
    """The calls of each function, in the order of the text."""
    found: dict[str, list[func.CallOp]] = {}
    for op in operations(module):
        if isinstance(op, func.CallOp):
            found.setdefault(op.callee.string_value(), []).append(op)
    return found


def refuse_recursion(module: ModuleOp) -> None:
    """Look for a function that calls itself, whose run has no end that could be followed.

    Raises:
        PassFailedException: there is one.
    """
    graph: dict[str, set[str]] = {}
    for op in module.ops:
        if isinstance(op, func.FuncOp):
            callees = {call.callee.string_value() for call in all_of(op, func.CallOp)}
            graph[op.sym_name.data] = callees
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        # Each name of the cycle is called by the one after it.
        names: list[str] = cycle.args[1][::-1]
        raise PassFailedException(f"@{names[0]} calls itself: {' -> '.join(names)}") from None

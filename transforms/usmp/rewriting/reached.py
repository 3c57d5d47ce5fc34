"""Functions that no run reaches."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ..analysis.structure import allocs_in, entries, functions


def erase_unreached(module: ModuleOp) -> None:
    """Remove private functions that hold buffers and that nobody calls: nothing says when these would be live.

    A module without an entry function, such as a library of operators, stays as it is.
    """
    table = functions(module)
    calls = {name: _called(function) for name, function in table.items()}
    roots = [entry.sym_name.data for entry in entries(module)]
    if not roots:
        return
    live = _closure(calls, set(roots))
    for name, function in table.items():
        holds = any(any(allocs_in(table[other])) for other in _closure(calls, {name}) if other in table)
        if name not in live and not function.is_declaration and holds:
            function.detach()
            function.erase()


def _called(function: func.FuncOp) -> set[str]:
    return {op.callee.string_value() for op in all_of(function, func.CallOp)}


def _closure(calls: dict[str, set[str]], reached: set[str]) -> set[str]:
    """Functions that are called from these, themselves included."""
    waiting = list(reached)
    while waiting:
        more = calls.get(waiting.pop(), set()) - reached
        reached |= more
        waiting += more
    return reached

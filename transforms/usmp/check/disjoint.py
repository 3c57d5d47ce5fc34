"""Entry functions that may run at the same time: no byte that one writes belongs to another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import operations
from .places import Place


def check_disjoint(module: ModuleOp, entries: Sequence[func.FuncOp], placed: dict[Operation, Place]) -> None:
    """Compare the buffers of every two entry functions, those of the functions that they call included.

    Raises:
        PassFailedException: two of them share a byte, or one buffer.
    """
    table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    owned = {entry.sym_name.data: _owned(entry, table, placed) for entry in entries}
    for a, b in combinations(owned, 2):
        for one in owned[a].values():
            for other in owned[b].values():
                if one.overlaps(other):
                    raise PassFailedException(
                        f"@{a} and @{b} run concurrently, but their buffers '{one.name}' and '{other.name}' share "
                        f"byte {max(one.first, other.first)} of pool @{one.pool}"
                    )


def _owned(entry: func.FuncOp, table: dict[str, func.FuncOp], placed: dict[Operation, Place]) -> dict[Operation, Place]:
    reached, waiting = {entry.sym_name.data}, [entry]
    owned: dict[Operation, Place] = {}
    while waiting:
        for op in operations(waiting.pop()):
            if op in placed:
                owned[op] = placed[op]
            if isinstance(op, func.CallOp) and (name := op.callee.string_value()) in table and name not in reached:
                reached.add(name)
                waiting.append(table[name])
    return owned

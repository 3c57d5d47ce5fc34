"""Renaming what a module's symbols are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr

from ...targets.identifiers import UniqueNames


def rename(module: ModuleOp, names: Mapping[str, str]) -> None:
    """Call functions and constants by the names that `names` has for theirs."""
    for op in module.walk():
        match op:
            case func.FuncOp() | memref.GlobalOp():
                op.properties["sym_name"] = StringAttr(names.get(op.sym_name.data, op.sym_name.data))
            case func.CallOp():
                called = op.callee.string_value()
                op.properties["callee"] = SymbolRefAttr(names.get(called, called))
            case memref.GetGlobalOp():
                read = op.name_.string_value()
                op.properties["name"] = SymbolRefAttr(names.get(read, read))
            case _:
                pass


def make_way(module: ModuleOp, pools: Iterable[str]) -> None:
    """Rename functions and constants that are called as pools are: all are symbols of one table.

    The model's own names stay, in attributes and in the C interface. Functions that are defined elsewhere keep their
    names too, as the linker wants it.
    """
    wanted = set(pools)
    symbols = [op for op in module.ops if isinstance(op, func.FuncOp | memref.GlobalOp)]
    unique = UniqueNames([*wanted, *(op.sym_name.data for op in symbols)])
    in_the_way = [
        op.sym_name.data
        for op in symbols
        if op.sym_name.data in wanted and not (isinstance(op, func.FuncOp) and op.is_declaration)
    ]
    if in_the_way:
        rename(module, {name: unique.numbered(name) for name in in_the_way})

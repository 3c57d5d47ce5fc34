"""Verification of a module with all its symbols looked up once, as MLIR's `SymbolTableCollection` does.

xDSL 0.74 goes through all symbols of a module for each call: time grows as their product.
"""

from __future__ import annotations

from contextvars import ContextVar

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

from .verifying import verified_once

_TABLES: ContextVar[dict[Operation, dict[str, Operation]] | None] = ContextVar("_TABLES", default=None)
"""Symbols of the operations that have any, while a module is verified."""

_walked = SymbolTable.lookup_symbol


def verify(module: ModuleOp) -> None:
    """Verify a module.

    Raises:
        VerifyException: an operation is wrong.
    """
    before = _TABLES.set({})
    try:
        with verified_once():
            module.verify()
    finally:
        _TABLES.reset(before)


def _lookup_symbol(op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
    tables = _TABLES.get()
    text = name.data if isinstance(name, StringAttr) else name
    if tables is not None and isinstance(text, SymbolRefAttr) and not text.nested_references.data:
        text = text.root_reference.data
    if tables is None or not isinstance(text, str):
        return _walked(op, name)
    anchor: Operation | None = op
    while anchor is not None and not anchor.has_trait(SymbolTable):
        anchor = anchor.parent_op()
    if anchor is None:
        return _walked(op, name)
    if anchor not in tables:
        tables[anchor] = _symbols(anchor)
    return tables[anchor].get(text)


def _symbols(anchor: Operation) -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for op in anchor.regions[0].block.ops:
        interface = op.get_trait(SymbolOpInterface)
        name = None if interface is None else interface.get_sym_attr_name(op)
        if name is not None:
            found.setdefault(name.data, op)
    return found


SymbolTable.lookup_symbol = staticmethod(_lookup_symbol)

"""Calls of functions that the application defines, by the names that entry functions have in an attribute."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Operation

from ....dialects.key import Key
from ..analysis.structure import entries, functions


def take_names(module: ModuleOp, key: Key[str]) -> Iterator[tuple[func.FuncOp, str]]:
    """The entry functions that name one, and the name; it is declared, and the attribute goes."""
    for entry in entries(module):
        name = key.get(entry.attributes)
        if name is None:
            continue
        key.remove(entry.attributes)
        if name not in functions(module):
            module.body.block.add_op(func.FuncOp.external(name, [i32], []))
        yield entry, name


def call_after(operation: Operation, function: str, number: int, mark: Key[bool]) -> None:
    """Call such a function with a number when an operation has run; the call has the attribute `mark`."""
    block = operation.parent
    assert block is not None, "it stands in the entry function"
    constant = arith.ConstantOp(IntegerAttr(number, i32))
    call = func.CallOp(function, [constant.result], [])
    mark.put(call.attributes, True)
    block.insert_ops_after([constant, call], operation)

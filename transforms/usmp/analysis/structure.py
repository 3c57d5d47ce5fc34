"""Questions of the USMP passes to a module: functions, entry functions, buffers, sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects import nn_keys
from ....dialects.external import LaunchOp
from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ....dialects.pool.declare import DeclareOp
from ....dialects.pool.extent import buffer_bytes, element_bytes


def functions(module: ModuleOp) -> dict[str, func.FuncOp]:
    """All functions by name."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}


def is_entry(function: func.FuncOp) -> bool:
    """Whether the application calls the function: it is public and has a body."""
    visibility = function.sym_visibility
    return not function.is_declaration and (visibility is None or visibility.data != "private")


def entries(module: ModuleOp) -> list[func.FuncOp]:
    """The functions that the application calls."""
    return [function for function in functions(module).values() if is_entry(function)]


def pools(module: ModuleOp) -> dict[str, DeclareOp]:
    """Declared pools by name, in order."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, DeclareOp)}


def free_symbol(module: ModuleOp, stem: str) -> str:
    """A name that no operation of the module has."""
    taken = {name.data for op in module.ops if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)}
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    return name


def allocs(module: ModuleOp) -> Iterator[memref.AllocOp]:
    """All buffers that are to lie in workspace pools, in program order."""
    return iter(all_of(module, memref.AllocOp))


def allocs_in(function: func.FuncOp) -> Iterator[memref.AllocOp]:
    """The buffers that a function itself makes, in program order."""
    return iter(all_of(function, memref.AllocOp))


def constants(module: ModuleOp) -> Iterator[memref.GlobalOp]:
    """All constants with values, in program order."""
    return (
        op
        for op in module.ops
        if isinstance(op, memref.GlobalOp)
        and op.constant is not None
        and isinstance(op.initial_value, DenseIntOrFPElementsAttr)
    )


@dataclass(frozen=True)
class Placed:
    """A buffer or constant that has a place."""

    op: memref.AllocOp | memref.GlobalOp
    type: MemRefType
    pool: str
    offset: int
    """Where it begins there, bytes."""


def placed(module: ModuleOp) -> Iterator[Placed]:
    """Buffers and constants that have a place, in program order."""
    for op in operations(module):
        if isinstance(op, memref.AllocOp | memref.GlobalOp):
            type = op.type if isinstance(op, memref.GlobalOp) else op.memref.type
            pool, offset = keys.ASSIGNED.get(op.attributes), keys.OFFSET.get(op.attributes)
            if pool is not None and offset is not None:
                assert isinstance(type, MemRefType), "buffers are memrefs"
                yield Placed(op, type, pool, offset)


def is_operator(op: Operation) -> bool:
    """Whether it calls or launches an operator: no call that tells the application of something or finds mistakes."""
    told = (keys.POISON, keys.CALLBACK, keys.HOOK)
    return isinstance(op, func.CallOp | LaunchOp) and not any(key.within(op.attributes) for key in told)


def size_of(type: MemRefType) -> int:
    """Bytes of a statically shaped memref, gaps between rows included.

    Raises:
        PassFailedException: the shape is dynamic, the layout is not strided, or the elements have no fixed size.
    """
    return buffer_bytes(type)


def element_size(type: MemRefType) -> int:
    """Bytes of one element."""
    return element_bytes(type)


def buffer_name(buffer: memref.AllocOp | memref.GlobalOp) -> str:
    """The name users know the buffer by."""
    if (given := keys.NAME.get(buffer.attributes)) is not None:
        return given
    if (name := nn_keys.NAME.get(buffer.attributes)) is not None:
        return name
    return buffer.sym_name.data if isinstance(buffer, memref.GlobalOp) else buffer.memref.name_hint or "buffer"


def taken_by(buffer: memref.AllocOp | memref.GlobalOp, type: MemRefType) -> int:
    """Bytes that nobody else may have: the buffer's, or all of the cache lines that it owns."""
    line = keys.LINE.get(buffer.attributes) or 1
    return -(-size_of(type) // line) * line


def alignment_of(buffer: memref.AllocOp | memref.GlobalOp, type: MemRefType) -> int:
    """Alignment in bytes: what it asks for, at least that of its elements."""
    return max(element_size(type), 1 if buffer.alignment is None else buffer.alignment.value.data)


def module_of(op: Operation) -> ModuleOp:
    """The module that an operation stands in."""
    module = op.get_toplevel_object()
    assert isinstance(module, ModuleOp), "passes run on modules"
    return module


def callee(module_functions: dict[str, func.FuncOp], call: func.CallOp) -> func.FuncOp:
    """The function that a call runs.

    Raises:
        PassFailedException: it is not defined in the module.
    """
    name = call.callee.string_value()
    if name not in module_functions:
        raise PassFailedException(f"call of @{name}, which is not defined in the module")
    return module_functions[name]

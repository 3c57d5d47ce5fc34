"""What the USMP passes ask of a module: functions, entry functions, buffers, views, sizes."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.declare import DeclareOp

VIEWS = (
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
    memref.ViewOp,
)
"""Operations whose result names bytes of their first operand."""


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


def allocs(module: ModuleOp) -> Iterator[memref.AllocOp]:
    """All buffers that are to lie in workspace pools, in program order."""
    return (op for op in module.walk() if isinstance(op, memref.AllocOp))


def allocs_in(function: func.FuncOp) -> Iterator[memref.AllocOp]:
    """The buffers that a function itself makes, in program order."""
    return (op for op in function.walk() if isinstance(op, memref.AllocOp))


def constants(module: ModuleOp) -> Iterator[memref.GlobalOp]:
    """All constants with values, in program order."""
    return (
        op
        for op in module.ops
        if isinstance(op, memref.GlobalOp)
        and op.constant is not None
        and isinstance(op.initial_value, DenseIntOrFPElementsAttr)
    )


def size_of(type: MemRefType) -> int:
    """Bytes of a statically shaped memref.

    Raises:
        PassFailedException: the shape is dynamic, or the elements have no fixed size.
    """
    element, count = type.element_type, 1
    for extent in type.get_shape():
        if extent == DYNAMIC_INDEX:
            raise PassFailedException(f"buffer of type {type} has a dynamic shape and cannot be planned")
        count *= extent
    if not isinstance(element, FixedBitwidthType):
        raise PassFailedException(f"elements of {type} have no fixed size")
    return count * element.size


def element_size(type: MemRefType) -> int:
    """Bytes of one element."""
    element = type.element_type
    assert isinstance(element, FixedBitwidthType), "checked when the buffer's size was computed"
    return element.size


def buffer_name(buffer: memref.AllocOp | memref.GlobalOp) -> str:
    """The name users know the buffer by."""
    for key in ("pool.name", "nn.name"):
        if isinstance(name := buffer.attributes.get(key), StringAttr):
            return name.data
    return buffer.sym_name.data if isinstance(buffer, memref.GlobalOp) else buffer.memref.name_hint or "buffer"


def alignment_of(buffer: memref.AllocOp | memref.GlobalOp, type: MemRefType) -> int:
    """Alignment in bytes: what it asks for, at least that of its elements."""
    return max(element_size(type), 1 if buffer.alignment is None else buffer.alignment.value.data)


def storage(value: SSAValue) -> SSAValue:
    """The value whose bytes a view names."""
    while isinstance(owner := value.owner, VIEWS):
        value = owner.operands[0]
    return value


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


def integer(op: Operation, attribute: str) -> int | None:
    """An integer attribute's value, None if it is absent."""
    value = op.attributes.get(attribute)
    return value.value.data if isinstance(value, IntegerAttr) else None


def symbol(op: Operation, attribute: str) -> str | None:
    """A symbol attribute's name, None if it is absent."""
    value = op.attributes.get(attribute)
    return value.string_value() if isinstance(value, SymbolRefAttr) else None

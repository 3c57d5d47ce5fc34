"""Facts about a module that the lowering of its functions needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.emitc import EmitC_ArrayType
from xdsl.ir import TypeAttribute

from .constness import Writes
from .types import c_type, pointer


@dataclass(frozen=True)
class Symbols:
    """Symbols of a module, under their names before the lowering."""

    writes: Writes
    names: dict[str, str]
    """C identifier of each function and global."""
    arrays: dict[str, EmitC_ArrayType]
    """Type in C of each global."""
    constants: frozenset[str]
    """Globals that are read-only."""
    parameters: dict[str, list[TypeAttribute]]
    """Types in C of each function's parameters."""


def parameter_types(functions: Iterable[func.FuncOp], writes: Writes) -> dict[str, list[TypeAttribute]]:
    """Types in C of the parameters of each function; declared functions may write through all pointers."""
    types: dict[str, list[TypeAttribute]] = {}
    for function in functions:
        written = [writes.is_written(argument) for argument in function.args] if function.body.blocks else None
        types[function.sym_name.data] = [
            pointer(c_type(type.element_type), const=written is not None and not written[index])
            if isinstance(type, MemRefType)
            else c_type(type)
            for index, type in enumerate(function.function_type.inputs)
        ]
    return types

"""Parts of constants, for operators that take their operand row by row: of weights those of the row."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...targets.identifiers import UniqueNames
from .numbers import constants_of


def can_be_sliced(constants: Mapping[str, memref.GlobalOp], value: SSAValue) -> bool:
    """Whether a value is a constant whose elements are known; `constants` are those of the module."""
    return _constant(constants, value) is not None


def _constant(
    constants: Mapping[str, memref.GlobalOp], value: SSAValue
) -> tuple[memref.GlobalOp, DenseIntOrFPElementsAttr] | None:
    get = value.owner
    found = constants.get(get.name_.string_value()) if isinstance(get, memref.GetGlobalOp) else None
    if found is None:
        return None
    data = found.initial_value
    return (found, data) if isinstance(data, DenseIntOrFPElementsAttr) else None


class Slices:
    """Makes each part once."""

    def __init__(self, module: ModuleOp):
        self._module, self._constants = module, constants_of(module)
        self._made: dict[tuple[str, int, int], str] = {}

    def part(self, builder: Builder, value: SSAValue, type: MemRefType, along: int, number: int) -> SSAValue:
        """Return the part of a constant of this type along a dimension that has `number` such parts before it."""
        found = _constant(self._constants, value)
        assert found is not None, "asked before"
        constant, data = found
        key = constant.sym_name.data, along, number
        if key not in self._made:
            self._made[key] = self._made_global(constant, data, type, along, number)
        get = memref.GetGlobalOp(self._made[key], type)
        get.memref.name_hint = value.name_hint
        return builder.insert(get).memref

    def _made_global(
        self, constant: memref.GlobalOp, data: DenseIntOrFPElementsAttr, type: MemRefType, along: int, number: int
    ) -> str:
        shape, extent = data.get_shape(), type.get_shape()[along]
        content = data.data.data
        width = len(content) if data.is_splat() else len(content) // int(np.prod(shape))
        elements = np.frombuffer(content, f"V{width}")
        whole = np.broadcast_to(elements, shape) if elements.size == 1 else elements.reshape(shape)
        part = np.take(whole, range(number * extent, (number + 1) * extent), along)
        tensor = TensorType(data.get_element_type(), part.shape)
        taken = (n.data for op in self._module.ops if isinstance(n := op.properties.get("sym_name"), StringAttr))
        name = UniqueNames(taken).fresh(f"{constant.sym_name.data}_{number}")
        value = DenseIntOrFPElementsAttr(tensor, BytesAttr(part.tobytes()))
        made = memref.GlobalOp.get(StringAttr(name), type, value, StringAttr("private"), UnitAttr())
        made.attributes |= constant.attributes
        if (given := nn_keys.NAME.get(constant.attributes)) is not None:
            nn_keys.NAME.put(made.attributes, f"{given}[{number}]")
        Rewriter.insert_op(made, InsertPoint.before(constant))
        return name

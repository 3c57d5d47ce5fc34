"""Index arithmetic on known numbers and constant tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

Tables: TypeAlias = Mapping[int, npt.NDArray[np.signedinteger]]
"""The integers of constants, by the number of the argument that they are passed for."""

_OPERATIONS: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
}
_MOST = 1 << 30
"""Beyond it indices would wrap in C."""


def constants_of(module: ModuleOp) -> dict[str, memref.GlobalOp]:
    """The constants of a module by name: xDSL looks each up in all symbols of the module."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None}


def tables_of(constants: Mapping[str, memref.GlobalOp], call: func.CallOp) -> dict[int, npt.NDArray[np.signedinteger]]:
    """The constants of signed integers that a call passes; `constants` are those of the module."""
    found: dict[int, npt.NDArray[np.signedinteger]] = {}
    for number, operand in enumerate(call.operands):
        if not isinstance(operand.owner, memref.GetGlobalOp):
            continue
        table = constants.get(operand.owner.name_.string_value())
        value = None if table is None else table.initial_value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            continue
        element = value.get_element_type()
        if isinstance(element, IntegerType) and element.width.data in (8, 16, 32) and not value.is_splat():
            stored = np.frombuffer(value.data.data, f"<i{element.width.data // 8}")
            found[number] = stored.reshape(value.get_shape())
    return found


class Numbers:
    """Numbers that values come to where some are known."""

    def __init__(self, known: Mapping[SSAValue, int], tables: Tables):
        self._known = dict(known)
        self._tables = tables

    def of(self, value: SSAValue) -> int | None:
        """A value; None if it depends on what is not known."""
        if value not in self._known:
            found = self._computed(value)
            if found is None or abs(found) > _MOST:
                return None
            self._known[value] = found
        return self._known[value]

    def _computed(self, value: SSAValue) -> int | None:
        owner = value.owner
        match owner:
            case arith.ConstantOp():
                return owner.value.value.data if isinstance(owner.value, IntegerAttr) else None
            case arith.IndexCastOp() | arith.ExtSIOp():
                return self.of(owner.operands[0])
            case memref.LoadOp():
                return self._loaded(owner)
            case Operation() if (function := _OPERATIONS.get(type(owner))) is not None:
                left, right = (self.of(operand) for operand in owner.operands)
                return None if left is None or right is None else function(left, right)
            case _:
                return None

    def _loaded(self, load: memref.LoadOp) -> int | None:
        table = self._tables.get(load.memref.index) if isinstance(load.memref, BlockArgument) else None
        places = [self.of(index) for index in load.indices]
        if table is None or None in places:
            return None
        inside = all(p is not None and 0 <= p < extent for p, extent in zip(places, table.shape, strict=True))
        return int(table[tuple(places)]) if inside else None

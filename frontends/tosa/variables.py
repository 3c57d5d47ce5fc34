"""The variables of a TOSA module: state that lasts from one run to the next."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, SSAValue

from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.variable import VariableOp
from ...dialects.tosa.control_flow import VariableOp as TosaVariableOp
from ..reasons import Unsupported
from .constants import Array, array_of, stored_element, verify_known


class Variables:
    """Makes `nn.variable` operations where a function first uses a variable, at its start."""

    def __init__(self, declared: Iterable[TosaVariableOp]):
        self._declared = {op.sym_name.data: op for op in declared}
        self._made: dict[str, VariableOp] = {}

    def start(self) -> None:
        """Begin another function."""
        self._made = {}

    def of(self, name: str) -> SSAValue:
        """The variable of a name.

        Raises:
            ValueError: it is not declared.
            Unsupported: it begins with something else than numbers.
        """
        if name not in self._declared:
            raise ValueError(f"no variable '{name}' is declared")
        if name not in self._made:
            self._made[name] = VariableOp(name, self._initial(self._declared[name]))
        return self._made[name].result

    @staticmethod
    def _initial(op: TosaVariableOp) -> DenseIntOrFPElementsAttr:
        held, given = op.held, op.initial_value
        if any(extent < 0 for extent in held.get_shape()):
            raise Unsupported(f"the variable '{op.sym_name.data}' has an open shape")
        verify_known(held.get_shape())
        if given is None:
            begin: Array = np.zeros(held.get_shape(), np.int8)
        elif isinstance(given, DenseIntOrFPElementsAttr):
            begin = array_of(given)
        else:
            raise Unsupported(f"the variable '{op.sym_name.data}' does not begin with a dense value")
        return ConstantOp.of(begin, stored_element(held.get_element_type())).value

    def insert_into(self, block: Block) -> None:
        """Put them at the start of the function."""
        first = block.first_op
        for op in self._made.values():
            if first is None:
                block.add_op(op)
            else:
                block.insert_op_before(op, first)

"""The model's variables while it is imported: state of recurrent operators, and resources with names."""

from __future__ import annotations

from typing import cast

import numpy as np
from xdsl.dialects.builtin import AnyFloat, BytesAttr, DenseIntOrFPElementsAttr, IntegerType, TensorType
from xdsl.ir import Block, SSAValue

from ...dialects.nn.attributes import VariableType
from ...dialects.nn.interfaces import tensor_type as tensor_type_of
from ...dialects.nn.variable import VariableOp
from .quantisation import QuantisationError
from .schema import Tensor


class Variables:
    """Makes `nn.variable` operations, once for each variable, at the start of the function."""

    def __init__(self, block: Block):
        self._block = block
        self._by_key: dict[tuple[str, ...], VariableOp] = {}
        self._last: VariableOp | None = None
        self._names: set[str] = set()

    def state(self, graph: int, tensor: Tensor, type: TensorType) -> SSAValue:
        """The variable that stands for a variable tensor of a subgraph."""
        key = "tensor", str(graph), str(tensor.index)
        if key not in self._by_key:
            self._insert(key, VariableOp(self._unique(tensor.name.split(";")[0]), at_reset(tensor, type)))
        return self._by_key[key].result

    def resource(self, container: str, name: str) -> SSAValue:
        """The variable that VAR_HANDLE names; what it holds is known when it is first read or written."""
        key = "resource", container, name
        if key not in self._by_key:
            nothing = TensorType(IntegerType(8), [0])
            initial = DenseIntOrFPElementsAttr(nothing, BytesAttr(b""))
            self._insert(key, VariableOp(self._unique(name or "variable"), initial))
        return self._by_key[key].result

    def holds(self, variable: SSAValue, tensor: Tensor, type: TensorType) -> VariableOp:
        """Say that a variable holds what is of the tensor's type; returns what makes it.

        Raises:
            QuantisationError: it holds something else.
        """
        op = variable.owner
        assert isinstance(op, VariableOp), "resources are bound to what makes their variable"
        if not tensor_type_of(variable).element_count() and type.element_count():
            self.initialise(op, at_reset(tensor, type))
        if tensor_type_of(variable) != type:
            raise QuantisationError(
                f"{tensor} of {type} does not fit the variable '{op.variable.data}', which holds "
                f"{tensor_type_of(variable)}"
            )
        return op

    def initialise(self, op: VariableOp, initial: DenseIntOrFPElementsAttr) -> None:
        """Let a variable begin with `initial`."""
        type = initial.type
        assert isinstance(type, TensorType), "variables hold tensors"
        op.properties["initial"] = initial
        op.result._type = VariableType(type)  # pyright: ignore[reportPrivateUsage]  # not used by anything typed yet

    def _insert(self, key: tuple[str, ...], op: VariableOp) -> None:
        self._by_key[key] = op
        if self._last is not None:
            self._block.insert_ops_after([op], self._last)
        elif self._block.first_op is not None:
            self._block.insert_ops_before([op], self._block.first_op)
        else:
            self._block.add_op(op)
        self._last = op

    def _unique(self, name: str) -> str:
        chosen, number = name, 1
        while chosen in self._names:
            chosen, number = f"{name}_{number}", number + 1
        self._names.add(chosen)
        return chosen


MOST_BYTES = 1 << 26
"""Most bytes of one variable: no microcontroller has more, and damaged files ask for any number."""


def at_reset(tensor: Tensor, type: TensorType) -> DenseIntOrFPElementsAttr:
    """Return what TensorFlow Lite Micro puts into a variable: every byte 0, but of int8 the zero point."""
    fill = 0
    if tensor.element_type.name == "INT8" and tensor.quantisation is not None:
        fill = tensor.quantisation.zero_points[0]
    bits = tensor.element_type.bits
    assert bits is not None, "variables hold elements of a fixed size"
    size = type.element_count() * bits // 8
    if size > MOST_BYTES:
        raise QuantisationError(f"{tensor} keeps {size} bytes between runs, more than {MOST_BYTES}")
    data = np.full(size, fill & 0xFF, np.uint8).tobytes()
    return DenseIntOrFPElementsAttr(cast("TensorType[IntegerType | AnyFloat]", type), BytesAttr(data))

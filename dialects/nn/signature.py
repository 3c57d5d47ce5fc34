"""Operands and results that many operations have in common: declared once, with the constructor and the syntax."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..values import Properties, Value
from .interfaces import element_type_of, expect_shape, shape_of

SIGNATURE = " attr-dict `:` functional-type(operands, results)"
"""The end of an assembly format."""


class OnTensors(IRDLOperation, abc.ABC):
    """Base of what makes tensors of tensors and has no side effects; a class may say more of its syntax."""

    traits = traits_def(Pure())
    assembly_format = "operands" + SIGNATURE


class FromTensor(OnTensors, abc.ABC):
    """Base of operations that make one tensor of another."""

    input = operand_def(TensorType)
    output = result_def(TensorType)

    def __init__(
        self,
        input: Value,
        output_type: Attribute,
        properties: Properties | None = None,
        *,
        others: Sequence[Value] = (),
    ):
        """Make the operation; `others` are the operands behind the input."""
        super().__init__(operands=[input, *others], result_types=[output_type], properties=properties)

    def verify_same_shape(self) -> None:
        """Raise VerifyException unless the result has the input's shape."""
        expect_shape(self, "result", shape_of(self.output), shape_of(self.input))

    def verify_same_elements(self) -> None:
        """Raise VerifyException unless the result has the input's element type."""
        if element_type_of(self.input) != element_type_of(self.output):
            raise VerifyException(f"'{self.name}' op input and result must have the same element type")

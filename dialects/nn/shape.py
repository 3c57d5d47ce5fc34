"""Operators that only rename the place of elements: `nn.reshape`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .interfaces import Foldable, View, element_type_of, shape_of


@irdl_op_definition
class ReshapeOp(IRDLOperation, View, Foldable):
    """The same elements in row-major order under another shape; bytes stay where they are."""

    name = "nn.reshape"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, output_type: TensorType):
        super().__init__(operands=[input], result_types=[output_type])

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        return [operands[0].reshape(shape_of(self.output))]

    def verify_(self) -> None:
        if element_type_of(self.input) != element_type_of(self.output):
            raise VerifyException(f"'{self.name}' op input and result must have the same element type")
        if math.prod(shape_of(self.input)) != math.prod(shape_of(self.output)):
            raise VerifyException(
                f"'{self.name}' op cannot reshape {list(shape_of(self.input))} to {list(shape_of(self.output))}: "
                "the numbers of elements differ"
            )

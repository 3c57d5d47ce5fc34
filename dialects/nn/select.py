"""Choices between two tensors: `nn.select`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import TensorType, i1
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .elementwise import broadcast_shapes
from .interfaces import Elementwise, Foldable, HasRanges, channels_of, element_type_of, expect_shape, shape_of
from .ranges import Ranges, united
from .signature import OnTensors


@irdl_op_definition
class SelectOp(OnTensors, Elementwise, Foldable, HasRanges):
    """`condition ? then : otherwise`, with broadcasting; elements are copied as they are."""

    name = "nn.select"
    condition = operand_def(TensorType)
    then = operand_def(TensorType)
    otherwise = operand_def(TensorType)
    output = result_def(TensorType)

    def __init__(self, condition: Value, then: Value, otherwise: Value, output_type: TensorType):
        super().__init__(operands=[condition, then, otherwise], result_types=[output_type])

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        return [united([each.broadcast(channels_of(self.output)) for each in operands[1:]])]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        condition, then, otherwise = operands
        return [np.where(condition.astype(np.bool_), then, otherwise)]

    def verify_(self) -> None:
        data = broadcast_shapes(self, shape_of(self.then), shape_of(self.otherwise))
        expect_shape(self, "result", shape_of(self.output), broadcast_shapes(self, shape_of(self.condition), data))
        if element_type_of(self.condition) != i1:
            raise VerifyException(f"'{self.name}' op condition must be i1, got {element_type_of(self.condition)}")
        if len({element_type_of(value) for value in (self.then, self.otherwise, self.output)}) > 1:
            raise VerifyException(f"'{self.name}' op data operands and result must have the same element type")

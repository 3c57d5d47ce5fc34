"""Places of extreme elements: `nn.arg_max`, `nn.arg_min`, `nn.top_k`."""

from __future__ import annotations

import abc

from xdsl.dialects.builtin import IntegerAttr, TensorType, i32, i64
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integer
from .interfaces import element_type_of, expect_shape, shape_of
from .movement import verify_axis
from .signature import SIGNATURE, FromTensor, OnTensors


class ArgExtremum(FromTensor, abc.ABC):
    """Base: the index along an axis of the first extreme element (TensorFlow Lite `reference_ops::ArgMinMax`)."""

    axis = prop_def(IntegerAttr.constr(type=i64))
    assembly_format = "$input `axis` $axis" + SIGNATURE

    def __init__(self, input: Value, axis: int, output_type: TensorType):
        super().__init__(input, output_type, {"axis": integer(axis, i64)})

    def verify_(self) -> None:
        shape, axis = shape_of(self.input), self.axis.value.data
        verify_axis(self, axis, len(shape))
        expect_shape(self, "result", shape_of(self.output), (*shape[:axis], *shape[axis + 1 :]))
        if element_type_of(self.output) not in (i32, i64):
            raise VerifyException(f"'{self.name}' op makes i32 or i64, not {element_type_of(self.output)}")


@irdl_op_definition
class ArgMaxOp(ArgExtremum):
    """Index of the first largest element."""

    name = "nn.arg_max"


@irdl_op_definition
class ArgMinOp(ArgExtremum):
    """Index of the first smallest element."""

    name = "nn.arg_min"


@irdl_op_definition
class TopKOp(OnTensors):
    """The largest elements of each row in descending order, equal ones by ascending index, and their indices.

    Source: TensorFlow Lite `kernels/topk_v2.cc`.
    """

    name = "nn.top_k"
    input = operand_def(TensorType)
    values = result_def(TensorType)
    indices = result_def(TensorType)

    def __init__(self, input: Value, values_type: TensorType, indices_type: TensorType):
        super().__init__(operands=[input], result_types=[values_type, indices_type])

    @property
    def count(self) -> int:
        """How many elements of each row remain."""
        return shape_of(self.values)[-1]

    def verify_(self) -> None:
        shape, result = shape_of(self.input), shape_of(self.values)
        if not shape or len(result) != len(shape) or result[:-1] != shape[:-1] or not 1 <= result[-1] <= shape[-1]:
            raise VerifyException(f"'{self.name}' op cannot take {list(result)} from {list(shape)}")
        expect_shape(self, "indices", shape_of(self.indices), result)
        if element_type_of(self.input) != element_type_of(self.values):
            raise VerifyException(f"'{self.name}' op input and values must have the same element type")
        if element_type_of(self.indices) != i32:
            raise VerifyException(f"'{self.name}' op makes indices of i32, not {element_type_of(self.indices)}")

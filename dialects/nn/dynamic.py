"""Quantisation by the values themselves, as hybrid models do: `nn.dynamic_range`, `nn.dynamic_quantize`.

They are two operations because all values must be there before the first can be quantised: a network that runs row by
row so needs the integers of a row at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, f32, i8, i32
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_result_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .interfaces import element_type_of, expect_shape, shape_of
from .signature import OnTensors


def _verify_parameters(op: OnTensors, input: SSAValue, parameters: Sequence[tuple[SSAValue, object]]) -> None:
    """Check that there is an input, and one parameter of each kind for every slice of it.

    Raises:
        VerifyException: shapes or elements do not go together.
    """
    shape = shape_of(input)
    if not shape or 0 in shape:
        raise VerifyException(f"'{op.name}' op input must have elements and a dimension, got shape {list(shape)}")
    for part, _ in parameters:
        expect_shape(op, "parameters", shape_of(part), shape[:1])
    found = [element_type_of(value) for value in (input, *(part for part, _ in parameters))]
    if found != [f32, *(element for _, element in parameters)]:
        raise VerifyException(f"'{op.name}' op elements {', '.join(map(str, found))} do not go together")


@irdl_op_definition
class DynamicRangeOp(OnTensors):
    """How each slice along dimension 0 of float32 values becomes int8, from the range of its values.

    Symmetric rule (TensorFlow Lite `SymmetricQuantizeFloats`): the largest magnitude becomes 127. Asymmetric rule
    (`AsymmetricQuantizeFloats`): the range of the values and 0 becomes [-128, 127], the width a float32, the zero
    point computed in double. Slices of zeros have scale 1 and zero point 0.
    """

    name = "nn.dynamic_range"
    input = operand_def(TensorType)
    scales = result_def(TensorType)
    """One float32 for each slice: what a step of the integers is worth."""
    inverses = result_def(TensorType)
    """One float32 for each slice: what values are multiplied with. Rounded by itself."""
    zero_points = opt_result_def(TensorType)
    """One int32 for each slice; symmetric without."""

    def __init__(self, input: Value, *, slices: int, asymmetric: bool):
        floats = TensorType(f32, [slices])
        zero_points = [TensorType(i32, [slices])] if asymmetric else []
        super().__init__(operands=[input], result_types=[floats, floats, zero_points])

    def verify_(self) -> None:
        zero_points = [] if self.zero_points is None else [(self.zero_points, i32)]
        _verify_parameters(self, self.input, [(self.scales, f32), (self.inverses, f32), *zero_points])


@irdl_op_definition
class DynamicQuantizeOp(OnTensors):
    """Float32 to int8 by what `nn.dynamic_range` found for each slice along dimension 0; halves away from zero."""

    name = "nn.dynamic_quantize"
    input = operand_def(TensorType)
    inverses = operand_def(TensorType)
    """One float32 for each slice."""
    zero_points = opt_operand_def(TensorType)
    """One int32 for each slice; symmetric without."""
    output = result_def(TensorType)

    def __init__(self, input: Value, inverses: Value, zero_points: Value | None, *, shape: Sequence[int]):
        super().__init__(
            operands=[input, inverses, [] if zero_points is None else [zero_points]],
            result_types=[TensorType(i8, shape)],
        )

    def verify_(self) -> None:
        zero_points = [] if self.zero_points is None else [(self.zero_points, i32)]
        _verify_parameters(self, self.input, [(self.inverses, f32), *zero_points])
        expect_shape(self, "result", shape_of(self.output), shape_of(self.input))
        if element_type_of(self.output) != i8:
            raise VerifyException(f"'{self.name}' op result must be of i8, got {element_type_of(self.output)}")

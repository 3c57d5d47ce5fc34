"""Quantisation by the values themselves, as hybrid models do: `nn.dynamic_quantize`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, f32, i8, i32
from xdsl.irdl import irdl_op_definition, operand_def, opt_result_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .interfaces import element_type_of, expect_shape, shape_of
from .signature import OnTensors


@irdl_op_definition
class DynamicQuantizeOp(OnTensors):
    """Float32 to int8 with a scale, and in the asymmetric form a zero point, for each slice along dimension 0.

    Symmetric rule (TensorFlow Lite `SymmetricQuantizeFloats`): the largest magnitude becomes 127. Asymmetric rule
    (`AsymmetricQuantizeFloats`): the range of the values and 0 becomes [-128, 127], the width a float32, the zero
    point computed in double.
    Slices of zeros have scale 1 and zero point 0. Halves are rounded away from zero.
    """

    name = "nn.dynamic_quantize"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    scales = result_def(TensorType)
    """One float32 for each slice."""
    zero_points = opt_result_def(TensorType)
    """One int32 for each slice; symmetric without."""

    def __init__(self, input: Value, *, shape: Sequence[int], asymmetric: bool):
        super().__init__(
            operands=[input],
            result_types=[
                TensorType(i8, shape),
                TensorType(f32, shape[:1]),
                [TensorType(i32, shape[:1])] if asymmetric else [],
            ],
        )

    def verify_(self) -> None:
        shape = shape_of(self.input)
        if not shape or 0 in shape:
            raise VerifyException(f"'{self.name}' op input must have elements and a dimension, got shape {list(shape)}")
        expect_shape(self, "result", shape_of(self.output), shape)
        parts = [(self.scales, f32)] + ([(self.zero_points, i32)] if self.zero_points is not None else [])
        for part, _ in parts:
            expect_shape(self, "parameters", shape_of(part), shape[:1])
        found = [element_type_of(value) for value in (self.input, self.output, *(part for part, _ in parts))]
        if found != [f32, i8, *(element for _, element in parts)]:
            raise VerifyException(f"'{self.name}' op elements {', '.join(map(str, found))} do not go together")

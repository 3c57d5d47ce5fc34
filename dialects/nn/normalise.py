"""Rows brought to a norm: `nn.log_softmax` and `nn.l2_normalize`."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness, TensorType, f32, i8, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .attributes import RescaleAttr
from .interfaces import element_type_of, expect_length, expect_shape, is_quantised, shape_of

_UI8 = IntegerType(8, Signedness.UNSIGNED)

_LARGEST_SQUARE = 255**2
"""Of the difference between an element of 8 bits and its zero point."""


class _Rows(IRDLOperation):
    """Base: operand and result of one shape and type."""

    input = operand_def(TensorType)
    output = result_def(TensorType)

    def verify_rows(self, *elements: Attribute) -> bool:
        """Check shapes and element types; whether the elements are quantised."""
        expect_shape(self, "result", shape_of(self.output), shape_of(self.input))
        if not shape_of(self.input):
            raise VerifyException(f"'{self.name}' op input must have at least one dimension")
        element = element_type_of(self.input)
        if element not in elements or element_type_of(self.output) != element:
            raise VerifyException(
                f"'{self.name}' op elements {element} and {element_type_of(self.output)} do not go together"
            )
        return is_quantised(element)


@irdl_op_definition
class LogSoftmaxOp(_Rows):
    """Logarithm of the softmax over the last dimension.

    Quantised rule (TensorFlow Lite `reference_ops::LogSoftmaxQuantized`): the sum of exponentials as `nn.softmax` forms
    it for 8 bits, its logarithm in Q5.26, and differences less that, rounded to the output scale 1/16 with zero point
    127. Float rule: `x - max - log(sum(exp(x - max)))`.
    """

    name = "nn.log_softmax"
    rescale = opt_prop_def(RescaleAttr)
    """Two factors: input scale to Q5.26, and back."""
    diff_min = opt_prop_def(IntegerAttr.constr(type=i32))
    """Least difference to the maximum that still contributes to the sum."""

    traits = traits_def(Pure())
    assembly_format = (
        "$input (`rescale` $rescale^)? (`diff_min` $diff_min^)? attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        *,
        output_type: TensorType,
        rescale: RescaleAttr | None = None,
        diff_min: int | None = None,
    ):
        super().__init__(
            operands=[input],
            result_types=[output_type],
            properties={
                "rescale": rescale,
                "diff_min": None if diff_min is None else IntegerAttr(diff_min, i32),
            },
        )

    def verify_(self) -> None:
        quantised = self.verify_rows(f32, i8)
        if (self.rescale is None) == quantised or (self.diff_min is None) == quantised:
            raise VerifyException(
                f"'{self.name}' op needs rescale and diff_min for quantised elements, neither for floats"
            )
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 2)


@irdl_op_definition
class L2NormalizeOp(_Rows):
    """Rows divided by their Euclidean norms.

    Quantised rule (TensorFlow Lite `reference_integer_ops::L2Normalization` and `reference_ops::L2Normalization` for
    uint8): the inverse root of the sum of squares by five Newton steps; the results have scale 1/128 and the middle of
    the type's range as zero point. Float rule: `x / max(sqrt(sum(x * x)), 1e-6)`.
    """

    name = "nn.l2_normalize"
    zero_point = opt_prop_def(IntegerAttr.constr(type=i32))
    """The quantised input's zero point."""

    traits = traits_def(Pure())
    assembly_format = "$input (`zero_point` $zero_point^)? attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, *, output_type: TensorType, zero_point: int | None = None):
        super().__init__(
            operands=[input],
            result_types=[output_type],
            properties={"zero_point": None if zero_point is None else IntegerAttr(zero_point, i32)},
        )

    def verify_(self) -> None:
        quantised = self.verify_rows(f32, i8, _UI8)
        if (self.zero_point is None) == quantised:
            raise VerifyException(f"'{self.name}' op needs a zero_point for quantised elements, none for floats")
        if quantised and shape_of(self.input)[-1] * _LARGEST_SQUARE >= 2**31:
            raise VerifyException(
                f"'{self.name}' op rows of {shape_of(self.input)[-1]} elements are too long: their squares overflow i32"
            )

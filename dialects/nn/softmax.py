"""`nn.softmax`."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType, f32, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .attributes import RescaleAttr
from .interfaces import element_type_of, expect_length, expect_shape, is_quantised, shape_of


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """Softmax over the last dimension.

    Quantised rule (TensorFlow Lite `reference_ops::Softmax` for integers, on gemmlowp fixed point): the difference to
    the row's maximum is rescaled to Q5.26 and exponentiated; differences below `diff_min` count as 0; the sum is
    Q12.19, its reciprocal found by three Newton steps, and the products rounded to the output scale 1/256 with zero
    point -128. Float rule: `exp((x - max) * beta) / sum`.
    """

    name = "nn.softmax"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    rescale = opt_prop_def(RescaleAttr)
    """One factor: input scale times beta, to Q5.26."""
    diff_min = opt_prop_def(IntegerAttr.constr(type=i32))
    """Least difference to the maximum that still contributes."""
    beta = opt_prop_def(FloatAttr.constr(type=f32))
    """Factor on the input before exponentiation, float only."""

    traits = traits_def(Pure())
    assembly_format = (
        "$input (`rescale` $rescale^)? (`diff_min` $diff_min^)? (`beta` $beta^)?"
        " attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        *,
        output_type: TensorType,
        rescale: RescaleAttr | None = None,
        diff_min: int | None = None,
        beta: float | None = None,
    ):
        super().__init__(
            operands=[input],
            result_types=[output_type],
            properties={
                "rescale": rescale,
                "diff_min": None if diff_min is None else IntegerAttr(diff_min, i32),
                "beta": None if beta is None else FloatAttr(beta, f32),
            },
        )

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), shape_of(self.input))
        if not shape_of(self.input):
            raise VerifyException(f"'{self.name}' op input must have at least one dimension")
        quantised = is_quantised(element_type_of(self.input))
        if quantised != is_quantised(element_type_of(self.output)):
            raise VerifyException(f"'{self.name}' op input and result must be both quantised or both float")
        if quantised and (self.rescale is None or self.diff_min is None or self.beta is not None):
            raise VerifyException(f"'{self.name}' op needs rescale and diff_min, and no beta, for quantised elements")
        if not quantised and (self.rescale is not None or self.diff_min is not None or self.beta is None):
            raise VerifyException(f"'{self.name}' op needs beta, and neither rescale nor diff_min, for float elements")
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 1)

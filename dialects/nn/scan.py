"""Running sums: `nn.cumulative_sum`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, UnitAttr, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .accumulate import quantisation_properties
from .attributes import ClampAttr, RescaleAttr
from .interfaces import element_type_of, expect_shape, shape_of
from .movement import verify_axis
from .quantised import verify_quantisation


@irdl_op_definition
class CumulativeSumOp(IRDLOperation):
    """Sums of all elements up to each place along an axis; that place's element counts unless `exclusive`.

    With `reverse` the sums run from the back. Plain integers wrap. Quantised rule (TensorFlow Lite
    `reference_ops::CumSum`): elements less the zero point, shifted left by `left_shift` and rescaled by the first
    factor, add up from what the first factor makes of the negative zero point; the second factor leads to the result.
    """

    name = "nn.cumulative_sum"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    axis = prop_def(IntegerAttr.constr(type=i64))
    exclusive = opt_prop_def(UnitAttr)
    reverse = opt_prop_def(UnitAttr)
    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of input and result."""
    left_shift = opt_prop_def(IntegerAttr.constr(type=i32))
    """Bits of head room given to the elements before they are rescaled."""
    rescale = opt_prop_def(RescaleAttr)
    """Two factors: of the elements and of the sum."""
    clamp = opt_prop_def(ClampAttr)
    """Range of the result."""
    traits = traits_def(Pure())
    assembly_format = (
        "$input `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? (`zero_points` $zero_points^)?"
        " (`left_shift` $left_shift^)? (`rescale` $rescale^)? (`clamp` $clamp^)?"
        " attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        axis: int,
        output_type: TensorType,
        *,
        exclusive: bool,
        reverse: bool,
        zero_points: Sequence[int] | None = None,
        left_shift: int | None = None,
        rescale: RescaleAttr | None = None,
        clamp: ClampAttr | None = None,
    ):
        super().__init__(
            operands=[input],
            result_types=[output_type],
            properties={
                "axis": IntegerAttr(axis, i64),
                "exclusive": UnitAttr() if exclusive else None,
                "reverse": UnitAttr() if reverse else None,
                "left_shift": None if left_shift is None else IntegerAttr(left_shift, i32),
                **quantisation_properties(zero_points, rescale, clamp),
            },
        )

    def verify_(self) -> None:
        shape = shape_of(self.input)
        verify_axis(self, self.axis.value.data, len(shape))
        expect_shape(self, "result", shape_of(self.output), shape)
        element = element_type_of(self.output)
        if element != element_type_of(self.input):
            raise VerifyException(f"'{self.name}' op input and result must have the same element type")
        parts = self.zero_points, self.rescale, self.clamp
        verify_quantisation(self, *parts, counts=(2, 2), element_type=element)
        if (self.left_shift is None) is not (self.rescale is None):
            raise VerifyException(f"'{self.name}' op has left_shift and rescale together or none of them")

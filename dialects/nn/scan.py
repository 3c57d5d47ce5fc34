"""Running sums: `nn.cumulative_sum`."""

from __future__ import annotations

from typing import Unpack

from xdsl.dialects.builtin import IntegerAttr, TensorType, UnitAttr, i64
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag, integer
from .interfaces import element_type_of, shape_of
from .movement import verify_axis
from .quantised import verify_quantisation
from .scaling import SHIFTED_SCALING, Shifted, ShiftedScaling, scaled_properties
from .signature import SIGNATURE, FromTensor


@irdl_op_definition
class CumulativeSumOp(FromTensor, Shifted):
    """Sums of all elements up to each place along an axis; that place's element counts unless `exclusive`.

    With `reverse` the sums run from the back. Plain integers wrap. Quantised rule (TensorFlow Lite
    `reference_ops::CumSum`): elements less the zero point, shifted left by `left_shift` and rescaled by the first
    factor, add up from what the first factor makes of the negative zero point; the second factor leads to the result.
    """

    name = "nn.cumulative_sum"
    axis = prop_def(IntegerAttr.constr(type=i64))
    exclusive = opt_prop_def(UnitAttr)
    reverse = opt_prop_def(UnitAttr)
    assembly_format = (
        "$input `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)?" + SHIFTED_SCALING + SIGNATURE
    )

    def __init__(
        self,
        input: Value,
        axis: int,
        output_type: TensorType,
        *,
        exclusive: bool,
        reverse: bool,
        **scaling: Unpack[ShiftedScaling],
    ):
        way = {"exclusive": flag(exclusive), "reverse": flag(reverse)}
        super().__init__(input, output_type, {"axis": integer(axis, i64), **way, **scaled_properties(**scaling)})

    def verify_(self) -> None:
        shape = shape_of(self.input)
        verify_axis(self, self.axis.value.data, len(shape))
        self.verify_same_shape()
        self.verify_same_elements()
        element = element_type_of(self.output)
        parts = self.zero_points, self.rescale, self.clamp
        verify_quantisation(self, *parts, counts=(2, 2), element_type=element)
        if (self.left_shift is None) is not (self.rescale is None):
            raise VerifyException(f"'{self.name}' op has left_shift and rescale together or none of them")

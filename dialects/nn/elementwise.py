"""Elementwise operators of two operands with broadcasting: `nn.add`."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .attributes import ClampAttr, RescaleAttr
from .interfaces import Elementwise, element_type_of, expect_length, expect_shape, is_quantised, shape_of
from .quantised import verify_clamp, verify_zero_points


def broadcast_shapes(op: Operation, lhs: Sequence[int], rhs: Sequence[int]) -> tuple[int, ...]:
    """The shape to which both operands broadcast, aligned at the last dimension (NumPy's and TFLite's rule).

    Raises:
        VerifyException: a dimension differs and neither is 1.
    """
    rank = max(len(lhs), len(rhs))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in (lhs, rhs)]
    for a, b in zip(*padded, strict=True):
        if a != b and 1 not in (a, b):
            raise VerifyException(f"'{op.name}' op shapes {list(lhs)} and {list(rhs)} do not broadcast")
    return tuple(b if a == 1 else a for a, b in zip(*padded, strict=True))


class ElementwiseBinary(IRDLOperation, Elementwise, abc.ABC):
    """Base of the two-operand elementwise operators."""

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    output = result_def(TensorType)

    def inferred_shape(self) -> tuple[int, ...]:
        """The broadcast shape; raises VerifyException if the operands do not broadcast."""
        return broadcast_shapes(self, shape_of(self.lhs), shape_of(self.rhs))

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        if element_type_of(self.lhs) != element_type_of(self.rhs):
            raise VerifyException(f"'{self.name}' op operands must have the same element type")


@irdl_op_definition
class AddOp(ElementwiseBinary):
    """Sum of two tensors with broadcasting.

    Quantised rule (TensorFlow Lite `reference_integer_ops::Add`): each operand, less its zero point and shifted left by
    `left_shift`, is rescaled by its own factor to a common scale of twice the larger operand scale; the sum is rescaled
    to the output scale, its zero point added, and clamped. All factors in double; double rounding.
    """

    name = "nn.add"
    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of the two operands and the result."""
    left_shift = opt_prop_def(IntegerAttr.constr(type=i32))
    """Bits of head room given to the operands before they are rescaled: 20 for int8, 15 for int16."""
    rescale = opt_prop_def(RescaleAttr)
    """Three factors: of the two operands and of the sum."""
    clamp = opt_prop_def(ClampAttr)
    """The fused activation."""

    traits = traits_def(Pure())
    assembly_format = (
        "$lhs `,` $rhs (`zero_points` $zero_points^)? (`left_shift` $left_shift^)? (`rescale` $rescale^)?"
        " (`clamp` $clamp^)? attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        *,
        output_type: TensorType,
        zero_points: Sequence[int] | None = None,
        left_shift: int | None = None,
        rescale: RescaleAttr | None = None,
        clamp: ClampAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[output_type],
            properties={
                "zero_points": None if zero_points is None else DenseArrayBase.from_list(i32, zero_points),
                "left_shift": None if left_shift is None else IntegerAttr(left_shift, i32),
                "rescale": rescale,
                "clamp": clamp,
            },
        )

    def verify_(self) -> None:
        super().verify_()
        element = element_type_of(self.output)
        if element != element_type_of(self.lhs):
            raise VerifyException(f"'{self.name}' op operands and result must have the same element type")
        verify_zero_points(self, self.zero_points, 3, element)
        if (self.rescale is None) is is_quantised(element) or (self.left_shift is None) is is_quantised(element):
            raise VerifyException(f"'{self.name}' op needs left_shift and rescale exactly when elements are quantised")
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 3)
        verify_clamp(self, self.clamp, element)

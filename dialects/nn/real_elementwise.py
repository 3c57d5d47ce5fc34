"""Quantised elements through floats: `nn.real_binary`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto

from xdsl.dialects.builtin import DenseArrayBase, TensorType, f32, i8, i16, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..values import Value, integers
from .attributes import ClampAttr
from .elementwise import ElementwiseBinary
from .interfaces import FusesClamp, element_type_of, expect_length
from .quantised import verify_clamp
from .signature import SIGNATURE


class RealBinary(StrEnum):
    """Functions of `nn.real_binary`."""

    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()


@irdl_attr_definition
class RealBinaryAttr(EnumAttribute[RealBinary], SpacedOpaqueSyntaxAttribute):
    """A function of two reals."""

    name = "nn.real_binary_function"


@irdl_op_definition
class RealBinaryOp(ElementwiseBinary, FusesClamp):
    """A function of two quantised elements with broadcasting, in float32 as ONNX defines it.

    Each operand is `(x - zero_point) * scale`; the result is divided by its scale and rounded, halves to even, its zero
    point is added, then it is clamped. Every step is rounded to float32.
    """

    name = "nn.real_binary"
    function = prop_def(RealBinaryAttr)
    zero_points = prop_def(DenseArrayBase.constr(i32))
    """Zero points of the operands and the result."""
    scales = prop_def(DenseArrayBase.constr(f32))
    """Scales of the operands and the result."""
    clamp = prop_def(ClampAttr)
    """Range of the result."""
    assembly_format = "$function $lhs `,` $rhs `zero_points` $zero_points `scales` $scales `clamp` $clamp" + SIGNATURE

    def __init__(
        self,
        function: RealBinary,
        lhs: Value,
        rhs: Value,
        *,
        zero_points: Sequence[int],
        scales: Sequence[float],
        clamp: ClampAttr,
        output_type: TensorType,
    ):
        properties = {
            "function": RealBinaryAttr(function),
            "zero_points": integers(zero_points),
            "scales": DenseArrayBase.from_list(f32, scales),
            "clamp": clamp,
        }
        super().__init__(lhs, rhs, output_type, properties)

    def fuses_clamp(self) -> bool:
        """Always: clamping is the last step."""
        return True

    def verify_elements(self) -> None:
        for value in (self.lhs, self.rhs, self.output):
            if element_type_of(value) not in (i8, i16):
                raise VerifyException(f"'{self.name}' op elements must be i8 or i16, got {element_type_of(value)}")
        expect_length(self, "zero_points", len(self.zero_points), 3)
        expect_length(self, "scales", len(self.scales), 3)
        verify_clamp(self, self.clamp, element_type_of(self.output))

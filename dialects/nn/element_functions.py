"""Functions of single elements that know no scale: `nn.unary`, `nn.binary`, `nn.compare`.

One operation for all functions of as many operands, as in MLIR's `linalg.elementwise`: what they share is all that
passes look at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import auto

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, TensorType, f32, i1, i8, i16, i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..values import Value, integers
from .attributes import RescaleAttr, ints
from .elementwise import ElementwiseBinary
from .interfaces import Elementwise, HasRanges, channels_of, element_type_of, expect_length
from .quantisation import Steps
from .quantised import UI8
from .ranges import Ranges
from .signature import SIGNATURE, FromTensor


class Unary(StrEnum):
    """Functions of `nn.unary`."""

    ABS = auto()
    ACOS = auto()
    ACOSH = auto()
    ASIN = auto()
    ASINH = auto()
    ATAN = auto()
    ATANH = auto()
    CEIL = auto()
    CLZ = auto()
    COS = auto()
    COSH = auto()
    ELU = auto()
    ERF = auto()
    EXP = auto()
    FLOOR = auto()
    GELU = auto()
    GELU_TANH = auto()
    HARD_SWISH = auto()
    LOG = auto()
    LOGICAL_NOT = auto()
    LOGISTIC = auto()
    NEG = auto()
    ROUND_EVEN = auto()
    RSQRT = auto()
    SIGN = auto()
    SIN = auto()
    SINH = auto()
    SQRT = auto()
    SQUARE = auto()
    TAN = auto()
    TANH = auto()


class Binary(StrEnum):
    """Functions of `nn.binary`."""

    ATAN2 = auto()
    BITWISE_AND = auto()
    BITWISE_OR = auto()
    BITWISE_XOR = auto()
    FLOOR_DIV = auto()
    FLOOR_MOD = auto()
    LOGICAL_AND = auto()
    LOGICAL_OR = auto()
    MAXIMUM = auto()
    MINIMUM = auto()
    POW = auto()
    ROUNDING_SHIFT_RIGHT = auto()
    SHIFT_LEFT = auto()
    SHIFT_RIGHT = auto()
    SHIFT_RIGHT_UNSIGNED = auto()


class Predicate(StrEnum):
    """Questions of `nn.compare`."""

    EQUAL = auto()
    GREATER = auto()
    GREATER_EQUAL = auto()
    LESS = auto()
    LESS_EQUAL = auto()
    NOT_EQUAL = auto()


@irdl_attr_definition
class UnaryAttr(EnumAttribute[Unary], SpacedOpaqueSyntaxAttribute):
    """A function of one element."""

    name = "nn.unary_function"


@irdl_attr_definition
class BinaryAttr(EnumAttribute[Binary], SpacedOpaqueSyntaxAttribute):
    """A function of two elements."""

    name = "nn.binary_function"


@irdl_attr_definition
class PredicateAttr(EnumAttribute[Predicate], SpacedOpaqueSyntaxAttribute):
    """A comparison."""

    name = "nn.predicate"


_EVERY_NUMBER = (i8, UI8, i16, i32, i64, f32)
_UNARY_ELEMENTS: Mapping[Unary, tuple[Attribute, ...]] = {
    Unary.ABS: (i32, f32),
    Unary.CLZ: (i32,),
    Unary.LOGICAL_NOT: (i1,),
    Unary.NEG: (i8, i16, i32, i64, f32),
    Unary.SIGN: (i32, f32),
}
_BINARY_ELEMENTS: Mapping[Binary, tuple[Attribute, ...]] = {
    Binary.BITWISE_AND: (i8, i16, i32, i64),
    Binary.BITWISE_OR: (i8, i16, i32, i64),
    Binary.BITWISE_XOR: (i8, i16, i32, i64),
    Binary.FLOOR_DIV: (i8, i16, i32, f32),
    Binary.FLOOR_MOD: (i8, i16, i32, i64, f32),
    Binary.LOGICAL_AND: (i1,),
    Binary.LOGICAL_OR: (i1,),
    Binary.MAXIMUM: _EVERY_NUMBER,
    Binary.MINIMUM: _EVERY_NUMBER,
    Binary.POW: (i32, f32),
    Binary.ROUNDING_SHIFT_RIGHT: (i32, i64),
    Binary.SHIFT_LEFT: (i32, i64),
    Binary.SHIFT_RIGHT: (i32, i64),
    Binary.SHIFT_RIGHT_UNSIGNED: (i32, i64),
}


_EXTREMES: Mapping[Binary, np.ufunc] = {Binary.MAXIMUM: np.maximum, Binary.MINIMUM: np.minimum}


def _verify_element(op: Operation, function: str, element: Attribute, elements: Sequence[Attribute]) -> None:
    if element not in elements:
        raise VerifyException(f"'{op.name}' op {function} is not defined for elements of type {element}")


@irdl_op_definition
class UnaryOp(FromTensor, Elementwise):
    """A function of every element, which the result has the type of; float32 unless the function says otherwise.

    Rules as TensorFlow Lite's reference kernels: `round_even` rounds halves to even, `elu` has a slope of 1, `gelu` is
    exact and `gelu_tanh` its approximation, integers wrap. `clz` counts the zero bits above the highest one, as TOSA's.
    """

    name = "nn.unary"
    function = prop_def(UnaryAttr)
    assembly_format = "$function $input" + SIGNATURE

    def __init__(self, function: Unary, input: Value, output_type: TensorType):
        super().__init__(input, output_type, {"function": UnaryAttr(function)})

    def verify_(self) -> None:
        self.verify_same_shape()
        element, function = element_type_of(self.output), self.function.data
        if element != element_type_of(self.input):
            raise VerifyException(f"'{self.name}' op operand and result must have the same element type")
        _verify_element(self, function, element, _UNARY_ELEMENTS.get(function, (f32,)))


@irdl_op_definition
class BinaryOp(ElementwiseBinary, HasRanges):
    """A function of two elements with broadcasting, which the result has the type of.

    Rules as TensorFlow Lite's reference kernels; quantised elements have one scale. `floor_div` and `floor_mod` round
    toward minus infinity (the remainder has the divisor's sign); integers divided by 0 give 0. Shifts are TOSA's: by
    the lower bits of the second element, as many as name a bit of the first; `rounding_shift_right` rounds halves up.
    """

    name = "nn.binary"
    function = prop_def(BinaryAttr)
    assembly_format = "$function $lhs `,` $rhs" + SIGNATURE

    def __init__(self, function: Binary, lhs: Value, rhs: Value, output_type: TensorType):
        super().__init__(lhs, rhs, output_type, {"function": BinaryAttr(function)})

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """The ends of the larger and the smaller of integers."""
        channels, chooses = channels_of(self.output), _EXTREMES.get(self.function.data)
        if chooses is None or operands[0].is_real:
            return [Ranges.everything(element_type_of(self.output), channels)]
        lhs, rhs = (each.broadcast(channels) for each in operands)
        return [Ranges(chooses(lhs.least, rhs.least), chooses(lhs.most, rhs.most))]

    def verify_elements(self) -> None:
        super().verify_elements()
        element, function = element_type_of(self.output), self.function.data
        if element != element_type_of(self.lhs):
            raise VerifyException(f"'{self.name}' op operands and result must have the same element type")
        _verify_element(self, function, element, _BINARY_ELEMENTS.get(function, (f32,)))


@irdl_op_definition
class CompareOp(ElementwiseBinary):
    """A comparison of two tensors with broadcasting.

    Quantised rule (TensorFlow Lite `reference_ops::ComparisonWithScaling`): each operand, less its zero point and
    shifted left by 8, is rescaled by its own scale before they are compared. 16-bit elements have one scale and are
    compared as they are.
    """

    name = "nn.compare"
    predicate = prop_def(PredicateAttr)
    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of the two operands."""
    rescale = opt_prop_def(RescaleAttr)
    """Two factors: the operands' scales."""
    assembly_format = "$predicate $lhs `,` $rhs (`zero_points` $zero_points^)? (`rescale` $rescale^)?" + SIGNATURE

    def __init__(
        self,
        predicate: Predicate,
        lhs: Value,
        rhs: Value,
        output_type: TensorType,
        *,
        zero_points: Sequence[int] | None = None,
        rescale: RescaleAttr | None = None,
    ):
        scales = {"zero_points": integers(zero_points), "rescale": rescale}
        super().__init__(lhs, rhs, output_type, {"predicate": PredicateAttr(predicate), **scales})

    @property
    def quantised(self) -> Steps | None:
        """How operands become comparable, if they have scales of their own."""
        if self.zero_points is None or self.rescale is None:
            return None
        return Steps(ints(self.zero_points), self.rescale)

    def verify_elements(self) -> None:
        super().verify_elements()
        if element_type_of(self.output) != i1:
            raise VerifyException(f"'{self.name}' op result elements must be i1, got {element_type_of(self.output)}")

    def verify_(self) -> None:
        super().verify_()
        element, scaled = element_type_of(self.lhs), self.rescale is not None
        if scaled != (self.zero_points is not None) or (element != i16 and scaled != (element in (i8, UI8))):
            raise VerifyException(
                f"'{self.name}' op needs zero_points and rescale for elements of 8 bits, and has them else for i16 only"
            )
        if self.rescale is not None and self.zero_points is not None:
            expect_length(self, "zero_points", len(self.zero_points), 2)
            expect_length(self, "rescale", len(self.rescale.multiplier), 2)

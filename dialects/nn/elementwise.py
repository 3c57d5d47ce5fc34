"""Elementwise arithmetic of two operands with broadcasting; quantised, integer or float."""

from __future__ import annotations

import abc
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import ClassVar, Unpack

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import TensorType, i8, i16
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..values import Properties, Value
from .interfaces import Elementwise, Foldable, HasRanges, channels_of, element_type_of, expect_shape, shape_of
from .quantisation import Quantisation
from .quantised import is_scaled
from .ranges import Ranges, requantised, rescaled
from .scaling import SHIFTED_SCALING, Shifted, ShiftedScaling, scaled_properties
from .signature import SIGNATURE, OnTensors


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


class ElementwiseBinary(OnTensors, Elementwise, abc.ABC):
    """Base of the two-operand elementwise operators."""

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    output = result_def(TensorType)

    def __init__(self, lhs: Value, rhs: Value, output_type: TensorType, properties: Properties):
        super().__init__(operands=[lhs, rhs], result_types=[output_type], properties=properties)

    def inferred_shape(self) -> tuple[int, ...]:
        """The broadcast shape; raises VerifyException if the operands do not broadcast."""
        return broadcast_shapes(self, shape_of(self.lhs), shape_of(self.rhs))

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        self.verify_elements()

    def verify_elements(self) -> None:
        """Raise VerifyException unless the element types go together."""
        if element_type_of(self.lhs) != element_type_of(self.rhs):
            raise VerifyException(f"'{self.name}' op operands must have the same element type")


class Arithmetic(ElementwiseBinary, Foldable, HasRanges, Shifted, abc.ABC):
    """Base of arithmetic that rescales quantised elements; integers without a scale wrap, floats have no attributes."""

    FACTORS: ClassVar[int]
    """How many factors `rescale` has."""
    SHIFTED: ClassVar[bool] = False
    """Whether operands get head room before they are rescaled."""
    ON_INTEGERS: ClassVar[np.ufunc | None] = None
    """Function on integers without a scale."""

    assembly_format = "$lhs `,` $rhs" + SHIFTED_SCALING + SIGNATURE

    def __init__(self, lhs: Value, rhs: Value, *, output_type: TensorType, **scaling: Unpack[ShiftedScaling]):
        super().__init__(lhs, rhs, output_type, scaled_properties(**scaling))

    def fuses_clamp(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Ranges of quantised results; the clamp unless a class says more."""
        channels = channels_of(self.output)
        if self.quantised is None:
            return [Ranges.everything(element_type_of(self.output), channels)]
        known = self._quantised_ranges(self.quantised, [each.broadcast(channels) for each in operands])
        return [Ranges.clamped(self.quantised.clamp, channels) if known is None else known]

    def _quantised_ranges(self, quantised: Quantisation, operands: Sequence[Ranges]) -> Ranges | None:
        return None

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]] | None:
        scaled, real = is_scaled(element_type_of(self.output)), operands[0].dtype.kind == "f"
        if self.ON_INTEGERS is None or self.clamp is not None or scaled or real:
            return None
        return [self.ON_INTEGERS(*operands)]

    def verify_elements(self) -> None:
        super().verify_elements()
        if element_type_of(self.output) != element_type_of(self.lhs):
            raise VerifyException(f"'{self.name}' op operands and result must have the same element type")

    def verify_(self) -> None:
        super().verify_()
        self.verify_shifted(element_type_of(self.output), 3, self.FACTORS, shifted=self.SHIFTED)


def _squared_difference(lhs: Ranges, rhs: Ranges) -> Ranges:
    return (lhs - rhs).squared()


class Summing(Arithmetic, abc.ABC):
    """Base of what brings both operands to a common scale, with head room: factors of each and of the result."""

    FACTORS: ClassVar[int] = 3
    SHIFTED: ClassVar[bool] = True
    COMBINES: ClassVar[Callable[[Ranges, Ranges], Ranges] | None] = None
    """Function that makes ranges at the common scale one, if that is monotone."""

    def _quantised_ranges(self, quantised: Quantisation, operands: Sequence[Ranges]) -> Ranges | None:
        combines = type(self).COMBINES
        if combines is None:
            return None
        factors = quantised.rescale
        (lhs, first), (rhs, second) = (
            rescaled(each.less(quantised.zero_points[n], quantised.headroom), factors.factor(n))
            for n, each in enumerate(operands)
        )
        to_result = factors.factor(2), quantised.zero_points[2], quantised.clamp
        return requantised(combines(lhs, rhs), *to_result, known=first & second)


@irdl_op_definition
class AddOp(Summing):
    """Sum of two tensors with broadcasting.

    Quantised rule (TensorFlow Lite `reference_integer_ops::Add`): each operand, less its zero point and shifted left by
    `left_shift` (20 for 8 bits, 15 for 16), is rescaled by its own factor to a common scale of twice the larger operand
    scale; the sum is rescaled to the output scale, its zero point added, and clamped. All factors in double; double
    rounding. Factors: of the two operands and of the sum.
    """

    name = "nn.add"
    ON_INTEGERS: ClassVar[np.ufunc | None] = np.add
    COMBINES: ClassVar[Callable[[Ranges, Ranges], Ranges] | None] = operator.add


@irdl_op_definition
class SubOp(Summing):
    """Difference of two tensors with broadcasting; the quantised rule is that of `nn.add`."""

    name = "nn.sub"
    ON_INTEGERS: ClassVar[np.ufunc | None] = np.subtract
    COMBINES: ClassVar[Callable[[Ranges, Ranges], Ranges] | None] = operator.sub


@irdl_op_definition
class SquaredDifferenceOp(Summing):
    """`(lhs - rhs)**2` with broadcasting.

    Quantised rule (TensorFlow Lite `squared_difference.cc`): the difference as in `nn.sub` with a `left_shift` of 7
    for int8 and 0 for int16; its square is rescaled to the output scale.
    """

    name = "nn.squared_difference"
    COMBINES: ClassVar[Callable[[Ranges, Ranges], Ranges] | None] = _squared_difference


@irdl_op_definition
class MulOp(Arithmetic):
    """Product of two tensors with broadcasting.

    Quantised rule (`reference_integer_ops::Mul`): the product of the steps above zero is rescaled once.
    """

    name = "nn.mul"
    ON_INTEGERS: ClassVar[np.ufunc | None] = np.multiply
    FACTORS: ClassVar[int] = 1

    def _quantised_ranges(self, quantised: Quantisation, operands: Sequence[Ranges]) -> Ranges | None:
        lhs, rhs = (each.less(zero) for each, zero in zip(operands, quantised.zero_points[:2], strict=True))
        return requantised(lhs * rhs, quantised.rescale, quantised.zero_points[2], quantised.clamp)


@irdl_op_definition
class DivOp(Arithmetic):
    """Quotient of two tensors with broadcasting; integers without a scale are rounded toward zero.

    Quantised rule (`reference_ops::Div`): times the fixed-point reciprocal of the divisor (three Newton steps), then
    rescaled once. A divisor of 0 counts as 1 step; TensorFlow Lite leaves that open.
    """

    name = "nn.div"
    FACTORS: ClassVar[int] = 1


@irdl_op_definition
class PreluOp(Arithmetic):
    """`lhs` where it is not negative, else `lhs * rhs`, with broadcasting.

    Quantised rule (`reference_ops::Prelu`): steps above zero are rescaled by the first factor, products by the second.
    16-bit inputs have 8-bit slopes.
    """

    name = "nn.prelu"
    FACTORS: ClassVar[int] = 2

    def _quantised_ranges(self, quantised: Quantisation, operands: Sequence[Ranges]) -> Ranges | None:
        elements, slopes = (each.less(zero) for each, zero in zip(operands, quantised.zero_points[:2], strict=True))
        to_result, factors = (quantised.zero_points[2], quantised.clamp), quantised.rescale
        return elements.by_sign(
            lambda steps: requantised(steps, factors.factor(0), *to_result),
            lambda steps: requantised(steps * slopes, factors.factor(1), *to_result),
        )

    def verify_elements(self) -> None:
        input, slope, output = (element_type_of(value) for value in (self.lhs, self.rhs, self.output))
        if input != output or slope not in ((i8,) if input == i16 else (input,)):
            raise VerifyException(f"'{self.name}' op cannot combine {input} with slopes of {slope} to {output}")


@irdl_op_definition
class AddNOp(Shifted, Elementwise, HasRanges):
    """Sum of several tensors of one shape and, if they are quantised, one scale.

    Quantised rule (TensorFlow Lite `reference_ops::AddN`): as `nn.add`; all operands have the zero point and factor
    that come first, the result those that come last. As in the reference, the sum starts from minus the operands' zero
    point, rescaled. Sums of floats are clamped, too.
    """

    name = "nn.add_n"
    inputs = var_operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$inputs" + SHIFTED_SCALING + SIGNATURE

    def __init__(self, inputs: Sequence[SSAValue], output_type: TensorType, **scaling: Unpack[ShiftedScaling]):
        super().__init__(operands=[inputs], result_types=[output_type], properties=scaled_properties(**scaling))

    def fuses_clamp(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Ends of the sum that starts from minus the zero point."""
        if self.quantised is None:
            return [Ranges.everything(element_type_of(self.output), channels_of(self.output))]
        quantised, zero_point = self.quantised, self.quantised.zero_points[0]
        start = np.zeros(channels_of(self.output), np.int64)
        terms, known = zip(
            *(
                rescaled(each.less(zero_point, quantised.headroom), quantised.rescale.factor(0))
                for each in (Ranges(start, start), *operands)
            ),
            strict=True,
        )
        to_result = quantised.rescale.factor(1), quantised.zero_points[1], quantised.clamp
        return [requantised(reduce(operator.add, terms), *to_result, known=np.logical_and.reduce(known))]

    def verify_(self) -> None:
        if len(self.inputs) < 2:
            raise VerifyException(f"'{self.name}' op needs at least two operands")
        if any(value.type != self.output.type for value in self.inputs):
            raise VerifyException(f"'{self.name}' op operands and result must have the same type")
        self.verify_shifted(element_type_of(self.output), 2, 2)

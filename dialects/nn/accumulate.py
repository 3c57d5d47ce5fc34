"""What convolutions and matrix products share: a multiply-accumulate, then requantise, then clamp.

Quantised rule (TensorFlow Lite reference kernels `integer_ops/conv.h`, `depthwise_conv.h`, `fully_connected.h`, as
TFLite Micro runs them): `acc = bias + sum((input - zp_input) * (filter - zp_filter))` over the taps inside the input,
`MultiplyByQuantizedMultiplier(acc, multiplier[c], shift[c]) + zp_output`, then clamp. The accumulator has the bias's
type: int32, requantised with two roundings, or int64, requantised with a multiplier of 16 bits and a single rounding.
Float rule: the sum of products plus bias, then clamp.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, Signedness, TensorType, f32, i8, i16, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, operand_def, opt_operand_def, opt_prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from .attributes import ClampAttr, RescaleAttr, ints
from .interfaces import HasMacs, element_type_of, expect_shape, is_quantised, tensor_type
from .quantised import verify_clamp, verify_rescale, verify_zero_points

_U8 = IntegerType(8, Signedness.UNSIGNED)

ElementTypes: TypeAlias = tuple[tuple[Attribute, Attribute, Attribute], ...]
"""Element types of input, filter and output that go together."""

LARGEST_WIDE_SHIFT = 14
"""Largest left shift of a factor that 64-bit accumulators are multiplied with: 16 bits of it remain."""


class Accumulate(IRDLOperation, HasMacs, abc.ABC):
    """Base of the multiply-accumulate family; operands, quantisation and their verification."""

    ELEMENT_TYPES: ClassVar[ElementTypes] = (
        (i8, i8, i8),
        (_U8, _U8, _U8),
        (i16, i8, i16),
        (f32, f32, f32),
    )

    input = operand_def(TensorType)
    filter = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    output = result_def(TensorType)

    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of input, filter and output."""
    rescale = opt_prop_def(RescaleAttr)
    """Requantisation of the accumulator, per tensor or per output channel."""
    clamp = opt_prop_def(ClampAttr)
    """The fused activation."""
    acc_type = opt_prop_def(IntegerType)
    """Type of the quantised accumulator, i64 where it is not i32."""

    @property
    def accumulator(self) -> IntegerType:
        """Type of the quantised accumulator and bias."""
        return self.acc_type or i32

    @property
    def input_zero_point(self) -> int:
        """The quantised input's zero point; 0 for floats."""
        return self._zero_point(0)

    @property
    def filter_zero_point(self) -> int:
        """The quantised filter's zero point; 0 for floats and symmetric weights."""
        return self._zero_point(1)

    @property
    def output_zero_point(self) -> int:
        """The quantised output's zero point; 0 for floats."""
        return self._zero_point(2)

    def _zero_point(self, position: int) -> int:
        return 0 if self.zero_points is None else ints(self.zero_points)[position]

    @abc.abstractmethod
    def inferred_shape(self) -> tuple[int, ...]:
        """The output shape that operands and attributes imply; raises VerifyException if they contradict."""

    def verify_(self) -> None:
        expect_shape(self, "result", tensor_type(self.output).get_shape(), self.inferred_shape())
        channels = self.inferred_shape()[-1]
        element = element_type_of(self.output)
        if self.bias is not None:
            expect_shape(self, "bias", tensor_type(self.bias).get_shape(), (channels,))
            self._verify_bias(element)
        types = element_type_of(self.input), element_type_of(self.filter), element
        if types not in self.ELEMENT_TYPES:
            raise VerifyException(
                f"'{self.name}' op input, filter and result elements {', '.join(map(str, types))} do not go together"
            )
        if self.acc_type is not None and (self.acc_type != i64 or not is_quantised(element)):
            raise VerifyException(f"'{self.name}' op accumulator of {element} elements cannot be {self.acc_type}")
        if self.acc_type is not None and self.rescale is not None and max(self.rescale.shifts) > LARGEST_WIDE_SHIFT:
            raise VerifyException(
                f"'{self.name}' op factor of 2**{max(self.rescale.shifts)} is too large for the accumulator i64"
            )
        verify_zero_points(self, self.zero_points, 3, element)
        verify_rescale(self, self.rescale, channels, element)
        verify_clamp(self, self.clamp, element)

    def _verify_bias(self, element: Attribute) -> None:
        assert self.bias is not None, "called with a bias only"
        expected = self.accumulator if is_quantised(element) else element
        if element_type_of(self.bias) != expected:
            raise VerifyException(
                f"'{self.name}' op bias elements must be {expected}, got {element_type_of(self.bias)}"
            )


def quantisation_properties(
    zero_points: Sequence[int] | None,
    rescale: RescaleAttr | None,
    clamp: ClampAttr | None,
    acc_type: IntegerType | None = None,
) -> dict[str, Attribute | None]:
    """The properties of the family from plain Python values."""
    return {
        "zero_points": None if zero_points is None else DenseArrayBase.from_list(i32, zero_points),
        "rescale": rescale,
        "clamp": clamp,
        "acc_type": acc_type,
    }

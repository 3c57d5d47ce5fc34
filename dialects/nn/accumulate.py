"""Common parts of convolutions and matrix products: a multiply-accumulate, then requantise, then clamp.

Quantised rule (TensorFlow Lite reference kernels `integer_ops/conv.h`, `depthwise_conv.h`, `fully_connected.h`, as
TFLite Micro runs them): `acc = bias + sum((input - zp_input) * (filter - zp_filter))` over the taps inside the input,
`MultiplyByQuantizedMultiplier(acc, multiplier[c], shift[c]) + zp_output`, then clamp; factors may have another
rounding (`rounding.py`). The accumulator has the bias's
type: int32, requantised with two roundings, or int64, requantised with a multiplier of 16 bits and a single rounding.
With a `factor`, the requantised value is `round(acc * factor)` in double, halves away from zero.
A result of int32 is the accumulator itself: its factor is 1.
Float rule: the sum of products plus bias, then clamp.

Hybrid rule (`DepthwiseConvHybridPerChannel`, `HybridConvPerChannel`, `MatrixBatchVectorMultiplyAccumulate`): the input
is quantised by slices along dimension 0 (`nn.dynamic_quantize`); the sum of products less the slice's zero point is an
int32, multiplied as a float by `row_scales[n] * filter_scales[c]`; then the float bias and clamp.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, Unpack

import numpy as np
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerType,
    Signedness,
    TensorType,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..values import Properties, Value, integers, real
from .attributes import SAME, ints
from .constant import ConstantOp
from .interfaces import HasMacs, HasRanges, channels_of, element_type_of, expect_shape, is_quantised, tensor_type
from .quantised import verify_clamp, verify_rescale, verify_zero_points
from .quantised_sums import QuantisedSums, of_sums
from .ranges import Ranges
from .rounding import Rounding
from .scaling import Rescales, Scaling
from .signature import SIGNATURE
from .taps import Taps

_U8 = IntegerType(8, Signedness.UNSIGNED)

ElementTypes: TypeAlias = tuple[tuple[Attribute, Attribute, Attribute], ...]
"""Element types of input, filter and output that go together."""

QUANTISATION_FORMAT = (
    " (`filter_scales` $filter_scales^)? (`zero_points` $zero_points^)? (`rescale` $rescale^)? (`factor` $factor^)?"
    " (`acc_type` $acc_type^)? (`clamp` $clamp^)?" + SIGNATURE
)
"""The end of the family's assembly formats."""

LARGEST_WIDE_SHIFT = 14
"""Largest left shift of a factor that 64-bit accumulators are multiplied with: 16 bits of it remain."""


class Accumulate(Rescales, HasMacs, HasRanges, abc.ABC):
    """Base of the multiply-accumulate family; operands, quantisation and their verification.

    There are zero points of input, filter and output, and factors of the accumulator, one or one per output channel.
    """

    ELEMENT_TYPES: ClassVar[ElementTypes] = (
        (i8, i8, i8),
        (_U8, _U8, _U8),
        (i16, i8, i16),
        (f32, f32, f32),
        (i8, i8, i32),
        (i8, i8, f32),
    )

    input = operand_def(TensorType)
    filter = operand_def(TensorType)
    extras = var_operand_def(TensorType)
    """At most three: bias, row scales, row zero points."""
    output = result_def(TensorType)

    filter_scales = opt_prop_def(DenseArrayBase.constr(f32))
    """Hybrid: scale of the filter, or one for each output channel."""
    factor = opt_prop_def(FloatAttr.constr(type=f64))
    """Instead of `rescale`: the factor as a double, with which LiteRT requantises legacy matrix products."""
    acc_type = opt_prop_def(IntegerType)
    """Type of the quantised accumulator, i64 where it is not i32."""
    traits = traits_def(Pure())

    def __init__(
        self,
        input: Value,
        filter: Value,
        bias: Value | None,
        properties: Properties | None = None,
        *,
        output_type: TensorType,
        **scaling: Unpack[AccumulatorScaling],
    ):
        super().__init__(
            operands=[input, filter, extra_operands(bias, scaling.get("hybrid"))],
            result_types=[output_type],
            properties={**(properties or {}), **accumulator_properties(**scaling)},
        )

    @property
    def bias(self) -> SSAValue | None:
        """The bias; hybrid operators always have one."""
        return self._extra(0)

    @property
    def hybrid(self) -> Hybrid | None:
        """The scales, if the input is quantised by rows."""
        if self.filter_scales is None or len(self.extras) < 2:
            return None
        scales = tuple(float(scale) for scale in self.filter_scales.get_values())
        return Hybrid(self.extras[1], self._extra(2), scales)

    def _extra(self, position: int) -> SSAValue | None:
        return self.extras[position] if position < len(self.extras) else None

    @property
    def accumulator(self) -> IntegerType:
        """Type of the quantised accumulator and bias."""
        return self.acc_type or i32

    @property
    def quantised(self) -> QuantisedSums | None:
        """How sums of quantised elements become the result."""
        factor = self.rescale if self.factor is None else self.factor.value.data
        if self.zero_points is None or factor is None or self.clamp is None:
            return None
        input, filter, output = ints(self.zero_points)
        return QuantisedSums(input, filter, output, self.accumulator, factor, self.clamp)

    def fuses_clamp(self) -> bool:
        return True

    def taps(self) -> Taps | None:
        """The weights by output channel, tap and input channel; None unless they are constants of such a form."""
        return None

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """From the weights and the bias; the clamp where one of them is known at run time only."""
        channels, element = channels_of(self.output), element_type_of(self.output)
        taps, quantised = self.taps(), self.quantised
        biases = None if self.bias is None else self.bias.owner
        if taps is None or (biases is not None and not isinstance(biases, ConstantOp)) or self.hybrid is not None:
            return [Ranges.everything(element, channels) if quantised is None else quantised.anything(channels)]
        bias = np.zeros(channels, np.int64) if biases is None else biases.array
        if quantised is None:
            return [taps.real_constants(bias).within(self.clamp)]
        sums = taps.sums(operands[0].less(quantised.input_zero_point), quantised.filter_zero_point)
        return [of_sums(sums + Ranges(bias.astype(np.int64), bias.astype(np.int64)), quantised)]

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
        if len(self.extras) > 3:
            raise VerifyException(f"'{self.name}' op has {len(self.extras) + 2} operands, expected at most 5")
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
        if self.acc_type is not None and self.rescale is not None and self.rescale.rounding is not Rounding.DOUBLE:
            raise VerifyException(f"'{self.name}' op accumulator i64 has the rounding double only")
        self._verify_hybrid(types[0] != element and not is_quantised(element), channels)
        verify_zero_points(self, self.zero_points, 3, element)
        if self.factor is None:
            verify_rescale(self, self.rescale, channels, element)
        elif self.rescale is not None or not is_quantised(element):
            raise VerifyException(f"'{self.name}' op factor stands for the rescale of quantised elements only")
        verify_clamp(self, self.clamp, element)
        if element == i32 and (self.rescale != SAME or self.zero_points is None or ints(self.zero_points)[2]):
            raise VerifyException(f"'{self.name}' op result of i32 has the factor 1 and the zero point 0")

    def _verify_hybrid(self, hybrid: bool, channels: int) -> None:
        if (len(self.extras) > 1) != hybrid or (self.filter_scales is not None) != hybrid:
            raise VerifyException(
                f"'{self.name}' op needs row_scales and filter_scales for a quantised input and a float result only"
            )
        rows = tensor_type(self.input).get_shape()[:1]
        for what, value, element in zip(("row_scales", "row_zero_points"), self.extras[1:], (f32, i32), strict=False):
            expect_shape(self, what, tensor_type(value).get_shape(), rows)
            if element_type_of(value) != element:
                raise VerifyException(f"'{self.name}' op {what} must be {element} and go with a hybrid operator")
        if self.filter_scales is not None and len(self.filter_scales) not in (1, channels):
            raise VerifyException(f"'{self.name}' op filter_scales must have 1 or {channels} entries")

    def _verify_bias(self, element: Attribute) -> None:
        assert self.bias is not None, "called with a bias only"
        expected = self.accumulator if is_quantised(element) else element
        if element_type_of(self.bias) != expected:
            raise VerifyException(
                f"'{self.name}' op bias elements must be {expected}, got {element_type_of(self.bias)}"
            )


@dataclass(frozen=True)
class Hybrid:
    """The scales of a hybrid operator."""

    row_scales: SSAValue
    row_zero_points: SSAValue | None
    filter_scales: tuple[float, ...]


class AccumulatorScaling(Scaling, total=False):
    """How an accumulator becomes the result, as arguments of the constructors."""

    acc_type: IntegerType | None
    hybrid: Hybrid | None
    factor: float | None


def extra_operands(bias: Value | None, hybrid: Hybrid | None) -> list[Value]:
    """The operands behind the filter; hybrid operators must have a bias."""
    assert hybrid is None or bias is not None, "hybrid operators get a bias of zeros"
    scales = () if hybrid is None else (hybrid.row_scales, hybrid.row_zero_points)
    return [value for value in (bias, *scales) if value is not None]


def accumulator_properties(**scaling: Unpack[AccumulatorScaling]) -> dict[str, Attribute | None]:
    """The properties of the family from plain Python values."""
    hybrid = scaling.get("hybrid")
    return {
        "zero_points": integers(scaling.get("zero_points")),
        "rescale": scaling.get("rescale"),
        "clamp": scaling.get("clamp"),
        "acc_type": scaling.get("acc_type"),
        "factor": real(scaling.get("factor"), f64),
        "filter_scales": None if hybrid is None else DenseArrayBase.from_list(f32, hybrid.filter_scales),
    }

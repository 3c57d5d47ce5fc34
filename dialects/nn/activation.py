"""Activation functions and other functions of single quantised elements: `nn.table`, `nn.clamp` and their like."""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto
from functools import partial
from typing import Unpack

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    TensorType,
    f32,
    i8,
    i16,
    i32,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..fx.interpolation import STEPS
from ..values import Value, integer, integers
from .attributes import ClampAttr, ints
from .integers import integer_range
from .interfaces import FusesClamp, HasRanges, element_type_of, expect_length
from .quantisation import Quantisation
from .quantise import Recode
from .quantised import UI8, is_scaled, verify_clamp
from .ranges import Ranges, requantised
from .scaling import SCALING, Scaled, Scaling, scaled_properties
from .signature import SIGNATURE

WIDTH = 1 << 7
"""Elements of 16 bits from one entry of a table to the next."""


@irdl_op_definition
class TableOp(Recode, HasRanges):
    """Any function of 8-bit elements, as a table of its results in the order of the elements' values.

    There are 256, or those from the element `first` on of a shorter table that all elements lie in. Of 16-bit elements
    513 entries, a result for every 128th element; those between are interpolated. Results of 32 bits are not rounded,
    and have 7 bits more behind the point: TOSA's TABLE. The importer computes the entries by the reference kernel's
    formula.
    """

    name = "nn.table"
    values = prop_def(DenseArrayBase.constr(i32))
    """Results, of the lowest element first."""
    first = opt_prop_def(IntegerAttr.constr(type=i32))
    """The element of the first result, where it is not the lowest of the type."""
    assembly_format = "$input `values` $values (`first` $first^)?" + SIGNATURE

    def __init__(self, input: Value, values: Sequence[int], output_type: TensorType):
        super().__init__(input, output_type, {"values": integers(values)})

    @property
    def least(self) -> int:
        """The element that the first entry is for."""
        return integer_range(element_type_of(self.input))[0] if self.first is None else self.first.value.data

    @property
    def array(self) -> npt.NDArray[np.int64]:
        """The entries."""
        return np.array(ints(self.values))

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        element, entries, last = element_type_of(self.input), self.array, 1
        first, step = self.least, 1
        if element == i16:
            if (np.abs(np.diff(entries)) > integer_range(i16)[1]).any():
                # Differences wrap.
                return [Ranges.everything(element_type_of(self.output), operands[0].channels)]
            # What lies between two entries is between them, whatever it is rounded to.
            step, last = WIDTH, 2
            entries = entries * (WIDTH if element_type_of(self.output) == i32 else 1)
        parts = [
            entries[(low - first) // step : (high - first) // step + last]
            for low, high in zip(operands[0].least.tolist(), operands[0].most.tolist(), strict=True)
        ]
        return [Ranges(np.array([part.min() for part in parts]), np.array([part.max() for part in parts]))]

    def verify_(self) -> None:
        super().verify_()
        wide = element_type_of(self.input) == i16
        elements = (i16, i32) if wide else (i8, UI8)
        if element_type_of(self.input) not in (*elements[:-1], UI8) or element_type_of(self.output) not in elements:
            raise VerifyException(f"'{self.name}' op elements must be of 8 bits, or of 16 with results of 16 or 32")
        if self.first is None:
            expect_length(self, "values", len(self.values), STEPS + 1 if wide else 256)
        elif wide or not self._is_part():
            raise VerifyException(f"'{self.name}' op values from an element on must be those of elements of 8 bits")
        lower, upper = integer_range(i16 if wide else element_type_of(self.output))
        if min(ints(self.values)) < lower or max(ints(self.values)) > upper:
            raise VerifyException(f"'{self.name}' op values leave the range of the result's elements")

    def _is_part(self) -> bool:
        least, most = integer_range(element_type_of(self.input))
        return least <= self.least <= self.least + len(self.values) - 1 <= most


@irdl_op_definition
class ClampOp(Recode, FusesClamp, HasRanges):
    """`min(max(x, lower), upper)`; TOSA's CLAMP."""

    name = "nn.clamp"
    clamp = prop_def(ClampAttr)
    assembly_format = "$input `clamp` $clamp" + SIGNATURE

    def __init__(self, input: Value, clamp: ClampAttr, output_type: TensorType):
        super().__init__(input, output_type, {"clamp": clamp})

    def fuses_clamp(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        return [operands[0].within(self.clamp)]

    def verify_(self) -> None:
        super().verify_()
        verify_clamp(self, self.clamp, element_type_of(self.output))


class RescaledBySign(Recode, HasRanges, Scaled):
    """Base: functions of the steps of quantised elements above and below zero, with zero points of input and result."""

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Ranges of quantised results; the clamp unless a class says more."""
        quantised = self.quantised
        if quantised is None:
            return [Ranges.everything(element_type_of(self.output), operands[0].channels)]
        return [self._of_steps(operands[0].less(quantised.zero_points[0]), quantised)]

    def _of_steps(self, steps: Ranges, quantised: Quantisation) -> Ranges:
        return Ranges.clamped(quantised.clamp, steps.channels)

    assembly_format = "$input" + SCALING + SIGNATURE

    def __init__(self, input: Value, output_type: TensorType, **scaling: Unpack[Scaling]):
        super().__init__(input, output_type, scaled_properties(**scaling))

    def _verify_scaled(self, factors: int) -> None:
        scaled = is_scaled(element_type_of(self.output))
        given = [attribute is not None for attribute in (self.zero_points, self.rescale, self.clamp)]
        if given != [scaled] * 3:
            raise VerifyException(
                f"'{self.name}' op needs zero_points, rescale and clamp exactly when elements are quantised"
            )
        if self.zero_points is not None and self.rescale is not None:
            expect_length(self, "zero_points", len(self.zero_points), 2)
            expect_length(self, "rescale", len(self.rescale.multiplier), factors)
            verify_clamp(self, self.clamp, element_type_of(self.output))


@irdl_op_definition
class LeakyReluOp(RescaledBySign):
    """`x` where it is positive, else `alpha * x`.

    Quantised rule (TensorFlow Lite `reference_ops::QuantizeLeakyRelu`): steps above zero are rescaled by the first
    factor if they are not negative, else by the second.
    """

    name = "nn.leaky_relu"
    alpha = opt_prop_def(FloatAttr.constr(type=f32))
    """The slope of floats."""
    assembly_format = "$input (`alpha` $alpha^)?" + SCALING + SIGNATURE

    def __init__(
        self, input: Value, output_type: TensorType, *, alpha: float | None = None, **scaling: Unpack[Scaling]
    ):
        super().__init__(input, output_type, **scaling)
        if alpha is not None:
            self.properties["alpha"] = FloatAttr(alpha, f32)

    def _of_steps(self, steps: Ranges, quantised: Quantisation) -> Ranges:
        above, below = (
            partial(
                requantised,
                factors=quantised.rescale.factor(number),
                zero_point=quantised.zero_points[1],
                clamp=quantised.clamp,
            )
            for number in range(2)
        )
        return steps.by_sign(above, below)

    def verify_(self) -> None:
        super().verify_()
        self._verify_scaled(2)
        if (self.alpha is None) is not is_scaled(element_type_of(self.output)):
            raise VerifyException(f"'{self.name}' op needs alpha exactly when elements are floats")


class AlwaysRescaled(RescaledBySign):
    """Base of those that quantised elements alone have."""

    @property
    def quantised(self) -> Quantisation:
        known = super().quantised
        assert known is not None, "verified: elements are quantised"
        return known


@irdl_op_definition
class AbsOp(AlwaysRescaled):
    """The magnitude of quantised elements, rescaled (TensorFlow Lite Micro `AbsEvalQuantized`)."""

    name = "nn.abs"

    def _of_steps(self, steps: Ranges, quantised: Quantisation) -> Ranges:
        return requantised(steps.magnitudes(), quantised.rescale, quantised.zero_points[1], quantised.clamp)

    def verify_(self) -> None:
        super().verify_()
        self._verify_scaled(1)


RSQRT_BITS = 20
"""Fractional bits of the inverse root before it is rescaled."""


@irdl_op_definition
class RsqrtOp(AlwaysRescaled):
    """The inverse square root of quantised int16.

    Rule (TensorFlow Lite Micro `RsqrtEvalQuantized`): the fixed-point inverse root of the steps above zero, in units of
    `2**-20`, is rescaled. What is not positive gives the upper bound, as 0 does in the reference.
    """

    name = "nn.rsqrt"

    def verify_(self) -> None:
        super().verify_()
        self._verify_scaled(1)
        if not element_type_of(self.input) == element_type_of(self.output) == i16:
            raise VerifyException(f"'{self.name}' op elements must be i16")


class Sigmoid(StrEnum):
    """The functions that `nn.sigmoid` computes."""

    LOGISTIC = auto()
    TANH = auto()


@irdl_attr_definition
class SigmoidAttr(EnumAttribute[Sigmoid], SpacedOpaqueSyntaxAttribute):
    """A sigmoid function."""

    name = "nn.sigmoid_function"


@irdl_op_definition
class SigmoidOp(Recode):
    """The logistic function or the hyperbolic tangent of int16 as Q0.15, from a table with linear interpolation.

    The input is brought to steps of 2**-12 / 3 by `multiplier` and a rounding shift to the right by `shift`.
    Source: TensorFlow Lite `reference_integer_ops::Logistic` and `Tanh` of int16.
    """

    name = "nn.sigmoid"
    function = prop_def(SigmoidAttr)
    multiplier = prop_def(IntegerAttr.constr(type=i32))
    shift = prop_def(IntegerAttr.constr(type=i32))
    assembly_format = "$function $input `multiplier` $multiplier `shift` $shift" + SIGNATURE

    def __init__(self, function: Sigmoid, input: Value, multiplier: int, shift: int, output_type: TensorType):
        factor = {"multiplier": integer(multiplier), "shift": integer(shift)}
        super().__init__(input, output_type, {"function": SigmoidAttr(function), **factor})

    def verify_(self) -> None:
        super().verify_()
        if not element_type_of(self.input) == element_type_of(self.output) == i16:
            raise VerifyException(f"'{self.name}' op elements must be i16")
        if not 0 < self.multiplier.value.data < 1 << 15 or not 0 <= self.shift.value.data <= 31:
            raise VerifyException(f"'{self.name}' op multiplier must have 15 bits and the shift lie in [0, 31]")

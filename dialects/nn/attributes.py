"""Attributes and types of `nn`: where an operator comes from, its quantisation as explicit integers, variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    f32,
    i32,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .rounding import Rounding


def ints(attribute: DenseArrayBase) -> tuple[int, ...]:
    """The values of a dense integer array as Python ints."""
    return cast(DenseArrayBase[IntegerType], attribute).get_values()


@irdl_attr_definition
class OriginAttr(ParametrizedAttribute):
    """The operator of the imported model that an operation stands for.

    Example: `#nn.origin<3, "CONV_2D", "model/conv_1/Relu">` (index in the model, built-in name, output tensor).
    """

    name = "nn.origin"
    index: IntAttr
    opcode: StringAttr
    tensor: StringAttr

    @staticmethod
    def get(index: int, opcode: str, tensor: str) -> OriginAttr:
        """Build from plain Python values."""
        return OriginAttr(IntAttr(index), StringAttr(opcode), StringAttr(tensor))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            index = parser.parse_integer()
            parser.parse_punctuation(",")
            opcode = parser.parse_str_literal()
            parser.parse_punctuation(",")
            return IntAttr(index), StringAttr(opcode), StringAttr(parser.parse_str_literal())

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.index.data}, ")
            printer.print_attribute(self.opcode)
            printer.print_string(", ")
            printer.print_attribute(self.tensor)


def _parse_bound(parser: AttrParser) -> int | float:
    for sign, text in ((1.0, "inf"), (-1.0, "ninf")):
        if parser.parse_optional_keyword(text) is not None:
            return sign * math.inf
    return parser.parse_number()


def _format_bound(value: int | float) -> str:
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "ninf"
    # Enough digits to name every float32 exactly.
    return str(value) if isinstance(value, int) or not value else f"{value:.9e}"


@irdl_attr_definition
class ClampAttr(ParametrizedAttribute):
    """Bounds of a fused activation, both included; integers for quantised results, else floats.

    Example: `#nn.clamp<-128, 127>`, `#nn.clamp<0.0, inf>` (`ninf` is minus infinity).
    """

    name = "nn.clamp"
    lower: IntegerAttr | FloatAttr
    upper: IntegerAttr | FloatAttr

    @staticmethod
    def get(lower: int | float, upper: int | float) -> ClampAttr:
        """Build from two ints (quantised) or two floats."""
        if isinstance(lower, int) and isinstance(upper, int):
            return ClampAttr(IntegerAttr(lower, i32), IntegerAttr(upper, i32))
        return ClampAttr(FloatAttr(float(lower), f32), FloatAttr(float(upper), f32))

    @property
    def bounds(self) -> tuple[int, int] | tuple[float, float]:
        """The two bounds as Python numbers."""
        lower, upper = self.lower, self.upper
        if isinstance(lower, IntegerAttr) and isinstance(upper, IntegerAttr):
            return lower.value.data, upper.value.data
        assert isinstance(lower, FloatAttr), "verified: both bounds have one type"
        assert isinstance(upper, FloatAttr), "verified: both bounds have one type"
        return lower.value.data, upper.value.data

    @property
    def is_integer(self) -> bool:
        """Whether the bounds are those of a quantised result."""
        return isinstance(self.lower, IntegerAttr)

    def verify(self) -> None:
        if isinstance(self.lower, IntegerAttr) != isinstance(self.upper, IntegerAttr):
            raise VerifyException("nn.clamp bounds must be both integers or both floats")
        lower, upper = self.bounds
        if lower > upper:
            raise VerifyException(f"nn.clamp lower bound {lower} exceeds upper bound {upper}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            lower = _parse_bound(parser)
            parser.parse_punctuation(",")
            upper = _parse_bound(parser)
        if isinstance(lower, int) != isinstance(upper, int):
            parser.raise_error("nn.clamp bounds must be both integers or both floats")
        made = cls.get(lower, upper)
        return made.lower, made.upper

    def print_parameters(self, printer: Printer) -> None:
        lower, upper = self.bounds
        printer.print_string(f"<{_format_bound(lower)}, {_format_bound(upper)}>")


@irdl_attr_definition
class RescaleAttr(ParametrizedAttribute):
    """Fixed-point factors `multiplier * 2**(shift - 31)`, one for the tensor or one per output channel, and a rounding.

    Multipliers are Q0.31 in [2**30, 2**31) or 0; a positive shift is to the left. The rounding is `double` where none
    is written. With `real` a factor is a float32: its lowest seven bits are 0.
    Examples: `#nn.rescale<[1518500250], [-7]>`, `#nn.rescale<[1518500224], [-7], real>`.
    """

    name = "nn.rescale"
    multiplier: DenseArrayBase
    shift: DenseArrayBase
    rounds: StringAttr

    @staticmethod
    def get(multiplier: Sequence[int], shift: Sequence[int], rounding: Rounding = Rounding.DOUBLE) -> RescaleAttr:
        """Build from int32 values."""
        numbers = [DenseArrayBase.from_list(i32, values) for values in (multiplier, shift)]
        return RescaleAttr(numbers[0], numbers[1], StringAttr(rounding.value))

    @property
    def rounding(self) -> Rounding:
        """How products with the factors are rounded."""
        return Rounding(self.rounds.data)

    @property
    def multipliers(self) -> tuple[int, ...]:
        """The multipliers as Python ints."""
        return ints(self.multiplier)

    @property
    def shifts(self) -> tuple[int, ...]:
        """The shifts as Python ints."""
        return ints(self.shift)

    def factor(self, number: int) -> RescaleAttr:
        """One of the factors alone."""
        return RescaleAttr.get([self.multipliers[number]], [self.shifts[number]], self.rounding)

    @property
    def is_per_channel(self) -> bool:
        """Whether there is more than one factor."""
        return len(self.multiplier) > 1

    def verify(self) -> None:
        if self.multiplier.elt_type != i32 or self.shift.elt_type != i32:
            raise VerifyException("nn.rescale multipliers and shifts must be i32")
        if len(self.multiplier) != len(self.shift) or not len(self.multiplier):
            raise VerifyException(
                f"nn.rescale needs as many multipliers as shifts, got {len(self.multiplier)} and {len(self.shift)}"
            )
        if any(m < 0 for m in self.multipliers):
            raise VerifyException("nn.rescale multipliers must not be negative")
        if any(not -31 <= s <= 30 for s in self.shifts):
            raise VerifyException("nn.rescale shifts must lie in [-31, 30]")
        if self.rounds.data not in tuple(Rounding):
            raise VerifyException(f"nn.rescale rounding must be {', '.join(Rounding)}, got {self.rounds.data}")
        if self.rounding is Rounding.REAL and any(m % 128 for m in self.multipliers):
            raise VerifyException("nn.rescale multipliers of rounding real must be float32: multiples of 128")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def numbers() -> DenseArrayBase:
            return DenseArrayBase.from_list(
                i32, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            )

        with parser.in_angle_brackets():
            multiplier = numbers()
            parser.parse_punctuation(",")
            shift, rounding = numbers(), Rounding.DOUBLE.value
            if parser.parse_optional_punctuation(",") is not None:
                rounding = parser.parse_identifier()
            return multiplier, shift, StringAttr(rounding)

    def print_parameters(self, printer: Printer) -> None:
        rounding = "" if self.rounds.data == Rounding.DOUBLE else f", {self.rounds.data}"
        printer.print_string(f"<{list(self.multipliers)}, {list(self.shifts)}{rounding}>")


SAME = RescaleAttr.get([1 << 30], [1])
"""The factor 1."""


@irdl_attr_definition
class VariableType(ParametrizedAttribute, TypeAttribute):
    """A place that holds a tensor from one run of the model to the next.

    Example: `!nn.variable<tensor<1x8xi16>>`.
    """

    name = "nn.variable"
    tensor: TensorType

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.tensor)

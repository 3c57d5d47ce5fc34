"""Attributes of the `pool` dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, IntAttr, IntegerAttr, IntegerType, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum


class Kind(StrEnum):
    """Kinds of pools."""

    WORKSPACE = "workspace"
    CONSTANT = "constant"


@irdl_attr_definition
class KindAttr(EnumAttribute[Kind], SpacedOpaqueSyntaxAttribute):
    """Kind of a pool: buffers written at run time, or constants."""

    name = "pool.holds"


@irdl_attr_definition
class LeadAttr(ParametrizedAttribute):
    """How an operator's output may overlap one of its inputs that dies in the call.

    `#pool.lead<0, 64>` on an output argument: its buffer may share bytes with the buffer of argument 0 if it starts at
    least 64 bytes below it (`output offset + 64 <= input offset`). 0 is in-place execution. Distances of this kind are
    the subject of "Diagonal Memory Optimisation" (Blacker et al., 2020).

    `#pool.lead<0, 64, above>`: it may start 64 bytes or more above it if the loops of the function run backwards. In a
    function with the attribute `pool.backwards` they do already, and the other kind needs them turned again.
    """

    name = "pool.lead"
    argument: IntAttr
    distance: IntAttr
    above: BoolAttr

    @staticmethod
    def get(argument: int, distance: int, *, above: bool = False) -> LeadAttr:
        """Build from an argument index and a distance in bytes."""
        return LeadAttr(IntAttr(argument), IntAttr(distance), IntegerAttr.from_bool(above))

    @property
    def is_above(self) -> bool:
        """Whether the output lies above the input."""
        return self.above.value.data != 0

    def verify(self) -> None:
        if self.argument.data < 0 or self.distance.data < 0:
            raise VerifyException("pool.lead needs a non-negative argument index and distance")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            argument = parser.parse_integer()
            parser.parse_punctuation(",")
            distance = parser.parse_integer()
            is_above = parser.parse_optional_punctuation(",") is not None
            if is_above:
                parser.parse_keyword("above")
            return IntAttr(argument), IntAttr(distance), IntegerAttr.from_bool(is_above)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.argument.data}, {self.distance.data}{', above' if self.is_above else ''}>")


@irdl_attr_definition
class PartAttr(ParametrizedAttribute):
    """Note that an operator only moves elements: which argument is a part of which other one.

    `#pool.part<0 in 2, offset 24, [3, 4] strides [8, 1]>` on a call: element (i, j) of argument 0, seen with shape
    [3, 4], is element `24 + 8 i + j` of argument 2. Where all arguments that a call writes are told of so, or are
    wholes of parts that it reads, the call can go once the parts lie where they belong.
    """

    name = "pool.part"
    part: IntAttr
    whole: IntAttr
    offset: IntAttr
    shape: DenseArrayBase[IntegerType]
    strides: DenseArrayBase[IntegerType]

    @staticmethod
    def get(part: int, whole: int, offset: int, shape: Sequence[int], strides: Sequence[int]) -> PartAttr:
        """Build from argument indices, and an offset and strides in elements."""
        arrays = (DenseArrayBase.from_list(i64, list(numbers)) for numbers in (shape, strides))
        return PartAttr(IntAttr(part), IntAttr(whole), IntAttr(offset), *arrays)

    def verify(self) -> None:
        if self.part.data < 0 or self.whole.data < 0 or self.offset.data < 0:
            raise VerifyException("pool.part needs non-negative argument indices and a non-negative offset")
        if len(self.shape) != len(self.strides):
            raise VerifyException("pool.part needs a stride for each dimension")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            part = parser.parse_integer()
            parser.parse_keyword("in")
            whole = parser.parse_integer()
            parser.parse_punctuation(",")
            parser.parse_keyword("offset")
            offset = parser.parse_integer()
            parser.parse_punctuation(",")
            shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            parser.parse_keyword("strides")
            strides = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        return PartAttr.get(part, whole, offset, shape, strides).parameters

    def print_parameters(self, printer: Printer) -> None:
        shape, strides = (list(array.get_values()) for array in (self.shape, self.strides))
        printer.print_string(f"<{self.part.data} in {self.whole.data}, offset {self.offset.data}, ")
        printer.print_string(f"{shape} strides {strides}>")

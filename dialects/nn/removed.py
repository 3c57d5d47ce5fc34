"""The attribute `#nn.removed`: which channels of a result went, and why; a record that can be judged again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

Reason = Literal["constant", "unused", "twin"]


@dataclass(frozen=True)
class Removal:
    """One channel of a result that went."""

    channel: int
    """Its number while all were there."""
    least: int
    most: int
    """Range of the channel; of reals that are no constant 0, the most is below the least: nothing is said."""
    twin: int = -1
    """The channel that stays and holds the same elements, if that is why."""

    @property
    def reason(self) -> Reason:
        """Why it may go."""
        return "constant" if self.least == self.most else "twin" if self.twin >= 0 else "unused"


@irdl_attr_definition
class RemovedAttr(ParametrizedAttribute):
    """Channels of an operation's result that went, of so many, with what each can be and its twin if it has one.

    Example: `#nn.removed<8, [1 in -128 to -128, 5 in -128 to 127, 6 in 0 to 9 as 2]>`: channel 1 is constant, nobody
    reads channel 5, channel 6 is the same as channel 2.
    """

    name = "nn.removed"
    total: IntAttr
    numbers: ArrayAttr[IntAttr]

    @staticmethod
    def get(total: int, removals: Sequence[Removal]) -> RemovedAttr:
        """Build from plain Python values."""
        flat = [number for one in removals for number in (one.channel, one.least, one.most, one.twin)]
        return RemovedAttr(IntAttr(total), ArrayAttr(map(IntAttr, flat)))

    @property
    def removals(self) -> tuple[Removal, ...]:
        """The channels that went, ascending."""
        flat = [number.data for number in self.numbers]
        return tuple(Removal(*flat[start : start + 4]) for start in range(0, len(flat), 4))

    def verify(self) -> None:
        channels = [one.channel for one in self.removals]
        if channels != sorted(set(channels)) or any(not 0 <= one < self.total.data for one in channels):
            raise VerifyException(f"nn.removed channels must ascend below {self.total.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def removal() -> Removal:
            channel = parser.parse_integer()
            parser.parse_keyword("in")
            least = parser.parse_integer()
            parser.parse_keyword("to")
            most = parser.parse_integer()
            has_twin = parser.parse_optional_keyword("as") is not None
            return Removal(channel, least, most, parser.parse_integer() if has_twin else -1)

        with parser.in_angle_brackets():
            total = parser.parse_integer()
            parser.parse_punctuation(",")
            made = cls.get(total, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, removal))
            return made.total, made.numbers

    def print_parameters(self, printer: Printer) -> None:
        words = (
            f"{one.channel} in {one.least} to {one.most}{f' as {one.twin}' if one.twin >= 0 else ''}"
            for one in self.removals
        )
        printer.print_string(f"<{self.total.data}, [{', '.join(words)}]>")

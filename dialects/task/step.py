"""What a step of a schedule is: its text, and what becomes of the loops of a nest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from xdsl.dialects.builtin import UnitAttr
from xdsl.parser import AttrParser

from .domain import DimsAttr
from .loop import Loop

OUTER, INNER = "_o", "_i"
"""Endings that `split` adds to a dimension's name for its two parts."""


class Domain(Protocol):
    """What a step may ask of the nest."""

    space: DimsAttr
    fold: DimsAttr
    ordered: UnitAttr | None

    @property
    def repeats(self) -> bool:
        """Whether points may be computed twice."""
        ...


class Step:
    """One step: a keyword, what follows it in the text, and the text of it all (`str`)."""

    keyword: ClassVar[str]

    @classmethod
    def parse(cls, parser: AttrParser) -> Step:
        """Parse what follows the keyword: nothing, unless a step says otherwise."""
        return cls()

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        """The loops after the step; the same unless a step says otherwise.

        Args:
            domain: of the nest.
            loops: those before it, outermost first.

        Raises:
            ValueError: there is no such loop, or the result might change.
        """
        return list(loops)

    def renamed(self, name: Callable[[str], str]) -> Step:
        """Return the step for dimensions with other names."""
        return self


def parse_dims(parser: AttrParser) -> tuple[str, ...]:
    """Parse names of dimensions in brackets."""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier))


def parse_count(parser: AttrParser) -> int:
    """Parse a number that is not negative."""
    return parser.parse_integer(allow_boolean=False, allow_negative=False)

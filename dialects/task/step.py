"""What a step of a schedule is: its text, and what becomes of the loops of a nest."""

from __future__ import annotations

import abc
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Annotated, Any, ClassVar, Protocol, TypeAlias, cast, get_type_hints

from xdsl.parser import AttrParser

from .domain import DimsAttr
from .loop import Loop

OUTER, INNER = "_o", "_i"
"""Endings that `split` adds to a dimension's name for its two parts."""


class Domain(Protocol):
    """What a step may ask of the nest."""

    space: DimsAttr
    fold: DimsAttr

    @property
    def repeats(self) -> bool:
        """Whether points may be computed twice."""
        ...


def loops_in_order(domain: Domain) -> list[Loop]:
    """The loops of a nest without a schedule."""
    space = len(domain.space.data)
    named = enumerate((*domain.space.data, *domain.fold.data))
    return [Loop(name, d, extent, is_fold=d >= space) for d, (name, extent) in named]


@dataclass(frozen=True)
class Spelling:
    """How a field of a step is written in the text; part of the annotation of the field."""

    parse: Callable[[AttrParser], Any]
    text: Callable[[Any], str]
    """Nothing is written for a field whose text is empty."""
    names_dims: bool = False
    """Whether the value is the name of a dimension, or the names of several."""


def parse_dims(parser: AttrParser) -> tuple[str, ...]:
    """Parse names of dimensions in brackets."""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier))


def parse_count(parser: AttrParser) -> int:
    """Parse a number that is not negative."""
    return parser.parse_integer(allow_boolean=False, allow_negative=False)


_FLAG = "the name of the field, where it is true"

Dim: TypeAlias = Annotated[str, Spelling(AttrParser.parse_identifier, str, names_dims=True)]
"""Name of a dimension."""
Dims: TypeAlias = Annotated[tuple[str, ...], Spelling(parse_dims, lambda dims: f"({', '.join(dims)})", names_dims=True)]
"""Names of dimensions in brackets."""
Count: TypeAlias = Annotated[int, Spelling(parse_count, str)]
"""Number that is not negative."""
Flag: TypeAlias = Annotated[bool, _FLAG]
"""Whether the name of the field is written; of several flags one may be parsed, behind all other fields."""


@dataclass(frozen=True)
class Step:
    """One step: a keyword, what follows it in the text, and the text of it all (`str`).

    The text follows from the annotations of the fields: `Dim`, `Count`, `Flag` and so on. Fields of other types are not
    in it.
    """

    keyword: ClassVar[str]
    """That of a class which states none is its name, `fold_zero_point` of `FoldZeroPoint`."""

    _spellings: ClassVar[Mapping[str, Spelling]] = {}
    _flags: ClassVar[Sequence[str]] = ()

    def __init_subclass__(cls) -> None:
        if "keyword" not in vars(cls):
            cls.keyword = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()
        try:
            hints = get_type_hints(cls, include_extras=True)
        except NameError:
            # Steps of packages may have types that only type checkers import; these have a text of their own.
            return
        said = {field: getattr(hint, "__metadata__", (None,))[0] for field, hint in hints.items()}
        cls._spellings = {field: each for field, each in said.items() if isinstance(each, Spelling)}
        cls._flags = [field for field, each in said.items() if each == _FLAG]

    @classmethod
    def parse(cls, parser: AttrParser) -> Step:
        """Parse what follows the keyword: nothing, unless a step says otherwise."""
        values: dict[str, Any] = {field: spelling.parse(parser) for field, spelling in cls._spellings.items()}
        flag = next((flag for flag in cls._flags if parser.parse_optional_keyword(flag) is not None), None)
        return cls(**values) if flag is None else cls(**values, **{flag: True})

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
        dims = {field: getattr(self, field) for field, each in self._spellings.items() if each.names_dims}
        return replace(self, **{f: name(d) if isinstance(d, str) else tuple(map(name, d)) for f, d in dims.items()})

    def __str__(self) -> str:
        texts = [spelling.text(getattr(self, field)) for field, spelling in self._spellings.items()]
        flags = [flag for flag in self._flags if getattr(self, flag)]
        return " ".join(filter(None, [self.keyword, *texts, *flags]))


class Rewrite(Step):
    """A step that makes other nests of a nest, before there are loops; base of such steps.

    They come first in a schedule. The pass `apply-steps` carries them out one after the other: what each makes is a
    module that can be read and edited, without the step. Which dimensions there are after one, the steps behind it
    already name.
    """


KNOWN: dict[str, type[Step] | str] = {}
"""Stillpool's own steps (`steps`) by their keywords: classes, or places of classes."""


def known_step(keyword: str) -> type[Step] | None:
    """One of stillpool's own steps; None if there is none of the keyword."""
    found = KNOWN.get(keyword)
    if isinstance(found, str):
        module, _, name = found.rpartition(".")
        found = getattr(import_module(f"...{module}", __package__), name)
    return cast("type[Step] | None", found)


class Macro(Step, abc.ABC):
    """A word for steps that belong together: in the schedule of a nest these stand in its place."""

    @abc.abstractmethod
    def steps(self, domain: Domain, loops: Sequence[Loop]) -> tuple[Step, ...]:
        """The steps that it is short for.

        Args:
            domain: of the nest.
            loops: those before it, outermost first.

        Raises:
            ValueError: there are no such loops.
        """

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        meant = ", ".join(map(str, self.steps(domain, loops)))
        raise ValueError(f"{self}: it is short for other steps, which are to stand in its place: {meant}")

"""Schedules without the names that one task gives its dimensions: `d0`, `d1`, ... stand for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from ....dialects.task import NestOp, ScheduleAttr
from ....dialects.task.step import INNER, OUTER, Step

_COMMA = re.compile(r",(?![^(]*\))")
"""Between steps: not in the brackets of one."""


def canonical_text(steps: Sequence[Step] | None, nest: NestOp) -> str:
    """A task's schedule as text, with numbers for the names of its dimensions; empty for loops in order, or None."""
    return ", ".join(map(str, _renamed(steps or (), {name: number for number, name in _names(nest)})))


def own_steps(text: str, nest: NestOp) -> tuple[Step, ...]:
    """The steps of such a text, with the names of a task.

    Raises:
        ValueError: it is no list of steps, or the task has fewer dimensions.
    """
    return _renamed(parsed_steps(text), dict(_names(nest)))


def parsed_steps(text: str) -> tuple[Step, ...]:
    """The steps of such a text, with the names that stand there.

    Raises:
        ValueError: it is no list of steps.
    """
    # Files hold the same few steps in many orders: each is read once.
    return tuple(step for part in (_COMMA.split(text) if text else ()) for step in _parsed(part))


@lru_cache(maxsize=1 << 16)
def _parsed(step: str) -> tuple[Step, ...]:
    """One step."""
    text = f"<{step.strip()}>"
    parser = Parser(Context(), text)
    try:
        steps = ScheduleAttr.parse_parameter(parser)
        if not steps or parser.pos < len(text):
            parser.raise_error("expected one step between two commas")
    except ParseError as error:
        raise ValueError(error.msg) from error
    return steps


def _names(nest: NestOp) -> list[tuple[str, str]]:
    """Numbers and names of a task's dimensions, those of their parts first: a dimension may be called as one."""
    names = list(enumerate((*nest.space.names, *nest.fold.names)))
    return [(f"d{number}{part}", name + part) for part in (OUTER, INNER, "") for number, name in names]


def _renamed(steps: Sequence[Step], names: Mapping[str, str]) -> tuple[Step, ...]:
    def renamed(name: str) -> str:
        if name not in names:
            raise ValueError(f"there is no dimension {name}")
        return names[name]

    return tuple(step.renamed(renamed) for step in steps)

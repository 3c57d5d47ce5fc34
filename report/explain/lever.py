"""One change of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from .variants import Plannable

Effort: TypeAlias = Literal["plan", "loops", "search"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
"""The least first."""


@dataclass(frozen=True)
class Lever:
    """A change of what is asked for, in words, as it is typed, and made."""

    action: str
    option: str
    """Words of the command line to add; behind `without` those to leave out."""
    changed: Plannable
    caller_bytes: int = 0
    """Bytes that the application then has to bring."""
    effort: Effort = "plan"
    """Work that trying it takes: another plan of the same, other loops for operators, or a search for a better plan."""

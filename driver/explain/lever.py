"""One change of a request."""

from __future__ import annotations

from dataclasses import dataclass

from .variants import Plannable


@dataclass(frozen=True)
class Lever:
    """A change of what is asked for, in words, as it is typed, and made."""

    action: str
    option: str
    """Words of the command line to add; behind `without` those to leave out."""
    changed: Plannable
    caller_bytes: int = 0
    """Bytes that the application then has to bring."""

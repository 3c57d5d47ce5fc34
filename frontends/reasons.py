"""Reasons not to compile a model, collected over the whole file and told at once."""

from __future__ import annotations

from ..errors import UnsupportedError


class Unsupported(Exception):
    """A sound operator that cannot be compiled; the message says why. Collected over the whole model."""


class Reasons:
    """Reasons, grouped: one line per operator kind and reason."""

    def __init__(self, source: str):
        self._source = source
        self.of_model: list[str] = []
        """Reasons that belong to no operator."""
        self._operators: dict[tuple[str, str], list[str]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing was refused yet."""
        return not self.of_model and not self._operators

    def add_model(self, reason: str) -> None:
        """Refuse something that belongs to no operator."""
        self.of_model.append(reason)

    def add_operator(self, title: str, reason: str, place: str) -> None:
        """Refuse one operator, which messages find at `place`."""
        self._operators.setdefault((title, reason), []).append(place)

    def raise_if_any(self, remedy: str) -> None:
        """End the import if something was refused.

        Args:
            remedy: what to do.

        Raises:
            UnsupportedError: lists every reason with the places of its operators.
        """
        lines = list(self.of_model)
        for (title, reason), places in self._operators.items():
            operators = "operator" if len(places) == 1 else "operators"
            lines.append(f"{title}: {reason} ({operators} {', '.join(places)})")
        if lines:
            message = f"{self._source} cannot be compiled:"
            raise UnsupportedError(message, lines=[f"  {line}" for line in lines], remedy=remedy)

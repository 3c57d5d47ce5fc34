"""Budgets as far as they are used."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Use:
    """A budget, and how much of it is used."""

    name: str
    used: int
    budget: int

    @property
    def free(self) -> int:
        """Rest of the budget; negative where it is exceeded."""
        return self.budget - self.used

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.name} {self.used:,} of {self.budget:,} ({self.free:,} free)"

    def document(self) -> dict[str, str | int]:
        """Return it as JSON data."""
        return {"name": self.name, "used": self.used, "budget": self.budget, "free": self.free}

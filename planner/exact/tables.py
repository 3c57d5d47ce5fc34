"""Numbers of an instance that all its searches share."""

from __future__ import annotations

from .instance import Instance

PLACED = 1 << 62
"""Lowest start of a buffer that has its place: above every bound, so that no test asks whether it is placed."""


FAR = 1 << 60
"""Size of a buffer whose end promises nothing: above every bound, below `PLACED`."""


class Tables:
    """Lists by buffer or section; offsets in half units."""

    def __init__(self, instance: Instance):
        self.instance = instance
        self.steps = [2 * step for step in instance.steps]
        self.above = [sorted((b, 2 * gap) for b, gap in row.items()) for row in instance.gaps]
        """For each buffer those in its way, and how far above it they start at least."""
        self.below = [[(b, 2 * instance.gaps[b][a]) for b, _ in row] for a, row in enumerate(self.above)]
        """For each buffer those in its way, and how far below it they start at least."""
        self.masks = [sum([1 << b for b, _ in row]) for row in self.above]
        self.sections = [[(s, 2 * weight) for s, weight in row] for row in instance.memberships]
        """For each buffer its sections, and what it weighs there."""
        self.members = [sorted(section.weights) for section in instance.sections]
        self.starts = [2 * (at or 0) for at in instance.fixed]
        is_fixed = [at is not None for at in instance.fixed]
        self.sizes = [
            # Next to a fixed buffer one may not be able to lie at its start.
            FAR if is_fixed[a] or any(is_fixed[b] for b in row) else 2 * units
            for a, (units, row) in enumerate(zip(instance.units, instance.gaps, strict=True))
        ]

    def latest(self, capacity: int) -> list[int]:
        """The highest start of each buffer in a pool of so many bytes."""
        instance = self.instance
        return [
            2 * ((capacity - size) // instance.unit if at is None else at)
            for size, at in zip(instance.sizes, instance.fixed, strict=True)
        ]

"""Steps that say what code there is for the points of loops, and which of them go together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from .loop import Loop
from .step import Step
from .structure import Nest


class Code(Step):
    """Base of such steps."""

    beside: ClassVar[tuple[type[Code], ...]] = ()
    """Others that go with it; the rest do not, unless they say so of it."""
    reorders: ClassVar[bool] = False
    """Whether it sums in an order of its own, so that no fold may be ordered."""
    writes_out = False
    """Whether it runs over the whole fold in code of its own, with what is clipped as its zero point."""

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        """Check a nest whose schedule has the step; all are legal unless a step says so.

        Args:
            nest: the nest.
            loops: its loops, in their order, those of the space first.

        Raises:
            ValueError: the step does not go with the nest or its loops.
        """


class Manner(Code):
    """Base of those that say how loops of other steps run, and have none of their own."""


class Collect(Manner):
    """Results of the fold for points that run side by side, kept in memory and finished in loops."""


class Whole(Manner):
    """Code of its own for a fold where no point is clipped: one point after the other, without loops."""

    beside = (Collect,)


def writes_out(steps: Iterable[Step]) -> bool:
    """Whether one of some steps does; see `Code.writes_out`."""
    return any(isinstance(step, Code) and step.writes_out for step in steps)

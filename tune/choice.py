"""One way to run a task, as the numbers and words that a search changes: a point between two lists of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..dialects.task import NestOp, ScheduleAttr
from ..dialects.task.loops import Loop, planned_loops
from ..dialects.task.schedule import INNER, OUTER, InWords, Jam, Lanes, Order, Split, Step, Unroll, Whole, Words

Form = InWords | Whole | Words | None
"""In what the fold runs."""


@dataclass(frozen=True)
class Choice:
    """The parts of a schedule; dimensions have the names of the nest."""

    jams: tuple[tuple[str, int], ...]
    """Space dimensions with the points that run side by side, outermost first."""
    outer: tuple[str, ...]
    """All space dimensions, in the order of their loops."""
    folds: tuple[str, ...]
    """All fold dimensions, in the order of their loops."""
    unrolled: tuple[tuple[str, int], ...] = ()
    """Dimensions with the points that are written out one after the other."""
    form: Form = None
    lanes: Lanes | None = None
    """Whether the points side by side are the lanes of vectors."""

    @staticmethod
    def plain(nest: NestOp) -> Choice:
        """Loops in order."""
        return Choice((), nest.space.names, nest.fold.names)

    @staticmethod
    def of(nest: NestOp, steps: Sequence[Step]) -> Choice:
        """The parts of a schedule of a nest.

        Raises:
            ValueError: it is none.
        """
        loops = loops_of(nest, steps)
        first_fold, names = len(nest.space.data), (*nest.space.names, *nest.fold.names)
        form = next((step for step in steps if isinstance(step, InWords | Whole | Words)), None)
        order = list(dict.fromkeys(names[loop.dim] for loop in loops if loop.form != "jam"))
        order += [name for name in names if name not in order]
        return Choice(
            tuple((names[loop.dim], loop.extent) for loop in loops if loop.form == "jam"),
            tuple(name for name in order if names.index(name) < first_fold),
            tuple(name for name in order if names.index(name) >= first_fold),
            tuple((names[loop.dim], loop.extent) for loop in loops if loop.form == "unroll"),
            form,
            next((step for step in steps if isinstance(step, Lanes)), None),
        )

    def steps(self, nest: NestOp) -> tuple[Step, ...]:
        """The schedule."""
        extents = dict((*nest.space.data, *nest.fold.data))
        sized = [*self.jams, *self.unrolled]
        blocks = {name: size for name, size in sized if size < extents[name]}
        jammed, unrolled = dict(self.jams), dict(self.unrolled)

        def part(name: str) -> str:
            return name + INNER if name in blocks else name

        def free(names: Sequence[str]) -> list[str]:
            found: list[str] = []
            for name in names:
                if name in blocks:
                    found.append(name + OUTER)
                    if name in unrolled:
                        found.append(name + INNER)
                elif name not in jammed:
                    found.append(name)
            return found

        order = (*free(self.outer), *(part(name) for name, _ in self.jams), *free(self.folds))
        steps: list[Step] = [Split(name, size) for name, size in blocks.items()]
        if order != (*nest.space.names, *nest.fold.names):
            steps.append(Order(order))
        steps += [Jam(part(name)) for name, _ in self.jams]
        steps += [Unroll(part(name)) for name, _ in self.unrolled]
        return (*steps, *(step for step in (self.form, self.lanes) if step is not None))


def loops_of(nest: NestOp, steps: Sequence[Step]) -> list[Loop]:
    """The loops that a nest would have with a schedule.

    Raises:
        ValueError: it is none.
    """
    before = nest.schedule
    nest.schedule = ScheduleAttr(tuple(steps))
    try:
        return planned_loops(nest)
    finally:
        nest.schedule = before

"""One way to run a task, as the numbers and words that a search changes: a point between two lists of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..dialects.task import NestOp
from ..dialects.task.dual import InWords
from ..dialects.task.loop import Loop
from ..dialects.task.loops import planned_loops
from ..dialects.task.step import INNER, OUTER, Step
from ..dialects.task.steps import (
    Collect,
    Direct,
    Expand,
    Jam,
    Lanes,
    Order,
    Packed,
    Quads,
    Split,
    Tensorize,
    Unroll,
    Whole,
    Winograd,
    Words,
)

Form = InWords | Whole | Words | Winograd | Expand | Tensorize | None
"""In what the fold runs."""
_FORMS = (InWords, Whole, Words, Winograd, Expand, Tensorize)
STEPS_OF_ONE_WORD: tuple[Step, ...] = (Direct(), Quads(), Collect(), Packed())
"""Steps that change how a form or a tile is written; the verifier says what they may stand beside."""


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
    blocks: tuple[str, ...] = ()
    """Dimensions of blocks of points side by side that are written out one after the other."""
    form: Form = None
    lanes: Lanes | None = None
    """Whether the points side by side are the lanes of vectors."""
    clamped: bool = False
    """Whether blocks of points side by side at the end compute the last one again, where they are no whole block."""
    words: tuple[Step, ...] = ()
    """The steps of one word, in the order of `STEPS_OF_ONE_WORD`."""

    def toggled(self, word: Step) -> Choice:
        """With a step of one word, or without it."""
        words = tuple(step for step in STEPS_OF_ONE_WORD if (step in self.words) != (step == word))
        return replace(self, words=words)

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
        form = next((step for step in steps if isinstance(step, _FORMS)), None)
        jammed = {loop.dim for loop in loops if loop.form == "jam"}
        blocks = [loop.dim for loop in loops if loop.form == "unroll" and loop.dim in jammed]
        order = list(dict.fromkeys(names[loop.dim] for loop in loops if loop.form != "jam"))
        order += [name for name in names if name not in order]
        return Choice(
            tuple((names[loop.dim], loop.extent) for loop in loops if loop.form == "jam"),
            tuple(name for name in order if names.index(name) < first_fold),
            tuple(name for name in order if names.index(name) >= first_fold),
            tuple((names[loop.dim], loop.extent) for loop in loops if loop.form == "unroll" and loop.dim not in blocks),
            tuple(names[dim] for dim in blocks),
            form,
            next((step for step in steps if isinstance(step, Lanes)), None),
            any(loop.clamped for loop in loops),
            tuple(step for step in STEPS_OF_ONE_WORD if step in steps),
        )

    def steps(self, nest: NestOp) -> tuple[Step, ...]:
        """The schedule."""
        extents = dict((*nest.space.data, *nest.fold.data))
        sized = [*self.jams, *self.unrolled]
        split = {name: size for name, size in sized if size < extents[name]}
        jammed, unrolled = dict(self.jams), dict(self.unrolled)

        def part(name: str) -> str:
            return name + INNER if name in split else name

        def free(names: Sequence[str]) -> list[str]:
            found: list[str] = []
            for name in names:
                if name in split:
                    found.append(name + OUTER)
                    if name in unrolled:
                        found.append(name + INNER)
                elif name not in jammed:
                    found.append(name)
            return found

        order = (*free(self.outer), *(part(name) for name, _ in self.jams), *free(self.folds))
        clamped = {name for name in split if self.clamped and name in jammed and extents[name] % split[name]}
        steps: list[Step] = [Split(name, size, name in clamped) for name, size in split.items()]
        if order != (*nest.space.names, *nest.fold.names):
            steps.append(Order(order))
        steps += [Jam(part(name)) for name, _ in self.jams]
        steps += [Unroll(part(name)) for name, _ in self.unrolled]
        steps += [Unroll(name + OUTER) for name in self.blocks if name in split and name in jammed]
        return (*steps, *(step for step in (self.form, self.lanes) if step is not None), *self.words)


def loops_of(nest: NestOp, steps: Sequence[Step]) -> list[Loop]:
    """The loops that a nest would have with a schedule.

    Raises:
        ValueError: it is none.
    """
    with nest.scheduled(steps):
        return planned_loops(nest)

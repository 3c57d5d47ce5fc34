"""What a step asks of the rest of a schedule: a rule for each, and what several of them ask of the loops of a nest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .clipping import limits
from .loop import Loop
from .schedule import Step
from .structure import Nest


@dataclass(frozen=True)
class Rule:
    """What a step asks of the rest of a schedule, and of the nest."""

    step: type[Step]
    check: Callable[[Nest, Any, Sequence[Loop]], None] = lambda nest, step, loops: None
    """Check the loops, in their order, those of the space first; raises ValueError if they do not go with the step."""
    apart: tuple[type[Step], ...] = ()
    """Steps that do not go with it."""
    why: str = "{step}: it does not go with {other}"
    """What is said of one of them."""
    beside: tuple[type[Step], ...] = ()
    """Those of them that do, after all."""
    needs: type[Step] = Step
    """The step without which it says nothing."""
    folds: bool = False
    """Whether there must be a fold."""
    ordered: str = ""
    """What is said of a fold that is ordered; nothing where it may be."""

    def verify(self, nest: Nest, loops: Sequence[Loop]) -> None:
        """Check a nest, if its schedule has the step.

        Raises:
            ValueError: the step does not go with the others, or with the nest and its loops.
        """
        own = [step for step in nest.steps if isinstance(step, self.step)]
        if not own:
            return
        step, *twice = own
        if twice:
            raise ValueError(f"{step}: it does not go with {twice[0]}")
        for other in nest.steps:
            if other is not step and isinstance(other, self.apart) and not isinstance(other, self.beside):
                raise ValueError(self.why.format(step=step, other=other))
        if nest.step_of(self.needs) is None:
            raise ValueError(f"{step}: it says nothing without {self.needs.keyword}")
        if self.folds and not nest.fold.data:
            raise ValueError(f"{step}: there is no fold")
        if self.ordered and nest.ordered is not None:
            raise ValueError(self.ordered.format(step=step))
        self.check(nest, step, loops)


def space_loops(nest: Nest, loops: Sequence[Loop]) -> list[Loop]:
    """The loops over the space, in their order."""
    return [loop for loop in loops if loop.dim < len(nest.space.data)]


def fold_loops(nest: Nest, loops: Sequence[Loop]) -> list[Loop]:
    """The loops over the fold, in their order."""
    return [loop for loop in loops if loop.dim >= len(nest.space.data)]


def jammed_loops(loops: Sequence[Loop]) -> list[Loop]:
    """The loops whose points run side by side, in their order."""
    return [loop for loop in loops if loop.form == "jam"]


def jammed_alone(loops: Sequence[Loop], fits: Callable[[Loop], bool], why: str) -> Loop:
    """The only loop whose points run side by side, in order.

    Raises:
        ValueError: there is none, or it does not fit; `why` says which one is wanted.
    """
    jammed = jammed_loops(loops)
    if len(jammed) != 1 or jammed[0].reverse or not fits(jammed[0]):
        raise ValueError(why)
    return jammed[0]


def check_unclamped(loops: Sequence[Loop], why: str) -> None:
    """Check that no points are computed twice.

    Raises:
        ValueError: some are; `why` says of which dimension, and why they may not.
    """
    for loop in loops:
        if loop.clamped:
            raise ValueError(why.format(loop.dim_name))


def check_fold(nest: Nest, loops: Sequence[Loop], why: str) -> None:
    """Check that loops of the fold are those of its dimensions, in order.

    Raises:
        ValueError: one is not; `why` says why it should be.
    """
    for loop in fold_loops(nest, loops):
        if not loop.is_plain:
            raise ValueError(f"{loop.dim_name or loop.name}: {why}")


def check_outside(nest: Nest, loops: Sequence[Loop], dims: Collection[int], why: str) -> None:
    """Check that loops over some dimensions of the space are outside of all others of it, for what they share.

    Neither jammed loops nor those of one point count.

    Raises:
        ValueError: one is not; `why` says which one, and outside of what it should be.
    """
    free = [loop for loop in space_loops(nest, loops) if loop.form != "jam" and loop.extent > 1]
    first = next((n for n, loop in enumerate(free) if loop.dim not in dims), len(free))
    for loop in reversed(free[first:]):
        if loop.dim in dims:
            raise ValueError(why.format(loop.name))


def shortened(nest: Nest, dims: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The fold dimensions whose range depends on one of some dimensions of the space, each with that dimension."""
    for limit in limits(nest):
        form = nest.form_of(limit.index)
        yield from ((nest.index_names[limit.dim], dim) for dim in dims if form.coefficient(dim))

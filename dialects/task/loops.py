"""From a schedule to the loops of a nest: which parts of which dimensions, in which order, as what.

The rules of legality are here, once: for the verifier, the lowering, and whoever searches schedules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import schedule as steps
from .clipping import limits
from .dual import verify_dual
from .expand import verify_expand, verify_tensorize
from .lanes import verify_lanes
from .loop import Loop
from .packed import verify_packed
from .rewrites import Rewrite
from .step import Step, loops_in_order
from .structure import Nest
from .winograd import verify_winograd
from .words import verify_quads, verify_words


@dataclass(frozen=True)
class Rule:
    """What a step asks of the rest of a schedule, and of the nest."""

    step: type[Step]
    check: Callable[[Nest, Any, Sequence[Loop]], None] = lambda nest, step, loops: None
    """Check the loops, in their order, those of the space first; raises ValueError if they do not go with the step."""
    apart: tuple[type[Step], ...] = ()
    """Steps that do not go with it."""
    beside: tuple[type[Step], ...] = ()
    """Those of them that do, after all."""
    needs: type[Step] = Step
    """The step without which it says nothing."""
    reorders: bool = False
    """Whether it sums in an order of its own, so that no fold may be ordered."""

    def verify(self, nest: Nest, loops: Sequence[Loop]) -> None:
        """Check a nest, if its schedule has the step.

        Raises:
            ValueError: the step does not go with the others, or with the nest and its loops.
        """
        step = nest.step_of(self.step)
        if step is None:
            return
        others = list(nest.steps)
        others.remove(step)
        for other in others:
            if isinstance(other, (self.step, *self.apart)) and not isinstance(other, self.beside):
                raise ValueError(f"{step}: it does not go with {other}")
        if nest.step_of(self.needs) is None:
            raise ValueError(f"{step}: it says nothing without {self.needs.keyword}")
        if self.reorders and nest.ordered is not None:
            raise ValueError(f"{step}: the fold is ordered, and it sums in an order of its own")
        self.check(nest, step, loops)


_FORMS = (steps.InWords, steps.Words, steps.Direct, steps.Quads, steps.Lanes, steps.Collect)
"""Steps that say in what sums run, and how that is written."""
_AROUND = (steps.Order, steps.Split, steps.Unroll, steps.Reverse)
"""Steps of the loops around the call of a kernel."""
_RULES = (
    Rule(steps.Quads, verify_quads, (steps.InWords, steps.Words, steps.Lanes, steps.Whole)),
    Rule(steps.Whole, apart=(steps.InWords,)),
    Rule(steps.Words, verify_words, (steps.InWords, steps.Whole)),
    Rule(steps.Winograd, verify_winograd, (*_FORMS, steps.Whole)),
    Rule(steps.InWords, verify_dual),
    Rule(steps.Direct, needs=steps.Dual),
    Rule(steps.Packed, verify_packed, (*_FORMS, steps.Expand, steps.Winograd)),
    Rule(steps.Lanes, verify_lanes, (steps.InWords, steps.Words), reorders=True),
    Rule(steps.Expand, verify_expand, (*_FORMS, steps.Whole, steps.Expand)),
    Rule(steps.Tensorize, verify_tensorize, (Step,), beside=_AROUND, reorders=True),
)
"""What each step asks of the others and of the loops, in the order in which it is checked."""


def planned_loops(nest: Nest) -> list[Loop]:
    """The loops of a nest, outermost first, jammed ones last among those of the space.

    Raises:
        ValueError: a step of the schedule names no dimension, or may change the result.
    """
    rewrites = [isinstance(step, Rewrite) for step in nest.steps]
    if rewrites != sorted(rewrites, reverse=True):
        late = nest.steps[rewrites.index(True, rewrites.index(False))]
        raise ValueError(f"{late}: it makes other nests, and comes before the steps that make loops")
    loops = loops_of(nest)
    if any(rewrites):
        # What the others mean for the nests that this one makes is asked of those.
        return loops
    if not any(map(steps.writes_out, nest.steps)):
        _verify_ranges(nest, loops)
    for rule in _RULES:
        rule.verify(nest, loops)
    return loops


def loops_of(nest: Nest) -> list[Loop]:
    """The `planned_loops` of a nest that has them: its steps are not asked again whether they go with each other."""
    loops = loops_in_order(nest)
    for step in nest.steps:
        loops = step.planned(nest, loops)
    return loops if nest.step_of(Rewrite) is not None else _in_order(loops)


def _verify_ranges(nest: Nest, loops: list[Loop]) -> None:
    """Check that nothing which clipping shortens has a number of points that must be known in advance."""
    for limit in limits(nest):
        fold = nest.index_names[limit.dim]
        for loop in loops:
            if loop.dim == limit.dim and (loop.is_part or loop.form == "unroll"):
                what = "split" if loop.is_part else "unroll"
                raise ValueError(f"{what} {loop.dim_name or loop.name}: clipping makes its range depend on the place")
            if loop.form == "jam" and limit.form.coefficient(loop.dim):
                raise ValueError(f"jam {loop.name}: the range of {fold} depends on it, for a read is clipped")


def _in_order(loops: list[Loop]) -> list[Loop]:
    """The loops with jammed ones last among those of the space.

    Raises:
        ValueError: one of them stands where it cannot be.
    """
    jammed, folds = [loop for loop in loops if loop.form == "jam"], [loop for loop in loops if loop.is_fold]
    free = [loop for loop in loops if not loop.is_fold and loop.form != "jam"]
    for loop in free:
        if folds and loops.index(loop) > loops.index(folds[0]):
            raise ValueError(f"order: space dimension {loop.name} inside the fold must be jammed")
    ordered = [*free, *jammed, *folds]
    for loop in (loop for loop in loops if loop.is_outer):
        inner = next((other for other in loops if other.dim == loop.dim and not other.is_outer), loop)
        if ordered.index(inner) < ordered.index(loop):
            raise ValueError(f"order: {inner.name} must be inside {loop.name}")
        if loop.clamped and inner.form != "jam":
            raise ValueError(f"split {loop.dim_name}: the points of a clamped block must be jammed")
        if loop.form == "jam":
            raise ValueError(f"jam {loop.name}: only the points of a block can be jammed")
    return ordered

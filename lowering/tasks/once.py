"""What is emitted once on the way into a nest's loops, as soon as it is known where they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.loop import Loop
from ..builder import Loops
from .conditions import decide
from .inside import is_inside, leaving
from .point import Point

OverSpace: TypeAlias = Callable[[Sequence[Loop], Point], None]
"""Emits loops over space and what is inside of them, at a point outside of them all."""


@dataclass(frozen=True)
class Once:
    """Something to emit once, as soon as it is known where the loops are along some dimensions; jammed ones wait."""

    dims: Collection[int]
    emit: OverSpace
    """Emits it, and the loops that are left."""


def decision(nest: NestOp, k: Loops, whole: OverSpace, clipped: OverSpace, *, is_likely: bool = False) -> Once:
    """Code for points of the space where no fold point is clipped, and other code for those where some are.

    `is_likely` tells compilers that mostly none are.
    """
    forms = [nest.form_of(limit.index) for limit in limits(nest)]
    deciding = {position for form in forms for position in form.positions() if position < len(nest.space.data)}
    accesses = [access for access in nest.accesses("step_reads") if leaving(nest, [access])]

    def emit(loops: Sequence[Loop], point: Point) -> None:
        inside = is_inside(k, nest, point.places, accesses)
        decide(k, inside, partial(whole, loops, point), partial(clipped, loops, point), is_likely=is_likely)

    return Once(deciding, emit)

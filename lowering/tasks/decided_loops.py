"""The loops of a nest with code of its own for points of the space where no fold point is clipped."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.loop import Loop
from ..builder import Loops
from .conditions import decide
from .inside import is_inside, leaving
from .nest_loops import NestLoops
from .point import Point


class DecidedLoops(NestLoops, abc.ABC):
    """Emits one nest: as soon as it is known whether anything is clipped, one code or the other."""

    _tells_compilers: ClassVar[bool] = False
    """Whether they are told that mostly nothing is clipped."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True):
        super().__init__(nest, k, clips=clips)
        forms = [nest.form_of(limit.index) for limit in limits(nest)]
        self._deciding = {p for form in forms for p in form.positions() if p < len(nest.space.data)}
        """Space dimensions that say what is clipped."""
        self._leaving = [access for access in nest.accesses("step_reads") if leaving(nest, [access])]
        self._is_decided = False

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        if self._is_decided or any(loop.dim in self._deciding for loop in loops):
            super()._over_space(loops, point)
            return
        self._is_decided = True
        inside = is_inside(self._k, self._nest, point.places, self._leaving)
        whole, clipped = (partial(body, loops, point) for body in (self._whole, self._clipped))
        decide(self._k, inside, whole, clipped, is_likely=self._tells_compilers)
        self._is_decided = False

    @abc.abstractmethod
    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        """Emit `_over_space` where nothing is clipped."""

    @abc.abstractmethod
    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        """Emit `_over_space` where something is clipped."""

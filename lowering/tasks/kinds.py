"""Which loops carry out a schedule: classes of them register for the steps that they carry out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...dialects.task import NestOp
from ...dialects.task.code import Code, Manner
from .nest_loops import NestLoops
from .whole_loops import WholeLoops

_Step = TypeVar("_Step", bound=Code)
_Loops = TypeVar("_Loops", bound=type[NestLoops])
_Where = Callable[[_Step, NestOp], bool]

_LOOPS: list[tuple[type[Code], _Where[Any], type[NestLoops]]] = []


def carries_out(kind: type[_Step], where: _Where[_Step] = lambda step, nest: True) -> Callable[[_Loops], _Loops]:
    """Register loops for a kind of steps, which packages may bring, too: for those of a nest that `where` says."""

    def register(loops: _Loops) -> _Loops:
        _LOOPS.append((kind, where, loops))
        return loops

    return register


def kind_of(nest: NestOp) -> type[NestLoops]:
    """The loops of a nest, of the kind that one of its steps asks for.

    Raises:
        ValueError: there are none for a step.
    """
    for step in nest.steps:
        if isinstance(step, Code) and not isinstance(step, Manner):
            for kind, where, loops in _LOOPS:
                if isinstance(step, kind) and where(step, nest):
                    return loops
            raise ValueError(f"{step}: there are no loops that carry it out")
    return WholeLoops

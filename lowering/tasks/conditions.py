"""Conditions on places: decided while the loops are made, where what they compare is known by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import ge, lt
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ..builder import Loops, Value

Condition: TypeAlias = bool | SSAValue
"""Known, or an i1 that is computed at run time."""


def _is_below(place: int, bound: int) -> bool:
    return 0 <= place < bound


_KNOWN: dict[str, Callable[[int, int], bool]] = {"sge": ge, "slt": lt, "ult": _is_below}
"""By predicate of `arith.cmpi`."""


def compared(k: Loops, predicate: str, place: Value, bound: int) -> Condition:
    """`sge`, `slt` or `ult` (with a bound that is not negative) of a place."""
    return _KNOWN[predicate](place, bound) if isinstance(place, int) else k.compare(predicate, place, bound)


def conjunction(k: Loops, conditions: Iterable[Condition]) -> Condition:
    """Whether all of them hold; nothing is computed where one is known not to."""
    waiting = list(conditions)
    if any(condition is False for condition in waiting):
        return False
    total: Condition = True
    for condition in waiting:
        if isinstance(condition, SSAValue):
            total = condition if total is True else k.emit(arith.AndIOp(total, condition))
    return total

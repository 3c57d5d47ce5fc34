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


def decide(
    k: Loops,
    condition: Condition,
    then: Callable[[], None],
    otherwise: Callable[[], None],
    *,
    is_likely: bool = False,
) -> None:
    """Emit one code or the other, or both in a branch where it is not known which one runs."""
    if isinstance(condition, bool):
        (then if condition else otherwise)()
    else:
        k.branch(condition, then, otherwise, is_likely=is_likely)


def chosen(
    k: Loops,
    condition: Condition,
    then: Callable[[], SSAValue],
    otherwise: Callable[[], SSAValue],
    hint: str | None = None,
) -> SSAValue:
    """One value or the other; where it is not known which one, `otherwise` is computed in front of a branch."""
    if isinstance(condition, bool):
        return then() if condition else otherwise()
    (value,) = k.either(condition, lambda: [then()], [otherwise()])
    value.name_hint = hint
    return value

"""Conditions on places: whether they lie inside of an operand, and a value for each answer.

They are decided while the loops are made, where what they compare is known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import ge, lt
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from ..builder import Loops, Value
from .places import Place

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


def is_inside(
    place: Place,
    accesses: Iterable[Access],
    *,
    but_for: Collection[int] = (),
    reaches: Mapping[int, int] | None = None,
) -> Condition:
    """Whether no fold point of some accesses lies outside here, where all space dimensions are known they depend on.

    Args:
        place: the place.
        accesses: of the nest.
        but_for: space dimensions that do not matter: indices that depend on one of them may lie outside.
        reaches: how many points further, along space dimensions, there is another one that is asked for, too.
    """
    k, nest, found = place.k, place.nest, list[Condition]()
    first_fold = len(nest.space.data)
    for index, extent in leaving(nest, accesses):
        form = nest.form(index)
        if any(form.coefficient(dim) for dim in but_for):
            continue
        space = Linear(tuple(t for t in form.terms if t[0] < first_fold), 0)
        folds = Linear(tuple(t for t in form.terms if t[0] >= first_fold), form.constant)
        (least, most), (low, high) = form.bounds(nest.extents), folds.bounds(nest.extents)
        at, further = place.value(space), sum(form.coefficient(dim) * n for dim, n in (reaches or {}).items())
        # Some windows are larger than what they slide over.
        if high - low >= extent:
            found.append(False)
        if least < 0:
            found.append(compared(k, "sge", at, -low - min(0, further)))
        if most >= extent:
            found.append(compared(k, "slt", at, extent - high - max(0, further)))
    return conjunction(k, found)


def is_point_inside(place: Place, access: Access, extents: Sequence[int] | None = None) -> Condition:
    """Whether the place of one access lies inside here, where all dimensions are known that it depends on."""
    # One unsigned comparison for both ends.
    k, sides = place.k, leaving(place.nest, [access], extents)
    indices = [(place.value(Linear.of(index)), extent) for index, extent in sides]
    return conjunction(k, [compared(k, "ult", index, extent) for index, extent in indices])


def leaving(
    nest: NestOp, accesses: Iterable[Access], extents: Sequence[int] | None = None
) -> list[tuple[AffineExpr, int]]:
    """Indices that leave the operand at some point, with its extents; `extents` may be other ones than the nest's."""
    found: list[tuple[AffineExpr, int]] = []
    for access in accesses:
        for index, extent in zip(access.indices, access.shape, strict=True):
            least, most = nest.form(index).bounds(extents or nest.extents)
            if least < 0 or most >= extent:
                found.append((index, extent))
    return found

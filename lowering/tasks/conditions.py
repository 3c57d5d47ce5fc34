"""Conditions on places: whether they lie inside of an operand, and a value for each answer.

They are decided while the loops are made, where what they compare is known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from ..builder import Condition, Loops
from .point import Point


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
    place: Point,
    accesses: Iterable[Access],
    *,
    but_for: Collection[int] = (),
    reaches: Collection[int] = (),
) -> Condition:
    """Whether no fold point of some accesses lies outside here, where all space dimensions are known they depend on.

    Args:
        place: the place.
        accesses: of the nest.
        but_for: space dimensions that do not matter: indices that depend on one of them may lie outside.
        reaches: space dimensions along all of which the next point is asked for, too.
    """
    k, nest, found = place.k, place.nest, list[Condition]()
    for index, extent in leaving(nest, accesses):
        form = nest.form(index)
        if any(form.coefficient(dim) for dim in but_for):
            continue
        space, folds = in_parts(nest, form)
        (least, most), (low, high) = form.bounds(nest.extents), folds.bounds(nest.extents)
        at, further = place.value(space), sum(map(form.coefficient, reaches))
        # Some windows are larger than what they slide over.
        if high - low >= extent:
            found.append(False)
        if least < 0:
            found.append(k.holds("sge", at, -low - min(0, further)))
        if most >= extent:
            found.append(k.holds("slt", at, extent - high - max(0, further)))
    return conjunction(k, found)


def in_parts(nest: NestOp, form: Linear) -> tuple[Linear, Linear]:
    """What space dimensions and what fold dimensions say of an index, the constant among the latter."""
    space, folds = (
        tuple(term for term in form.terms if (term[0] in nest.folds) == of_fold) for of_fold in (False, True)
    )
    return Linear(space, 0), Linear(folds, form.constant)


def is_point_inside(place: Point, access: Access, extents: Sequence[int] | None = None) -> Condition:
    """Whether the place of one access lies inside here, where all dimensions are known that it depends on."""
    # One unsigned comparison for both ends.
    k, sides = place.k, leaving(place.nest, [access], extents)
    indices = [(place.value(Linear.of(index)), extent) for index, extent in sides]
    return conjunction(k, [k.holds("ult", index, extent) for index, extent in indices])


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

"""Conditions on places: whether they lie inside of an operand, and a value for each answer.

They are decided while the loops are made, where what they compare is known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from ..builder import Condition, Loops
from .point import Point

Sides: TypeAlias = Sequence[tuple[AffineExpr, int]]
"""Indices that leave an operand at some point, each with the extent of the operand."""


def conjunction(k: Loops, conditions: Sequence[Condition]) -> Condition:
    """Whether all of them hold; nothing is computed where one is known not to."""
    if any(condition is False for condition in conditions):
        return False
    computed = [condition for condition in conditions if isinstance(condition, SSAValue)]
    return reduce(lambda total, one: k.emit(arith.AndIOp(total, one)), computed) if computed else True


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


def leaving(nest: NestOp, accesses: Iterable[Access], extents: Sequence[int] | None = None) -> Sides:
    """The sides of operands that accesses leave at some point; `extents` may be other ones than the nest's."""
    found: list[tuple[AffineExpr, int]] = []
    for access in accesses:
        for index, extent in zip(access.indices, access.shape, strict=True):
            least, most = nest.form(index).bounds(extents or nest.extents)
            if least < 0 or most >= extent:
                found.append((index, extent))
    return found


def is_inside(
    place: Point, sides: Sides, extents: Sequence[int] | None = None, *, reaches: Collection[int] = ()
) -> Condition:
    """Whether no fold point lies outside here, where all space dimensions are known that sides depend on.

    Args:
        place: the place.
        sides: that matter.
        extents: those of dimensions, where they are not the nest's.
        reaches: space dimensions along all of which the next point is asked for, too.
    """
    k, nest, found = place.k, place.nest, list[Condition]()
    extents = extents or nest.extents
    for index, extent in sides:
        form = nest.form(index)
        space = tuple(term for term in form.terms if term[0] not in nest.folds)
        folds = Linear(tuple(term for term in form.terms if term[0] in nest.folds), form.constant)
        (least, most), (low, high) = form.bounds(extents), folds.bounds(extents)
        at, further = place.value(Linear(space, 0)), sum(map(form.coefficient, reaches))
        # Some windows are larger than what they slide over.
        if high - low >= extent:
            found.append(False)
        if least < 0:
            found.append(k.holds("sge", at, -low - min(0, further)))
        if most >= extent:
            found.append(k.holds("slt", at, extent - high - max(0, further)))
    return conjunction(k, found)


def is_point_inside(place: Point, sides: Sides) -> Condition:
    """Whether a point lies inside here, where all dimensions are known that sides depend on."""
    # One unsigned comparison for both ends.
    k = place.k
    indices = [(place.value(Linear.of(index)), extent) for index, extent in sides]
    return conjunction(k, [k.holds("ult", index, extent) for index, extent in indices])

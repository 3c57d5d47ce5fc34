"""Whether a point of the space reads nothing outside of its operands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from ..builder import Loops
from .conditions import Condition, compared, conjunction
from .places import Places


def is_inside(
    k: Loops,
    nest: NestOp,
    places: Places,
    accesses: Iterable[Access],
    *,
    but_for: Collection[int] = (),
    reaches: Mapping[int, int] | None = None,
) -> Condition:
    """Whether no fold point of some accesses lies outside here, where all space dimensions are known they depend on.

    Args:
        k: where to compute it.
        nest: the nest.
        places: the point.
        accesses: of the nest.
        but_for: space dimensions that do not matter: indices that depend on one of them may lie outside.
        reaches: how many points further, along space dimensions, there is another one that is asked for, too.
    """
    found, first_fold = list[Condition](), len(nest.space.data)
    for index, extent in leaving(nest, accesses):
        form = nest.form(index)
        if any(form.coefficient(dim) for dim in but_for):
            continue
        space = Linear(tuple(t for t in form.terms if t[0] < first_fold), 0)
        folds = Linear(tuple(t for t in form.terms if t[0] >= first_fold), form.constant)
        (least, most), (low, high) = form.bounds(nest.extents), folds.bounds(nest.extents)
        place, further = places.value(k, space), sum(form.coefficient(dim) * n for dim, n in (reaches or {}).items())
        # Some windows are larger than what they slide over.
        if high - low >= extent:
            found.append(False)
        if least < 0:
            found.append(compared(k, "sge", place, -low - min(0, further)))
        if most >= extent:
            found.append(compared(k, "slt", place, extent - high - max(0, further)))
    return conjunction(k, found)


def is_point_inside(
    k: Loops, nest: NestOp, places: Places, access: Access, extents: Sequence[int] | None = None
) -> Condition:
    """Whether the place of one access lies inside here, where all dimensions are known that it depends on."""
    # One unsigned comparison for both ends.
    indices = [(places.value(k, Linear.of(index)), extent) for index, extent in leaving(nest, [access], extents)]
    return conjunction(k, [compared(k, "ult", place, extent) for place, extent in indices])


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

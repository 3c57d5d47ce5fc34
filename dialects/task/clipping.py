"""Which fold points a clipped read leaves in: along each fold dimension a range that depends on the space point.

An index `rest + step * f` lies inside [0, extent) for `f` from `ceil(-rest / step)` up to
`ceil((extent - rest) / step)` where the step is positive, and, where it is negative, from
`ceil((rest - extent + 1) / -step)` up to `floor(rest / -step)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir.affine import AffineDimExpr, AffineExpr

from .domain import Linear
from .structure import Nest


@dataclass(frozen=True)
class Limit:
    """One end, or both, of the range of a fold dimension that keeps one index inside its buffer."""

    dim: int
    """Position of the fold dimension among all dimensions."""
    index: Linear
    """The index as it is written: named indices are not put in but for the index itself."""
    form: Linear
    """The same with all of them put in: over space and fold dimensions alone."""
    extent: int
    """Extent of the buffer along the index."""

    @property
    def step(self) -> int:
        """The coefficient of the fold dimension in the index."""
        return self.index.coefficient(self.dim)


def limits(nest: Nest) -> list[Limit]:
    """Return what clipping asks of the fold dimensions.

    Raises:
        ValueError: an index that leaves its buffer depends on no fold dimension, on several, or goes down from below 0.
    """
    found: list[Limit] = []
    for access in nest.accesses("step_reads"):
        for expr, extent in zip(access.indices, access.shape, strict=True) if access.clip else ():
            form = nest.form(expr)
            least, most = form.bounds(nest.extents)
            if least >= 0 and most < extent:
                continue
            folds = [position for position in form.positions() if position in nest.folds]
            if len(folds) != 1:
                raise ValueError("a clipped index that leaves its buffer must depend on one fold dimension")
            if form.coefficient(folds[0]) < 0 and form.without(folds[0]).bounds(nest.extents)[0] < 0:
                raise ValueError("a clipped index that counts down must start at 0 or above")
            found.append(Limit(folds[0], _written(nest, expr, folds[0]), form, extent))
    return found


def shortened(nest: Nest, dims: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The fold dimensions whose range depends on one of some dimensions of the space, each with that dimension."""
    for limit in limits(nest):
        yield from ((nest.index_names[limit.dim], dim) for dim in dims if limit.form.coefficient(dim))


def most_points(nest: Nest) -> int:
    """An upper bound of the fold points that clipping leaves at any point of the space."""
    most = list(nest.extents)
    for access in nest.accesses("step_reads"):
        for form, extent in nest.sides(access) if access.clip else ():
            for position, factor in form.terms:
                # Every so many points along the dimension the index is one further.
                most[position] = min(most[position], -(-extent // abs(factor)))
    return math.prod(most[nest.folds.start :])


def _written(nest: Nest, expr: AffineExpr, dim: int) -> Linear:
    """The definition of a named index, if the expression is one that depends on the dimension only through it."""
    form = Linear.of(expr)
    while named := [p for p in form.positions() if p != dim and nest.form(AffineDimExpr(p)).coefficient(dim)]:
        if form.coefficient(dim):
            # What is left without the dimension would depend on it.
            return nest.form(expr)
        (named, *_) = named
        if form.terms != ((named, 1),) or form.constant:
            raise ValueError("a clipped index that leaves its buffer must be a dimension's multiple or a named index")
        form = Linear.of(nest.where.data.results[named - len(nest.extents)])
    return form

"""A place in the loops of a nest: the values of dimensions and named indices there, and index arithmetic on them.

Ranges of fold dimensions follow from a place: they are constant where no point is clipped.

A named index is computed in the innermost loop that it depends on, once; what has no name is computed where it is used.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.clipping import Limit, limits
from ...dialects.task.domain import Linear
from ..builder import Loops, Value

Range: TypeAlias = tuple[Value, Value]
"""Points from the first up to the second (excluded)."""


class Place:
    """Facts about the current place."""

    def __init__(self, nest: NestOp, k: Loops):
        self.nest = nest
        self.k = k
        self._known: ChainMap[int, Value] = ChainMap()
        """What dimensions and named indices are, by position."""
        named = enumerate(nest.where.data.results, len(nest.extents))
        self._open = [(number, nest.form(expr).positions()) for number, expr in named]
        """Named indices that may not be known yet, each with the dimensions that it depends on."""

    def knows(self, expr: AffineExpr) -> bool:
        """Whether all dimensions of an index are known here."""
        return all(position in self._known for position, _ in self.nest.form(expr).terms)

    def advance(self) -> None:
        """Compute the named indices whose dimensions are all known now."""
        known, waiting = self._known, list[tuple[int, tuple[int, ...]]]()
        for number, needed in self._open:
            if all(position in known for position in needed):
                self._at(number)
            else:
                waiting.append((number, needed))
        self._open = waiting

    def indices(self, exprs: Sequence[AffineExpr]) -> list[Value]:
        """Return the place of an access, in index arithmetic with the constant first."""
        found: list[Value] = []
        for form in map(Linear.of, exprs):
            total: Value = form.constant
            for position, factor in form.terms:
                total = self.k.add(total, self.k.mul(self._at(position), factor))
            found.append(total)
        return found

    def value(self, form: Linear, hint: str | None = None) -> Value:
        """An index in index arithmetic with the constant last."""
        k, total = self.k, 0
        for number, (position, factor) in enumerate(form.terms, 1):
            last = hint if number == len(form.terms) and not form.constant else None
            term = k.mul(self._at(position), abs(factor))
            total = k.sub(total, term, last) if factor < 0 else k.add(total, term, last)
        return k.add(total, form.constant, hint) if form.constant else total

    def named(self, name: str) -> Value:
        """The value of a dimension or named index."""
        return self._at(self.nest.index_names.index(name))

    def _at(self, position: int) -> Value:
        """The value of a dimension or named index, which is computed where it is first used."""
        try:
            return self._known[position]
        except KeyError:
            nest, number = self.nest, position - len(self.nest.extents)
        name = nest.names.data[number].data
        form = Linear.of(nest.where.data.results[number])
        self._known[position] = found = self.value(form, None if name.startswith("_") else name)
        return found


def limits_of(nest: NestOp, *, clips: bool) -> dict[int, list[Limit]]:
    """What shortens the range of each fold dimension; `clips` says whether reads do."""
    found = limits(nest) if clips else []
    return {dim: [limit for limit in found if limit.dim == dim] for dim in nest.folds}


def range_of(place: Place, dim: int, limits: Sequence[Limit]) -> Range | None:
    """The range that some limits leave of a fold dimension; None where it depends on what is not known yet."""
    needed = {p for limit in limits for p in limit.index.without(dim).positions()}
    if not all(place.knows(AffineExpr.dimension(p)) for p in needed):
        return None
    k, extent = place.k, place.nest.extents[dim]
    begin: Value = 0
    end: Value = extent
    for limit in limits:
        low, high = _ends(place, limit)
        begin = low if isinstance(begin, int) and begin == 0 else k.max(begin, low)
        end = high if isinstance(end, int) and end == extent else k.min(end, high)
    return begin, end


def _ends(place: Place, limit: Limit) -> Range:
    """Begin and end of the range that one clipped index leaves."""
    k, extent, name = place.k, place.nest.extents[limit.dim], place.nest.index_names[limit.dim]
    rest = place.value(limit.index.without(limit.dim))
    least, most = limit.form.bounds(place.nest.extents)
    begin: Value = 0
    end: Value = extent
    if limit.step > 0:
        if least < 0:
            begin = k.max(_ceil(k, k.sub(0, rest), limit.step), 0, f"{name}_begin")
        if most >= limit.extent:
            end = k.min(_ceil(k, k.sub(limit.extent, rest), limit.step), extent, f"{name}_end")
        return begin, end
    # An index that counts down: it is low where the fold index is high.
    step = -limit.step
    if most >= limit.extent:
        begin = _ceil(k, k.max(k.sub(rest, limit.extent - 1), 0), step)
    end = k.add(k.div(rest, step), 1)
    if most // step >= extent:
        end = k.min(end, extent)
    return begin, end


def _ceil(k: Loops, value: Value, divisor: int) -> Value:
    """The quotient rounded up; for negative values only something not positive (division truncates)."""
    return k.div(k.add(value, divisor - 1), divisor)

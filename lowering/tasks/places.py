"""A place in the loops of a nest: the values of dimensions and named indices there, and index arithmetic on them.

A named index is computed in the innermost loop that it depends on, once; what has no name is computed where it is used.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ..builder import Loops, Value


class Place:
    """Facts about the current place."""

    def __init__(self, nest: NestOp, k: Loops):
        self.nest = nest
        self.k = k
        self._known: ChainMap[int, Value] = ChainMap()
        """What dimensions and named indices are, by position."""

    def put(self, dim: int, value: Value) -> None:
        """Say where the place lies along a dimension."""
        self._known[dim] = value

    def knows(self, expr: AffineExpr) -> bool:
        """Whether all dimensions of an index are known here."""
        return all(position in self._known for position, _ in self.nest.form(expr).terms)

    def advance(self) -> None:
        """Compute the named indices whose dimensions are all known now."""
        for number, expr in enumerate(self.nest.where.data.results, len(self.nest.extents)):
            if self.knows(expr):
                self._at(number)

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
        if position not in self._known:
            nest, number = self.nest, position - len(self.nest.extents)
            name = nest.names.data[number].data
            form = Linear.of(nest.where.data.results[number])
            self._known[position] = self.value(form, None if name.startswith("_") else name)
        return self._known[position]

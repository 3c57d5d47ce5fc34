"""Values of dimensions and named indices at the current point of the loops, and index arithmetic on them.

A named index is computed in the innermost loop that it depends on, once; what has no name is computed where it is used.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ..builder import Loops, Value


class Places:
    """Facts about the current point; entering a loop makes a child."""

    def __init__(self, nest: NestOp, known: ChainMap[int, Value] | None = None):
        self._nest = nest
        self._known: ChainMap[int, Value] = ChainMap() if known is None else known

    def child(self) -> Places:
        """Return a child at the same point; what is added to the child is not seen outside."""
        return Places(self._nest, self._known.new_child())

    def beside(self, own: Places) -> Places:
        """Return the same point, with what another place of the same loops knows in addition."""
        return Places(self._nest, ChainMap({}, own._known.maps[0], *self._known.maps))

    def put(self, dim: int, value: Value) -> None:
        """Say where the point lies along a dimension."""
        self._known[dim] = value

    def knows(self, expr: AffineExpr) -> bool:
        """Whether all dimensions of an index are known here."""
        return all(position in self._known for position, _ in self._nest.form(expr).terms)

    def advance(self, k: Loops) -> None:
        """Compute the named indices whose dimensions are all known now."""
        for number, expr in enumerate(self._nest.where.data.results):
            position = len(self._nest.extents) + number
            if position not in self._known and self.knows(expr):
                self._compute(k, position)

    def indices(self, k: Loops, exprs: Sequence[AffineExpr]) -> list[Value]:
        """Return the place of an access, in index arithmetic with the constant first."""
        return [self._offset(k, Linear.of(expr)) for expr in exprs]

    def value(self, k: Loops, form: Linear, hint: str | None = None) -> Value:
        """An index in index arithmetic with the constant last."""
        total: Value = 0
        for number, (position, factor) in enumerate(form.terms, 1):
            last = hint if number == len(form.terms) and not form.constant else None
            term = k.mul(self._at(k, position), abs(factor))
            total = k.sub(total, term, last) if factor < 0 else k.add(total, term, last)
        return k.add(total, form.constant, hint) if form.constant else total

    def named(self, name: str) -> Value:
        """The value of a dimension or named index."""
        return self._at(None, self._nest.index_names.index(name))

    def _at(self, k: Loops | None, position: int) -> Value:
        value = self._known.get(position)
        if value is None:
            # A named index of a jammed point: computed where it is first used.
            assert k is not None, "named indices that regions ask for are computed"
            value = self._compute(k, position)
        return value

    def _compute(self, k: Loops, position: int) -> Value:
        """Compute a named index."""
        number = position - len(self._nest.extents)
        name = self._nest.names.data[number].data
        form = Linear.of(self._nest.where.data.results[number])
        value = self._known[position] = self.value(k, form, None if name.startswith("_") else name)
        return value

    def _offset(self, k: Loops, form: Linear) -> Value:
        total: Value = form.constant
        for position, factor in form.terms:
            total = k.add(total, k.mul(self._at(k, position), factor))
        return total

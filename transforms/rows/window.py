"""Which rows of an operand an access needs: its index along the rows, at every row of the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...dialects.task.domain import Linear


@dataclass(frozen=True)
class Span:
    """Points of a fold dimension, `begin` up to `end` (excluded), that clipping leaves."""

    begin: int
    end: int

    def __and__(self, other: Span) -> Span:
        return Span(max(self.begin, other.begin), min(self.end, other.end))


@dataclass(frozen=True)
class Window:
    """An index along the rows of an operand."""

    form: Linear
    """Over the dimensions; that of the result's rows counts inside one row."""
    advance: int
    """Rows that a row of the result adds."""
    extent: int
    """Points of the operand along the index."""
    per_row: int
    """Points of one row along it."""
    clip: bool

    def clipped(self, row: int, extents: Sequence[int], folds: range) -> tuple[int, Span] | None:
        """The fold dimension that clipping shortens for a row of the result, and what is left of it.

        Raises:
            ValueError: what is left is no range of one dimension.
        """
        least, most = (bound + self.advance * row for bound in self.form.bounds(extents))
        if not self.clip or (least >= 0 and most < self.extent):
            return None
        found = [(position, factor) for position, factor in self.form.terms if position in folds]
        if len(found) != 1 or len(self.form.terms) != 1:
            raise ValueError("clipping depends on more than one dimension")
        ((dim, step),) = found
        rest = self.form.constant + self.advance * row
        inside = [f for f in range(extents[dim]) if 0 <= rest + step * f < self.extent]
        if not inside:
            raise ValueError("a row is made of clipped points alone")
        return dim, Span(inside[0], inside[-1] + 1)

    def reaches_over(self, extents: Sequence[int], rows: int) -> bool:
        """Whether some row of the result needs, of single rows, what lies before the first or after the last one."""
        least, most = self.form.bounds(extents)
        return self.clip and self.per_row == 1 and (least < 0 or most + self.advance * (rows - 1) >= self.extent)

    def rows(self, row: int, extents: Sequence[int], spans: Mapping[int, Span]) -> list[int]:
        """The rows of the operand that a row of the result needs, in the order in which the fold meets them.

        Raises:
            ValueError: an index depends on several dimensions, so that rows cannot be told apart.
        """
        rest = self.form.constant + self.advance * row
        if self.per_row == 1:
            if not self.form.terms:
                return [rest]
            (dim, step), *more = self.form.terms
            if more:
                raise ValueError("an index along the rows depends on several dimensions")
            span = spans.get(dim, Span(0, extents[dim]))
            return [rest + step * f for f in range(span.begin, span.end)]
        least, most = (bound + self.advance * row for bound in self.form.bounds(extents))
        if least < 0 or most >= self.extent or least // self.per_row != most // self.per_row:
            raise ValueError("a row of the result needs parts of several rows")
        return [least // self.per_row]

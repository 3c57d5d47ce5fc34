"""Making a task of one row from a task of the whole tensor."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir.affine import AffineExpr

from ...dialects.operations import all_of
from ...dialects.task import DimsAttr, IndexOp, NestOp, ScheduleAttr
from ...dialects.task.domain import Linear
from ...dialects.task.steps import Unroll
from ...dialects.task.syntax import Access
from .window import Span

Operand = tuple[str, int]
"""An access of a nest: its group and its number there."""


@dataclass(frozen=True)
class Change:
    """Differences of the task of one row."""

    extents: Mapping[int, int]
    """Extents of dimensions that shrink."""
    spans: Mapping[int, Span]
    """Parts that are left of fold dimensions; points count from their beginning."""
    indices: Mapping[Operand, tuple[int, Linear]]
    """For operands that hold fewer rows: which index changes, and its new form over the dimensions."""
    unrolled: Sequence[int] = field(default=())
    """Dimensions that must be known in each iteration."""

    @property
    def key(self) -> Hashable:
        """Equal for equal changes."""
        parts = self.extents, self.spans, self.indices
        return tuple(tuple(sorted(part.items())) for part in parts), tuple(self.unrolled)


def index_forms(nest: NestOp) -> list[Linear]:
    """Forms that the regions of a nest ask for with `task.index`, over its dimensions."""
    dims = [AffineExpr.dimension(position) for position in range(len(nest.index_names))]
    regions = (nest.start, nest.step, nest.finish)
    return [
        nest.form(dims[nest.index_names.index(op.dim.data)]) for region in regions for op in all_of(region, IndexOp)
    ]


def changed(nest: NestOp, change: Change) -> NestOp:
    """The nest with a change, detached; it takes over the regions of `nest`, which is of no use afterwards."""
    dims = len(nest.extents)
    shifted = [
        AffineExpr.dimension(d) + change.spans[d].begin
        if d in change.spans and change.spans[d].begin
        else AffineExpr.dimension(d)
        for d in range(dims)
    ]
    groups = {
        group: [
            _replaced(access, change.indices.get((group, number))) for number, access in enumerate(nest.accesses(group))
        ]
        for group in nest.GROUPS
    }
    used = [index for accesses in groups.values() for access in accesses for index in access.indices]
    kept = _named(nest, used)
    replacements = [
        *shifted,
        *(AffineExpr.dimension(dims + kept.index(n)) if n in kept else _NOTHING for n in range(len(nest.names))),
    ]

    def moved(expr: AffineExpr, form: AffineExpr | None = None) -> AffineExpr:
        return expr.replace_dims_and_symbols(replacements, []) if form is None else form

    accesses = [
        [
            Access(
                access.buffer,
                tuple(
                    index if (at := change.indices.get((group, number))) is not None and at[0] == d else moved(index)
                    for d, index in enumerate(access.indices)
                ),
                access.clip,
            )
            for number, access in enumerate(groups[group])
        ]
        for group in nest.GROUPS
    ]
    extents = [_extent(d, extent, change) for d, extent in enumerate(nest.extents)]
    space = len(nest.space.data)
    names = [*nest.space.names, *nest.fold.names]
    steps = [Unroll(names[d]) for d in change.unrolled]
    made = NestOp(
        DimsAttr(tuple(zip(names[:space], extents[:space], strict=True))),
        DimsAttr(tuple(zip(names[space:], extents[space:], strict=True))),
        [(nest.names.data[n].data, moved(nest.where.data.results[n])) for n in kept],
        accesses,
        [nest.detach_region(region) for region in (nest.start, nest.step, nest.finish)],
        ordered=nest.ordered is not None,
        schedule=ScheduleAttr(tuple(steps)) if steps else None,
        attributes=dict(nest.attributes),
    )
    return made


_NOTHING = AffineExpr.constant(0)
"""In the place of named indices that nobody asks for any more."""


def _replaced(access: Access, change: tuple[int, Linear] | None) -> Access:
    if change is None:
        return access
    axis, form = change
    indices = (*access.indices[:axis], form.expression(), *access.indices[axis + 1 :])
    return Access(access.buffer, indices, access.clip)


def _named(nest: NestOp, used: Sequence[AffineExpr]) -> list[int]:
    """Numbers of the named indices that expressions or regions use, with those that they are made of."""
    dims = len(nest.extents)
    regions = (nest.start, nest.step, nest.finish)
    asked = {op.dim.data for region in regions for op in all_of(region, IndexOp)}
    waiting = [n for n, name in enumerate(nest.names.data) if name.data in asked]
    waiting += [p - dims for expr in used for p in Linear.of(expr).positions() if p >= dims]
    kept: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in kept:
            kept.add(number)
            parts = Linear.of(nest.where.data.results[number]).positions()
            waiting += [p - dims for p in parts if p >= dims]
    return sorted(kept)


def _extent(dim: int, extent: int, change: Change) -> int:
    if dim in change.spans:
        return change.spans[dim].end - change.spans[dim].begin
    return change.extents.get(dim, extent)

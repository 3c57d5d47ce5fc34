"""The step `peel`: the points at which reads are clipped along a dimension become nests of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir.affine import AffineExpr

from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.rewrites import Peel
from ....dialects.task.syntax import Access
from ...constants import Constants
from .rewriting import Made, asks_for, position, remade, rewrites


@rewrites(Peel)
def peel(step: Peel, nest: NestOp, constants: Constants) -> Made:
    """The nest where nothing is clipped along the dimension; nests in front of that place and behind it come first."""
    at = position(nest, step.dim)
    if at >= len(nest.space.data):
        raise ValueError(f"{step.dim} is a dimension of the fold")
    if not nest.repeats:
        raise ValueError("the nest reads what it writes")
    if asks_for(nest, step.dim):
        raise ValueError(f"the place along {step.dim} is asked for")
    clipped = [side for access in nest.accesses("step_reads") if access.clip for side in nest.sides(access)]
    along = [(form, extent) for form, extent in clipped if form.coefficient(at)]
    inside = [
        place
        for place in range(nest.extents[at])
        if all(_is_inside(_at(form, at, place), extent, nest.extents) for form, extent in along)
    ]
    if len(inside) == nest.extents[at]:
        raise ValueError(f"nothing is clipped along {step.dim}")
    if not inside or inside != list(range(inside[0], inside[-1] + 1)):
        raise ValueError(f"something is clipped at all places of {step.dim}")
    begin, end = inside[0], inside[-1] + 1
    borders = [(0, begin), (end, nest.extents[at])]
    return Made(
        [_part(nest, at, begin, end)], [_part(nest, at, *border) for border in borders if border[0] < border[1]]
    )


def _part(nest: NestOp, at: int, first: int, end: int) -> NestOp:
    """The nest for some places along a dimension."""
    space = list(nest.space.data)
    space[at] = space[at][0], end - first
    dims = [AffineExpr.dimension(d) for d in range(len(nest.extents))]
    dims[at] = dims[at] + first if first else dims[at]
    made = remade(nest, space=space, dims=dims)

    def clipped(group: str, number: int, access: Access) -> Access:
        inside = all(_is_inside(form, extent, made.extents) for form, extent in made.sides(access))
        return replace(access, clip=access.clip and not inside)

    return remade(made, change=clipped)


def _at(form: Linear, dim: int, place: int) -> Linear:
    """A form at one place of a dimension."""
    return Linear(form.without(dim).terms, form.constant + place * form.coefficient(dim))


def _is_inside(form: Linear, extent: int, extents: Sequence[int]) -> bool:
    least, most = form.bounds(extents)
    return least >= 0 and most < extent

"""The steps `block` and `peel`: places along a dimension in parts, as dimensions or as nests of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from xdsl.ir.affine import AffineExpr

from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.loop import Loop
from ....dialects.task.loop_steps import OfOneDim
from ....dialects.task.step import INNER, OUTER, Count, Domain, Rewrite
from ...constants import Constants
from .rewriting import Made, position, remade, rewrites


@dataclass(frozen=True)
class Block(OfOneDim, Rewrite):
    """The dimension `d` becomes two, `d_o` of blocks and `d_i` of the `size` points of each."""

    size: Count

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        if self.size < 1 or loop.extent % self.size:
            raise ValueError(f"{self}: {self.dim} has {loop.extent} points, no multiple of {self.size}")
        outer = replace(loop, name=self.dim + OUTER, extent=loop.extent // self.size)
        return outer, replace(loop, name=self.dim + INNER, extent=self.size)


@rewrites(Block)
def block(step: Block, nest: NestOp, constants: Constants) -> Made:
    """Places along the dimension are `size * d_o + d_i`."""
    at, first_fold = position(nest, step.dim), len(nest.space.data)
    parts = [(step.dim + OUTER, nest.extents[at] // step.size), (step.dim + INNER, step.size)]
    every = [*nest.space.data, *nest.fold.data]
    every[at : at + 1] = parts
    end = first_fold + (at < first_fold)
    dims = [AffineExpr.dimension(d + (d > at)) for d in range(len(nest.extents))]
    dims[at] = AffineExpr.dimension(at) * step.size + AffineExpr.dimension(at + 1)
    return Made([remade(nest, space=every[:end], fold=every[end:], dims=dims)])


class Peel(OfOneDim, Rewrite):
    """Points of a space dimension at which a read is clipped along it become nests of their own, without a schedule.

    The other steps are for the nest that is left. What is never clipped there is no longer marked.
    """


@rewrites(Peel)
def peel(step: Peel, nest: NestOp, constants: Constants) -> Made:
    """The nest where nothing is clipped along the dimension; nests in front of that place and behind it come first."""
    at = position(nest, step.dim)
    if at in nest.folds:
        raise ValueError(f"{step.dim} is a dimension of the fold")
    if not nest.repeats:
        raise ValueError("the nest reads what it writes")
    clipped = [side for access in nest.accesses("step_reads") if access.clip for side in nest.sides(access)]
    along = [(form, extent) for form, extent in clipped if form.coefficient(at)]
    extent = nest.extents[at]
    inside = [place for place in range(extent) if _are_inside(nest, at, (place, place + 1), along)]
    if len(inside) == extent:
        raise ValueError(f"nothing is clipped along {step.dim}")
    if not inside or inside != list(range(inside[0], inside[-1] + 1)):
        raise ValueError(f"something is clipped at all places of {step.dim}")
    begin, end = inside[0], inside[-1] + 1
    borders = [border for border in ((0, begin), (end, extent)) if border[0] < border[1]]
    return Made([_part(nest, at, (begin, end))], [_part(nest, at, border) for border in borders])


def _part(nest: NestOp, at: int, places: tuple[int, int]) -> NestOp:
    """The nest for some places along a dimension, from the first up to the second (excluded)."""
    (first, end), space = places, list(nest.space.data)
    space[at] = space[at][0], end - first
    dims = [AffineExpr.dimension(d) for d in range(len(nest.extents))]
    dims[at] = dims[at] + first
    reads = [
        replace(access, clip=access.clip and not _are_inside(nest, at, places, nest.sides(access)))
        for access in nest.accesses("step_reads")
    ]
    return remade(nest, space=space, dims=dims, accesses={"step_reads": reads})


def _are_inside(nest: NestOp, at: int, places: tuple[int, int], sides: Iterable[tuple[Linear, int]]) -> bool:
    """Whether indices lie inside of their buffers, each of an extent, at all of some places along a dimension."""
    (first, end), extents = places, list(nest.extents)
    extents[at] = end - first
    for form, extent in sides:
        least, most = Linear(form.terms, form.constant + first * form.coefficient(at)).bounds(extents)
        if least < 0 or most >= extent:
            return False
    return True

"""The step `block`: one dimension becomes two."""

from __future__ import annotations

from xdsl.ir.affine import AffineExpr

from ....dialects.task import NestOp
from ....dialects.task.rewrites import Block
from ....dialects.task.step import INNER, OUTER
from ...constants import Constants
from .rewriting import Made, asks_for, position, remade, rewrites


@rewrites(Block)
def block(step: Block, nest: NestOp, constants: Constants) -> Made:
    """Places along the dimension are `size * d_o + d_i`."""
    at, first_fold = position(nest, step.dim), len(nest.space.data)
    if asks_for(nest, step.dim):
        raise ValueError(f"the place along {step.dim} is asked for")
    parts = [(step.dim + OUTER, nest.extents[at] // step.size), (step.dim + INNER, step.size)]
    every = [*nest.space.data, *nest.fold.data]
    every[at : at + 1] = parts
    end = first_fold + (at < first_fold)
    dims = [AffineExpr.dimension(d + (d > at)) for d in range(len(nest.extents))]
    dims[at] = AffineExpr.dimension(at) * step.size + AffineExpr.dimension(at + 1)
    return Made([remade(nest, space=every[:end], fold=every[end:], dims=dims)])

"""Constants that are read in lanes, in the order of their use: blocks of points or channels, lanes innermost.

One pointer then walks through what a vector of points needs of several tables or taps, and what is read across a
dimension lies side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.simd.lanes import LANES
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.lanes import lane_axis
from ...builder import Loops, Value, place_of
from ...constants import Constants
from ..dual.layouts import Layout


@dataclass(frozen=True)
class Blocks:
    """Layout of a constant in memory: [block of points, other dimensions, lane]; lanes without a point are zero."""

    axis: int
    """The dimension whose points are lanes."""
    shape: tuple[int, ...]
    """Before."""

    def place(self, k: Loops, indices: Sequence[Value]) -> Value:
        """Return the place of the lanes of points from `indices` on, which begin a block."""
        others = [axis for axis in range(len(self.shape)) if axis != self.axis]
        shape = [self.shape[axis] for axis in others]
        strides = [prod(shape), *(stride * LANES for stride in row_major(shape))]
        return place_of(k, [indices[axis] for axis in (self.axis, *others)], strides)


def blocks_of(nest: NestOp, dim: int, groups: Sequence[str], constants: Constants) -> Mapping[SSAValue, Blocks]:
    """The operands that are arranged in blocks: constants that the nest alone reads, along one dimension.

    Args:
        nest: the nest.
        dim: the dimension of the space whose points are lanes.
        groups: what it reads in lanes.
        constants: of the module.

    Raises:
        ValueError: elements of another operand do not lie side by side.
    """
    accesses = [(group, access) for group in nest.GROUPS for access in nest.accesses(group)]
    found: dict[SSAValue, Blocks] = {}
    for operand in dict.fromkeys(access.buffer for _, access in accesses):
        own = [(group, access) for group, access in accesses if access.buffer is operand]
        axes = [lane_axis(nest, access, dim) if group in groups else None for group, access in own]
        (_, one), axis = own[0], axes[0]
        if not one.shape:
            raise ValueError(f"lanes: {one.type} has no dimension along which elements could lie")
        *outer, last = one.shape
        if (
            constants.uses_of_nest(nest, [operand]) is not None
            and axis is not None
            and {*axes} == {axis}
            and all(_begins_block(nest, access.indices[axis], dim) for _, access in own)
        ):
            if outer or last % LANES:
                found[operand] = Blocks(axis, one.shape)
        elif {*axes} - {None, len(outer)}:
            raise ValueError(
                f"lanes: elements of {one.type} along {nest.space.names[dim]} lie apart, "
                "and it is no constant of this nest alone of which each vector is a block of four"
            )
    return found


def _begins_block(nest: NestOp, index: AffineExpr, dim: int) -> bool:
    """Whether an index along the lanes begins a block of four wherever vectors begin, whatever else it depends on."""
    form = nest.form(index)
    others = [factor for d, factor in form.terms if d != dim and nest.extents[d] > 1]
    return all(number % LANES == 0 for number in (form.constant, *others))


def arrange(nest: NestOp, dim: int, groups: Sequence[str], constants: Constants) -> Mapping[SSAValue, Blocks]:
    """Put constants into blocks, and say how they lie; see `blocks_of`."""
    found: dict[SSAValue, Blocks] = {}
    for operand, blocks in blocks_of(nest, dim, groups, constants).items():
        uses = constants.uses(operand)
        assert uses is not None, "a constant"
        assert isinstance(operand.type, MemRefType), "operands are memrefs"
        element = operand.type.element_type
        assert isinstance(element, IntegerType), "verified"
        points = blocks.shape[blocks.axis]
        values = [np.moveaxis(constants.values(use), blocks.axis, 0).reshape(points, -1) for use in uses]
        layout = Layout(points=1, bits=element.width.data, tile=(LANES, 1))
        found[constants.replace(operand, uses, layout.in_order(values, points, LANES))] = blocks
    return found

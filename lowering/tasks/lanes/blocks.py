"""Constants that are read in lanes, in the order of their use: blocks of points or channels, lanes innermost.

One pointer then walks through what a vector of points needs of several tables or taps, and what is read across a
dimension lies side by side. What several bytes of several channels are multiplied with is packed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.simd.dots import CHANNELS, DOT
from ....dialects.simd.lanes import LANES, SIXTEEN
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.lanes import lane_axis
from ...builder import Loops, Value
from ...constants import Constants, Elements
from ...constants.elements import Wide
from ..dual.weights import Lanes, Weights
from ..reading import place_of

LANE_READS = ("start_reads", "step_reads", "finish_reads")
"""Operands that a nest with `lanes` reads in lanes."""
PRODUCT_READS = ("finish_reads",)
"""Operands that a nest with `lanes 16` reads in lanes."""

_ELEMENTS = {8: np.int8, 16: np.int16, 32: np.int32}


@dataclass(frozen=True)
class Blocks:
    """Layout of a constant in memory: [block of points, other dimensions, lane]."""

    axis: int
    """The dimension whose points are lanes."""
    shape: tuple[int, ...]
    """Before."""

    @property
    def _others(self) -> tuple[int, ...]:
        return self.shape[: self.axis] + self.shape[self.axis + 1 :]

    def place(self, k: Loops, indices: Sequence[Value]) -> Value:
        """Return the place of the lanes of points from `indices` on, which begin a block."""
        others = [index for axis, index in enumerate(indices) if axis != self.axis]
        strides = [prod(self._others), *(stride * LANES for stride in row_major(self._others))]
        return place_of(k, [indices[self.axis], *others], strides)

    def arranged(self, numbers: Wide, element: type[np.int8 | np.int16 | np.int32]) -> Elements:
        """A constant in that order; lanes without a point are zero."""
        points = np.moveaxis(numbers, self.axis, 0)
        blocks = -(-len(points) // LANES)
        whole = np.zeros((blocks * LANES, *points.shape[1:]), element)
        whole[: len(points)] = points
        return np.moveaxis(whole.reshape(blocks, LANES, *points.shape[1:]), 1, -1).reshape(-1)


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
        is_own = constants.uses(operand) is not None and all(use.operation is nest for use in operand.uses)
        if (
            is_own
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
        at = next(n for n, each in enumerate(nest.operands) if each is operand)
        uses = constants.uses(operand)
        assert uses is not None, "a constant"
        assert isinstance(operand.type, MemRefType), "operands are memrefs"
        element = operand.type.element_type
        assert isinstance(element, IntegerType), "verified"
        dtype = _ELEMENTS[element.width.data]
        constants.replace(operand, uses, [blocks.arranged(constants.values(use), dtype) for use in uses])
        found[nest.operands[at]] = blocks
    return found


class VectorWeights(Weights):
    """Base of the kinds: for so many fold points of a run, bytes of each channel of a block; zero for missing ones."""

    points: ClassVar[int]
    """Fold points that are multiplied at once."""

    def __init__(self, plan: DualPlan, run: int | None = None):
        """`run` fold points lie side by side, by default all: their number divides that of all."""
        super().__init__(plan)
        self._run = run or max(plan.pairs, 1)
        self.padded = -(-self._run // self.points) * self.points
        """Points of a run, with those that fill its last word."""

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, self._plan.pairs // self._run * self.padded)

    def _element(self, values: Sequence[Lanes]) -> type[np.int8]:
        return np.int8

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        channels, points = values.shape
        whole = np.zeros((self.extent(channels), points // self._run, self.padded), np.int8)
        whole[:channels, :, : self._run] = values.reshape(channels, -1, self._run)
        # [block, channel, points of all runs, point] becomes [block, points of all runs, channel, point].
        words = points // self._run * self.padded // self.points
        return whole.reshape(-1, self.channels, words, self.points).transpose(0, 2, 1, 3).reshape(-1)


class SixteenWeights(VectorWeights):
    """Weights of a nest whose schedule has `lanes 16`: sixteen fold points of four channels."""

    channels, points = LANES, SIXTEEN


class DotWeights(VectorWeights):
    """Weights of a nest whose schedule has `expand d dots`: four fold points of sixteen channels."""

    channels, points = CHANNELS, DOT

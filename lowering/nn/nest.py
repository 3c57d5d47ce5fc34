"""Building a task: kernels say what happens at a point, with loads and stores at affine places.

Inside the regions of a nest a kernel's `load` at an affine place becomes something that the nest reads, and its `store`
something that it writes; all else is the scalar arithmetic that kernels emit anyway.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.rewriter import InsertPoint

from ...dialects.task import DimsAttr, IndexOp, NestOp, TapsOp, YieldOp
from ...dialects.task.domain import Linear, composed
from ...dialects.task.syntax import Access
from ..builder import Loops, Value

Place: TypeAlias = Value | AffineExpr
"""An index of a load or store: known, computed, or affine in the dimensions of the nest around it."""


class Emitter(Loops, ABC):
    """What emits operations into the regions of nests."""

    @abstractmethod
    def inside_nest(self, region: RegionBuilder) -> AbstractContextManager[None]:
        """Emit into a region of a nest: affine loads and stores are what the nest reads and writes."""


class Nest:
    """A nest under construction; `Kernel.nest` makes it and inserts what `build` completes."""

    def __init__(self, k: Emitter, space: Mapping[str, int], fold: Mapping[str, int]):
        self._k = k
        self._space = DimsAttr(tuple(space.items()))
        self._fold = DimsAttr(tuple(fold.items()))
        self._where: list[tuple[str, AffineExpr]] = []
        self._regions: list[RegionBuilder] = []

    def dim(self, name: str) -> AffineExpr:
        """A dimension, to compute places with."""
        return AffineExpr.dimension((*self._space.names, *self._fold.names).index(name))

    @property
    def dims(self) -> list[AffineExpr]:
        """All dimensions, space before fold."""
        return [AffineExpr.dimension(d) for d in range(len(self._space.data) + len(self._fold.data))]

    def where(self, name: str, index: AffineExpr) -> AffineExpr:
        """An index with a name, which is computed once."""
        self._where.append((name, index))
        return AffineExpr.dimension(len(self._space.data) + len(self._fold.data) + len(self._where) - 1)

    def each(self, body: Callable[[], None]) -> None:
        """Complete a nest without fold dimensions: what `body` loads, computes and stores at every point."""
        self._region([], lambda _: self._none(body()))
        self._insert(ordered=False)

    def build(
        self,
        start: Callable[[], Sequence[SSAValue]],
        step: Callable[[list[SSAValue]], Sequence[SSAValue]],
        finish: Callable[[list[SSAValue]], None],
        *,
        hints: Sequence[str] = ("acc",),
        ordered: bool = False,
    ) -> None:
        """Complete a nest.

        Args:
            start: emits the accumulators before the first fold point.
            step: emits the next accumulators from those before.
            finish: emits and stores results from the last accumulators.
            hints: names of the accumulators.
            ordered: the fold must run in order.
        """
        types = [value.type for value in self._region([], lambda _: start())]
        self._region(list(zip(types, hints, strict=True)), step)
        self._region(list(zip(types, hints, strict=True)), lambda acc: self._none(finish(acc)))
        self._insert(ordered=ordered)

    def index(self, name: str) -> SSAValue:
        """Inside a region: the place along a dimension as a value."""
        return self._k.emit(IndexOp(name), name)

    def taps(self) -> Value:
        """Inside `finish`: how many fold points clipping leaves, a number if these are always all."""
        known = composed(len(self.dims), tuple(expr for _, expr in self._where))
        extents = [extent for _, extent in (*self._space.data, *self._fold.data)]
        for access in self._regions[1].reads:
            assert isinstance(access.buffer.type, MemRefType), "what is read is a memref"
            for index, extent in zip(access.indices, access.buffer.type.get_shape(), strict=True):
                least, most = Linear.of(index.replace_dims_and_symbols(known, [])).bounds(extents)
                if least < 0 or most >= extent:
                    return self._k.emit(TapsOp(), "taps")
        return math.prod(extent for _, extent in self._fold.data)

    @staticmethod
    def _none(_: None) -> Sequence[SSAValue]:
        return ()

    def _region(
        self, accumulators: Sequence[tuple[Attribute, str]], body: Callable[[list[SSAValue]], Sequence[SSAValue]]
    ) -> Sequence[SSAValue]:
        region = RegionBuilder(accumulators)
        self._regions.append(region)
        with self._k.inside_nest(region):
            yielded = [*body(region.accumulators), *(value for value, _ in region.stored)]
            self._k.builder.insert(YieldOp(*yielded))
        return yielded

    def _insert(self, *, ordered: bool) -> None:
        *_, finish = self._regions
        folds = self._regions[:-1] or [None, None]
        groups = [*([] if region is None else region.reads for region in folds), finish.reads]
        groups.append([access for _, access in finish.stored])
        regions = [Region() if region is None else Region(region.block) for region in folds]
        bodies = [*regions, Region(finish.block)]
        self._k.builder.insert(NestOp(self._space, self._fold, self._where, groups, bodies, ordered=ordered))


class RegionBuilder:
    """A region of a nest: reads become arguments of its block, before the accumulators."""

    def __init__(self, accumulators: Sequence[tuple[Attribute, str]]):
        self.block = Block(arg_types=[type for type, _ in accumulators])
        for argument, (_, hint) in zip(self.block.args, accumulators, strict=True):
            argument.name_hint = hint
        self.accumulators: list[SSAValue] = list(self.block.args)
        self.reads: list[Access] = []
        self.stored: list[tuple[SSAValue, Access]] = []

    @property
    def start(self) -> InsertPoint:
        """Return the insertion point of the nest's operations."""
        return InsertPoint.at_end(self.block)

    def read(self, access: Access, element: Attribute, hint: str | None) -> SSAValue:
        """The element at a place."""
        self.reads.append(access)
        value = self.block.insert_arg(element, len(self.reads) - 1)
        value.name_hint = hint
        return value


def is_affine(places: Sequence[Place]) -> bool:
    """Whether no place is computed at run time."""
    return not any(isinstance(place, SSAValue) for place in places)


def affine(places: Sequence[Place]) -> tuple[AffineExpr, ...]:
    """Places that are known or affine, as expressions."""
    return tuple(AffineExpr.constant(place) if isinstance(place, int) else _expr(place) for place in places)


def computed(places: Sequence[Place]) -> list[Value]:
    """Places that are known or computed, as indices of a load or store in loops."""
    return [_value(place) for place in places]


def _expr(place: Place) -> AffineExpr:
    assert isinstance(place, AffineExpr), "the place is affine"
    return place


def _value(place: Place) -> Value:
    assert not isinstance(place, AffineExpr), "affine places occur in nests, beside no computed ones"
    return place

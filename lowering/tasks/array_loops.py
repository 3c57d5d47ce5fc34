"""The loops of nests whose sums lie in arrays: with `expand` and with `tensorize`, a call of a kernel in the fold."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from ...dialects.simd.kernel import HasOp, KernelOp
from ...dialects.task import NestOp
from ...dialects.task.loop import Loop
from ...dialects.task.steps import Expand, Tensorize
from ..builder import Loops, Value
from ..constants import Constants
from ..kernels.sets import bound_to
from .inline import inline
from .nest_loops import NestLoops, carries_out
from .point import Point


@carries_out(Expand, lambda step, nest: not step.dots)
class ExpandLoops(NestLoops):
    """Emits one nest: sums lie in local arrays while the fold runs outside of the loops over their points."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._inner = 1
        self._over: Sequence[Loop] = ()
        """These loops in the current block: the last one may have fewer points."""
        self._sums: list[SSAValue] = []
        """The local arrays, one for each accumulator."""

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        k, self._over = self._k, jammed
        count = self._size(prod(loop.extent for loop in jammed))
        sums = self._nest.accumulators
        self._sums = [k.emit(memref.AllocaOp.get(value.type, shape=[count]), "sums") for value in sums]
        point.each(jammed, lambda own, at: self._put(self._start_at(own), at))
        self._sum(point)
        point.each(jammed, lambda own, at: self._finish_at(own, self._at(at)))

    def _at(self, at: Value) -> list[SSAValue]:
        """The sums of one of the points."""
        return [self._k.load(buffer, [at], "acc") for buffer in self._sums]

    def _put(self, values: Sequence[SSAValue], at: Value) -> None:
        for value, buffer in zip(values, self._sums, strict=True):
            self._k.store(value, buffer, [at])

    def _size(self, points: int) -> int:
        """Elements of the arrays."""
        return points

    def _sum(self, point: Point) -> None:
        """Add what the fold gives."""
        self._over_fold(self._fold, point, [], [])

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        def step(own: Point, at: Value) -> None:
            state = self._at(at)
            self._put(inline(self._step_region, own, [*own.read("step_reads"), *state]), at)

        point.each(self._over, step)
        return acc


@carries_out(Tensorize)
class KernelLoops(ExpandLoops):
    """Emits one nest: the kernel adds to the arrays of sums at each place of the loops around it."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        bound_to(nest, nest.required_step(Tensorize))

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        step = nest.required_step(Tensorize)
        super().__init__(nest, k, constants)
        self._kernel = step.kernel
        self._bound = bound_to(nest, step)
        self._inner = sum(loop.name in step.dims for loop in self._space)
        self._inner_fold = len(step.dims) - self._inner

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        over_fold = super()._over_fold
        if len(loops) != self._inner_fold:
            return over_fold(loops, point, points, acc)

        def instead() -> None:
            over_fold(loops, point, points, acc)

        condition = self._k.emit(HasOp(set=self._kernel.rpartition(".")[0]))
        self._k.branch(condition, lambda: self._call(loops, point), instead)
        return acc

    def _call(self, loops: Sequence[Loop], point: Point) -> None:
        k, first, sizes = self._k, point, list[Value]()
        for loop in (*self._over, *loops):
            begin, end = point.range_of(loop)
            sizes.append(k.sub(end, begin))
            first = first.entered(loop, begin)
        accesses = self._nest.accesses("step_reads")
        places = [(buffer, [k.index(0)]) for buffer in self._sums]
        places += [first.operands(accesses[read]) for read in self._bound.reads]
        buffers, indices = [buffer for buffer, _ in places], [index for _, at in places for index in at]
        numbers = {"strides": self._bound.strides, "scalars": self._bound.scalars}
        k.builder.insert(KernelOp(buffers, indices, [*map(k.index, sizes)], kernel=self._kernel, **numbers))

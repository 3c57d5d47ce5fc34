"""The loops of a nest whose schedule has `tensorize`: a call of a kernel, and the loops that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from ...dialects.simd.kernel import HasOp, KernelOp
from ...dialects.task import NestOp
from ...dialects.task.loop import Loop
from ...dialects.task.schedule import Tensorize
from ..builder import Loops, Value
from ..kernels.sets import bound_to
from .inline import inline
from .nest_loops import NestLoops
from .point import Point


class KernelLoops(NestLoops):
    """Emits one nest: sums lie in arrays, to which the kernel adds at each place of the loops around it."""

    def __init__(self, nest: NestOp, step: Tensorize, k: Loops):
        super().__init__(nest, k)
        self._kernel = step.kernel
        self._bound = bound_to(nest, step)
        names = [loop.name for loop in self._space]
        self._inner_space = sum(name in names for name in step.dims)
        self._inner_fold = len(step.dims) - self._inner_space
        self._over: Sequence[Loop] = ()
        """The kernel's loops of the space in the current block: the last one may have fewer points."""
        self._sums: list[SSAValue] = []
        """The arrays, one for each accumulator."""

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        if len(loops) != self._inner_space:
            super()._over_space(loops, point)
            return
        k, self._over = self._k, loops
        count = prod(loop.extent for loop in loops)
        self._sums = [
            k.emit(memref.AllocaOp.get(value.type, shape=[count]), "sums") for value in self._nest.accumulators
        ]

        def start(own: Point, at: Value) -> None:
            for value, buffer in zip(self._run(self._nest.start, own, "start_reads", []), self._sums, strict=True):
                k.store(value, buffer, [at])

        point.each(loops, start)
        self._over_fold(self._fold, point, [], [])
        point.each(loops, lambda own, at: self._finish_at(own, self._sums_at(at)))

    def _sums_at(self, at: Value) -> list[SSAValue]:
        return [self._k.load(buffer, [at], "acc") for buffer in self._sums]

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        if len(loops) != self._inner_fold:
            return super()._over_fold(loops, point, points, acc)
        condition = self._k.emit(HasOp(self._kernel.rpartition(".")[0]))
        self._k.branch(condition, lambda: self._call(loops, point), lambda: self._loops(loops, point))
        return acc

    def _call(self, loops: Sequence[Loop], point: Point) -> None:
        k, first = self._k, point
        sizes: list[Value] = [loop.extent for loop in self._over]
        for loop in self._over:
            first = first.entered(loop, 0)
        for loop in loops:
            begin, end = point.fold_range(loop)
            sizes.append(k.sub(end, begin))
            first = first.entered(loop, begin)
        accesses = self._nest.accesses("step_reads")
        places = [(buffer, [k.index(0)]) for buffer in self._sums]
        places += [first.operands(accesses[read]) for read in self._bound.reads]
        buffers, indices = [buffer for buffer, _ in places], [index for _, at in places for index in at]
        numbers = {"strides": self._bound.strides, "scalars": self._bound.scalars}
        k.builder.insert(KernelOp(buffers, indices, [*map(k.index, sizes)], kernel=self._kernel, **numbers))

    def _loops(self, loops: Sequence[Loop], point: Point) -> None:
        """The loops that the call stands for."""
        k = self._k
        if loops:
            loop, *rest = loops
            with k.loop(loop.name, *point.fold_range(loop)) as i:
                self._loops(rest, point.entered(loop, i))
            return

        def step(own: Point, at: Value) -> None:
            made = inline(self._step_region, k, own, [*own.read("step_reads"), *self._sums_at(at)])
            for value, buffer in zip(made, self._sums, strict=True):
                k.store(value, buffer, [at])

        point.each(self._over, step)

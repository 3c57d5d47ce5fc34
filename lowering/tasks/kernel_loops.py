"""The loops of a nest whose schedule has `tensorize`: a call of a kernel, and the loops that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from .parts import part_of
from .point import Point

_Visit = Callable[[Point, Value], None]


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

        self._each_point(loops, point, 0, start)
        self._over_fold(self._fold, point, [], [])
        self._each_point(loops, point, 0, lambda own, at: self._finish_at(own, self._sums_at(at)))

    def _sums_at(self, at: Value) -> list[SSAValue]:
        return [self._k.load(buffer, [at], "acc") for buffer in self._sums]

    def _each_point(self, loops: Sequence[Loop], point: Point, at: Value, visit: _Visit) -> None:
        """Visit the points of loops over the space, each with its place in the arrays."""
        if not loops:
            visit(point, at)
            return
        loop, *rest = loops
        with self._k.loop(loop.name, 0, loop.extent) as i:
            self._each_point(rest, _entered(point, loop, i), self._k.add(self._k.mul(at, loop.extent), i), visit)

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
            first = _entered(first, loop, 0)
        for loop in loops:
            begin, end = point.fold_range(loop)
            sizes.append(k.sub(end, begin))
            first = _entered(first, loop, begin)
        accesses = self._nest.accesses("step_reads")
        places = [(buffer, [k.index(0)]) for buffer in self._sums]
        for read in self._bound.reads:
            access = accesses[read]
            buffer, indices = part_of(access.buffer, first.places.indices(k, access.indices))
            places.append((buffer, [k.index(i) for i in indices]))
        call = KernelOp(
            self._kernel,
            places,
            [k.index(size) for size in sizes],
            strides=self._bound.strides,
            scalars=self._bound.scalars,
        )
        k.builder.insert(call)

    def _loops(self, loops: Sequence[Loop], point: Point) -> None:
        """The loops that the call stands for."""
        k = self._k
        if loops:
            loop, *rest = loops
            with k.loop(loop.name, *point.fold_range(loop)) as i:
                self._loops(rest, _entered(point, loop, i))
            return

        def step(own: Point, at: Value) -> None:
            made = inline(self._step_region, k, own, [*own.read("step_reads"), *self._sums_at(at)])
            for value, buffer in zip(made, self._sums, strict=True):
                k.store(value, buffer, [at])

        self._each_point(self._over, point, 0, step)


def _entered(point: Point, loop: Loop, i: Value) -> Point:
    inner = point.child()
    inner.put(loop, i)
    inner.advance()
    return inner

"""Loop nests over memrefs with named induction variables."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from .folding import Condition
from .scalars import Scalars, Value

LIKELY = "likely"
"""Attribute of an `scf.if` whose condition mostly holds."""


class Loops(Scalars):
    """Adds loops, loads and stores; a loop known to run once is no loop."""

    def load(self, source: SSAValue, indices: Sequence[Value] = (), hint: str | None = None) -> SSAValue:
        """The element of memref `source` at `indices`."""
        return self.emit(memref.LoadOp.get(source, [self.index(i) for i in indices]), hint)

    def store(self, value: SSAValue, target: SSAValue, indices: Sequence[Value] = ()) -> None:
        """Set the element of memref `target` at `indices`."""
        self.builder.insert(memref.StoreOp.get(value, target, [self.index(i) for i in indices]))

    @contextmanager
    def loop(self, name: str, lower: Value, upper: Value) -> Generator[Value]:
        """Emit what the `with` body emits for every index from `lower` up to `upper` (excluded)."""
        if isinstance(lower, int) and isinstance(upper, int) and upper == lower + 1:
            yield lower
            return
        block = Block(arg_types=[IndexType()])
        block.args[0].name_hint = name
        op = scf.ForOp(self.index(lower), self.index(upper), self.index(1), [], Region(block))
        self.builder.insert(op)
        with self._inside(block):
            yield block.args[0]
            self.builder.insert(scf.YieldOp())

    def reduce(
        self,
        name: str,
        lower: Value,
        upper: Value,
        initial: SSAValue,
        body: Callable[[Value, SSAValue], SSAValue],
        hint: str = "acc",
    ) -> SSAValue:
        """Fold: `body(index, accumulator)` emits one step and returns the next accumulator; returns the last one."""
        return self.reduce_several(
            name, lower, upper, [initial], lambda index, state: [body(index, state[0])], (hint,)
        )[0]

    def reduce_several(
        self,
        name: str,
        lower: Value,
        upper: Value,
        initial: Sequence[SSAValue],
        body: Callable[[Value, list[SSAValue]], Sequence[SSAValue]],
        hints: Sequence[str],
    ) -> list[SSAValue]:
        """Reduce like `reduce` with several accumulators, one for each of `hints`; no step at all returns `initial`."""
        if isinstance(lower, int) and isinstance(upper, int) and upper <= lower + 1:
            return list(body(lower, list(initial)) if upper == lower + 1 else initial)
        block = Block(arg_types=[IndexType(), *(value.type for value in initial)])
        for argument, hint in zip(block.args, (name, *hints), strict=True):
            argument.name_hint = hint
        op = scf.ForOp(self.index(lower), self.index(upper), self.index(1), initial, Region(block))
        self.builder.insert(op)
        for result, hint in zip(op.results, hints, strict=True):
            result.name_hint = hint
        with self._inside(block):
            self.builder.insert(scf.YieldOp(*body(block.args[0], list(block.args[1:]))))
        return list(op.results)

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """Emit what the `with` body emits to run only if the i1 `condition` is true."""
        block = Block()
        self.builder.insert(scf.IfOp(condition, [], Region(block), Region()))
        with self._inside(block):
            yield
            self.builder.insert(scf.YieldOp())

    def branch(
        self,
        condition: Condition,
        then: Callable[[], None],
        otherwise: Callable[[], None],
        *,
        is_likely: bool = False,
    ) -> None:
        """Emit what `then` emits to run if the i1 `condition` is true, and what `otherwise` emits if it is not.

        One of both is emitted where it is known which. `is_likely` tells compilers that the condition mostly holds.
        """
        if isinstance(condition, bool):
            (then if condition else otherwise)()
            return
        branches = Block(), Block()
        branch = scf.IfOp(condition, [], Region(branches[0]), Region(branches[1]))
        if is_likely:
            branch.attributes[LIKELY] = UnitAttr()
        self.builder.insert(branch)
        for block, body in zip(branches, (then, otherwise), strict=True):
            with self._inside(block):
                body()
                self.builder.insert(scf.YieldOp())

    def either(
        self, condition: SSAValue, then: Callable[[], Sequence[SSAValue]], otherwise: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Emit `then` under the i1 `condition`; return its values if the condition is true, else `otherwise`."""
        branches = Block(), Block()
        types = [value.type for value in otherwise]
        op = scf.IfOp(condition, types, Region(branches[0]), Region(branches[1]))
        self.builder.insert(op)
        for branch, values in zip(branches, (then, lambda: otherwise), strict=True):
            with self._inside(branch):
                self.builder.insert(scf.YieldOp(*values()))
        return list(op.results)

    @contextmanager
    def _inside(self, block: Block) -> Generator[None]:
        outside = self.builder.insertion_point
        self.builder.insertion_point = InsertPoint.at_end(block)
        yield
        self.builder.insertion_point = outside

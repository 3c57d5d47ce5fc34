"""Instructions one after the other, each by a call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue

from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .instruction import Simple
from .memory import WORD, Moving, ldm, ldr, ldrd, reload, spill
from .registers import Register


@dataclass(eq=False)
class Held:
    """A register of a kernel, and the value that is read of it: that of the last instruction that wrote to it."""

    register: Register
    value: SSAValue


Where = str | Held
"""A register by its name, or the one that holds something, which is no longer needed."""

_Of = TypeVar("_Of")


def several(values: Sequence[_Of], count: int) -> list[Sequence[_Of]]:
    """Values in groups of so many, the last one perhaps of fewer."""
    return [values[n : n + count] for n in range(0, len(values), count)]


def _register(where: Where) -> Register:
    return where.register if isinstance(where, Held) else _named(where)


_named = cache(Register.from_name)


def _values(held: Iterable[Held]) -> list[SSAValue]:
    return [one.value for one in held]


class Assembler:
    """Appends instructions to a block. They write to registers that they are given."""

    def __init__(self, *inputs: str):
        """The registers that a kernel is given something in."""
        self._block = Block(arg_types=list(map(_named, inputs)))
        self.inputs = [Held(_named(name), value) for name, value in zip(inputs, self._block.args, strict=True)]

    def kernel(self, *results: Held) -> KernelOp:
        """All that was appended, and what comes of it."""
        self._add(YieldOp(*_values(results)))
        return KernelOp(self._block)

    def _add(self, op: Operation, to: Sequence[Where] = ()) -> list[Held]:
        """Append an operation, whose results are what registers hold then."""
        self._block.add_op(op)
        found = list[Held]()
        for where, result in zip(to, op.results, strict=True):
            held = where if isinstance(where, Held) else Held(_named(where), result)
            held.value = result
            found.append(held)
        return found

    def compute(self, kind: type[Simple], *inputs: Held, to: Where, by: int | None = None) -> Held:
        """An instruction that computes a number of others, and of a constant."""
        return self._add(kind(*_values(inputs), to=[_register(to)], by=by), [to])[0]

    def compute_pair(self, kind: type[Simple], inputs: Sequence[Held], to: Sequence[Where]) -> list[Held]:
        """An instruction that computes two numbers."""
        return self._add(kind(*_values(inputs), to=list(map(_register, to))), to)

    def still_in(self, held: Held, to: str) -> Held:
        """Return a register that is read as what another one holds now, until it is written itself."""
        return Held(_named(to), held.value)

    def load(
        self, kind: type[Moving], pointer: Held, to: Sequence[Where], *, by: int | None = None, next: bool = False
    ) -> list[Held]:
        """Load what is at a pointer or behind it; with `next` the pointer moves on then."""
        moved = [pointer] if next else []
        op = kind(pointer.value, to=list(map(_register, to)), by=by, next=pointer.register if next else None)
        return self._add(op, [*moved, *to])[len(moved) :]

    def load_words(self, pointer: Held, to: Sequence[Where], *, next: bool = False) -> list[Held]:
        """Load words side by side; with `next` the pointer moves on behind them."""
        if len(to) > 1:
            return self.load(ldm, pointer, to, next=next)
        return self.load(ldr, pointer, to, by=WORD if next else 0, next=next)

    def load_pairs(self, pointer: Held, to: Sequence[Where]) -> list[Held]:
        """Load words side by side behind a pointer, two at a time."""
        pairs = enumerate(several(to, 2))
        return [one for n, pair in pairs for one in self.load(ldrd, pointer, pair, by=2 * WORD * n)]

    def store(
        self, kind: type[Moving], pointer: Held, *stored: Held, by: int | None = None, next: bool = False
    ) -> None:
        """Store at a pointer or behind it; with `next` the pointer moves on then."""
        op = kind(pointer.value, _values(stored), by=by, next=pointer.register if next else None)
        self._add(op, [pointer] if next else [])

    def reload(self, slot: int, to: Where) -> Held:
        """Load a word of the frame."""
        return self.compute(reload, to=to, by=WORD * slot)

    def spill(self, slot: int, value: Held) -> None:
        """Store a number in the place of a word of the frame."""
        self._add(spill(value.value, to=[], by=WORD * slot))

    def entering(self, name: str) -> Held:
        """Return what a register has in front of the kernel."""
        return self._add(EnteringOp(_named(name)), [name])[0]

    @contextmanager
    def frame(self, kept: Sequence[Held], known: Sequence[Held] = ()) -> Generator[None]:
        """Keep registers around what is appended inside, of which others are `known` behind it."""
        before, around, self._block = _values(kept), self._block, Block()
        yield
        self._add(YieldOp(*_values(known)))
        around, self._block = self._block, around
        self._add(FrameOp(before, around), known)

    @contextmanager
    def loop(self, *carried: Held) -> Generator[Callable[[Held, Held], None]]:
        """Append a loop of what is appended inside. What goes from pass to pass is `carried`.

        It ends with the call of what is given: with the registers that are equal behind the last pass.
        """
        before, around, self._block = _values(carried), self._block, Block(arg_types=[one.register for one in carried])
        for held, value in zip(carried, self._block.args, strict=True):
            held.value = value

        def until(one: Held, other: Held) -> None:
            self._add(UntilOp(one.value, other.value, *_values(carried)))

        yield until
        around, self._block = self._block, around
        self._add(LoopOp(before, around), carried)

"""Instructions one after the other, each by a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue

from . import arithmetic, floats, memory
from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .registers import Register

Where = str | SSAValue | None
"""A register by its name, that of another value, or one that is given later."""


def register(where: Where) -> Register:
    """The type of a value in a register."""
    if isinstance(where, SSAValue):
        assert isinstance(where.type, Register), "all values are in registers"
        return where.type
    return _named(where)


@cache
def _named(name: str | None) -> Register:
    return Register.unallocated() if name is None else Register.from_name(name)


_Of = TypeVar("_Of")


def several(values: Sequence[_Of], count: int) -> list[Sequence[_Of]]:
    """Values in groups of so many, the last one perhaps of fewer."""
    return [values[n : n + count] for n in range(0, len(values), count)]


class Assembler:
    """Appends instructions to a block. Names of registers are optional: those left out are given later."""

    def __init__(self, *inputs: Where):
        """The registers that a kernel is given something in."""
        self._block = Block(arg_types=list(map(register, inputs)))

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """Return the inputs of the kernel."""
        return self._block.args

    def kernel(self, *results: SSAValue) -> KernelOp:
        """All that was appended, and what comes of it."""
        self.add(YieldOp(*results))
        return KernelOp(self._block)

    def add(self, op: Operation) -> Sequence[SSAValue]:
        """Any operation; its results."""
        self._block.add_op(op)
        return op.results

    def compute(self, kind: type[arithmetic.Computing], *inputs: SSAValue, to: Where = None) -> SSAValue:
        """An instruction that computes a number of others."""
        return self.add(kind(*inputs, to=register(to)))[0]

    def compute_by(self, kind: type[arithmetic.ComputingBy], *inputs: SSAValue, by: int, to: Where = None) -> SSAValue:
        """One with a constant."""
        return self.add(kind(*inputs, by=by, to=register(to)))[0]

    def move_pair(self, pair: Sequence[SSAValue], to: Sequence[Where]) -> Sequence[SSAValue]:
        """Two numbers in registers of floats, or back in others."""
        return self.add(floats.VmovOp(*pair, to=list(map(register, to))))

    def load(
        self, kind: type[memory.Loading], pointer: SSAValue, by: int = 0, to: Sequence[Where] = (None,)
    ) -> Sequence[SSAValue]:
        """Numbers behind a pointer."""
        return self.add(kind(pointer, by, to=list(map(register, to))))

    def load_next(
        self, kind: type[memory.Loading], pointer: SSAValue, by: int, to: Sequence[Where] = (None,)
    ) -> tuple[SSAValue, Sequence[SSAValue]]:
        """The pointer, moved on, and the numbers at it."""
        moved, *loaded = self.add(kind(pointer, by, to=list(map(register, to)), next=register(pointer)))
        return moved, loaded

    def load_words(self, pointer: SSAValue, to: Sequence[Where]) -> Sequence[SSAValue]:
        """Words side by side."""
        if len(to) == 1:
            return self.load(memory.LdrOp, pointer, 0, to)
        return self.add(memory.LdmOp(pointer, to=list(map(register, to))))

    def next_words(self, pointer: SSAValue, to: Sequence[Where]) -> tuple[SSAValue, Sequence[SSAValue]]:
        """The pointer behind words side by side, and these."""
        if len(to) == 1:
            return self.load_next(memory.LdrOp, pointer, memory.WORD, to)
        moved, *loaded = self.add(memory.LdmOp(pointer, to=list(map(register, to)), next=register(pointer)))
        return moved, loaded

    def reals(self, pointer: SSAValue, count: int, *, next: bool) -> tuple[SSAValue, Sequence[SSAValue]]:
        """So many words side by side in the registers of floats, and the pointer, with `next` moved on."""
        to = [register(f"s{n}") for n in range(count)]
        results = self.add(memory.VldmOp(pointer, to=to, next=register(pointer) if next else None))
        return (results[0], results[1:]) if next else (pointer, results)

    def store_words(self, pointer: SSAValue, words: Sequence[SSAValue]) -> SSAValue:
        """The pointer behind words that are stored side by side."""
        return self.add(memory.StmOp(pointer, words, next=register(pointer)))[0]

    def store_byte(self, pointer: SSAValue, by: int, value: SSAValue) -> None:
        """A byte behind a pointer."""
        self.add(memory.StrbOp(pointer, by, [value]))

    def store_next_byte(self, pointer: SSAValue, by: int, value: SSAValue) -> SSAValue:
        """The pointer, moved on, after a byte is stored at it."""
        return self.add(memory.StrbOp(pointer, by, [value], next=register(pointer)))[0]

    def store_word(self, pointer: SSAValue, by: int, value: SSAValue) -> None:
        """A word behind a pointer."""
        self.add(memory.StrOp(pointer, by, [value]))

    def store_next_word(self, pointer: SSAValue, by: int, value: SSAValue) -> SSAValue:
        """The pointer, moved on, after a word is stored at it."""
        return self.add(memory.StrOp(pointer, by, [value], next=register(pointer)))[0]

    def reload(self, slot: int, to: Where = None) -> SSAValue:
        """A word of the frame."""
        return self.add(memory.ReloadOp(slot, to=[register(to)]))[0]

    def spill(self, slot: int, value: SSAValue) -> None:
        """A number in the place of a word of the frame."""
        self.add(memory.SpillOp(slot, [value]))

    def entering(self, name: str) -> SSAValue:
        """Return what a register has in front of the kernel."""
        return self.add(EnteringOp(register(name)))[0]

    def frame(self, kept: Sequence[SSAValue], body: Callable[[], Sequence[SSAValue]]) -> Sequence[SSAValue]:
        """Keep registers around what `body` appends; it returns what is known behind the frame."""
        around, self._block = self._block, Block()
        self.add(YieldOp(*body()))
        around, self._block = self._block, around
        return self.add(FrameOp(kept, around))

    def loop(
        self,
        carried: Sequence[SSAValue],
        body: Callable[[Sequence[SSAValue]], tuple[SSAValue, SSAValue, Sequence[SSAValue]]],
    ) -> Sequence[SSAValue]:
        """Append a loop: `body` gets what goes from pass to pass, and returns what is compared and the new values."""
        around, self._block = self._block, Block(arg_types=[value.type for value in carried])
        one, other, after = body(self._block.args)
        self.add(UntilOp(one, other, *after))
        around, self._block = self._block, around
        return self.add(LoopOp(carried, around))

"""How C programs call a model: what the self-test, the host's program and the emulator's firmware are written with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from .description import Pool, Side, Tensor

GUARD = 64
"""Bytes before and after a pool that `Caller.storage` can watch, at least."""


@dataclass(frozen=True)
class Memory:
    """An array in RAM that the model may touch."""

    symbol: str
    bytes: int
    section: str
    """Input section that holds it when every variable has a section of its own."""
    what: str
    """For messages: `pool 'workspace'`, `input 'x'`."""


@dataclass(frozen=True)
class Refusal:
    """A call that the model must refuse."""

    what: str
    """The mistake in words: `a null pool sram`."""
    before: tuple[str, ...]
    """Statements that make the mistake."""
    call: str
    """Expression of the call's result."""
    code: str
    """The value that it must have."""


@dataclass(frozen=True)
class Watched:
    """A pool with margins on both sides, in an array of its own."""

    name: str
    """The pool, in messages."""
    array: str
    margin: str
    """Bytes on each side, as C."""
    size: str
    """Bytes of the pool, as C."""
    refusals: tuple[Refusal, ...]
    """Calls with a bad pool."""
    restore: tuple[str, ...]
    """Statements after them that undo the mistakes."""


class Caller(ABC):
    """C text of programs that call one model. Statements have no indentation; the variable names are the caller's."""

    @property
    @abstractmethod
    def include(self) -> str:
        """The header's name."""

    @abstractmethod
    def storage(self, *, guarded: bool = False, hook: str = "") -> str:
        """Static arrays for what the application owns; `guarded` ones have margins as `watched` says.

        `hook` is what the application does when it hears of an operator's `position`; nothing by default.
        """

    @abstractmethod
    def setup(self, *, guarded: bool = False) -> list[str]:
        """Declarations first, then statements that make the model ready to run."""

    @abstractmethod
    def call(self) -> str:
        """Expression that runs the network with what `setup` made; its value is 0 when all is well."""

    @abstractmethod
    def elements(self, side: Side, tensor: Tensor) -> str:
        """Expression that points to the elements of an input or output, with their type."""

    @abstractmethod
    def memories(self) -> list[Memory]:
        """Memories in RAM: pools, and arrays of the caller."""

    @abstractmethod
    def place(self, side: Side, tensor: Tensor) -> tuple[str, int]:
        """Array and offset of an input or output, once `setup` has run."""

    def size(self, side: Side, tensor: Tensor) -> str:
        """Bytes of an input or output, a macro or a number."""
        return str(tensor.bytes)

    def count(self, side: Side, tensor: Tensor) -> str:
        """Elements of an input or output, a macro or a number."""
        return str(tensor.count)

    def reset(self) -> list[str]:
        """Statements that set what the model keeps from one run to the next, if it keeps anything."""
        return []

    def other_slot(self) -> list[str]:
        """Statements that go on to the other slot, if inputs have two."""
        return []

    def unused(self) -> list[str]:
        """Statements that make compilers content where a program reads no outputs."""
        return []

    def watched(self) -> list[Watched]:
        """The pools that guarded storage watches."""
        return []


def margin(pool: Pool) -> int:
    """Bytes on both sides of a watched pool: its alignment survives."""
    return max(GUARD, pool.alignment)

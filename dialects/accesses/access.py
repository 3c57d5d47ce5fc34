"""Accesses of one operation to one memref, and the table of operations that state them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue


@dataclass(frozen=True)
class Access:
    """Elements of a memref that an operation reads, or those that it writes.

    An operation that reads and writes has an access for each; nothing is said about which of them comes first.
    """

    memref: SSAValue
    is_write: bool
    indices: tuple[SSAValue, ...] | None = None
    """Indices of the first element; None where all of the memref is meant, in an order that nobody knows."""
    shape: tuple[int, ...] = ()
    """How many elements from there on along each dimension; empty where all of the memref is meant."""
    is_sure: bool = True
    """Whether all these elements are accessed, and not perhaps some of them only; never any beyond the memref."""
    is_in_rows: bool = True
    """Whether several elements are those of a vector in the same order, the last dimension fastest."""
    is_assumed: bool = False
    """Whether nobody knows what the operation does: what it might do at worst."""

    @property
    def type(self) -> MemRefType[Attribute]:
        """The memref's type."""
        assert isinstance(self.memref.type, MemRefType), "accesses go to memrefs"
        return self.memref.type

    @property
    def count(self) -> int:
        """Elements from first to last, at most."""
        return prod(self.type.get_shape() if self.indices is None else self.shape)

    @property
    def is_single(self) -> bool:
        """Whether it is one element, at indices that are known."""
        return self.indices is not None and self.count == 1

    @staticmethod
    def element(memref: SSAValue, indices: Sequence[SSAValue], *, is_write: bool) -> Access:
        """One element."""
        return Access(memref, is_write, tuple(indices), (1,) * len(indices))


Of = TypeVar("Of", bound=Operation)
Answer = Callable[[Any], Sequence[Access]]

_ANSWERS: dict[type[Operation], Answer] = {}


def answers_for(kind: type[Of]) -> Callable[[Callable[[Of], Sequence[Access]]], Callable[[Of], Sequence[Access]]]:
    """Register the function that says what operations of a class access."""

    def register(answer: Callable[[Of], Sequence[Access]]) -> Callable[[Of], Sequence[Access]]:
        assert kind not in _ANSWERS, f"{kind.name} is answered for once"
        _ANSWERS[kind] = answer
        return answer

    return register


def accesses(op: Operation) -> Sequence[Access]:
    """Accesses of an operation itself; regions, and the bodies of called functions, are looked at by who asks.

    An operation that makes memrefs names bytes, but touches none. Any other that is not registered is assumed to read
    and to write all of the memrefs that it is given; so is a call.
    """
    answer = _ANSWERS.get(type(op))
    if answer is not None:
        return answer(op)
    # Most operations compute numbers, and comprehensions tell that with fewer calls than generators do.
    given = dict.fromkeys([operand for operand in op.operands if isinstance(operand.type, MemRefType)])
    if not given or any(isinstance(result.type, MemRefType) for result in op.results):
        return ()
    return [Access(value, is_write, is_sure=False, is_assumed=True) for value in given for is_write in (False, True)]

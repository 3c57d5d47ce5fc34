"""Index arithmetic as sums of values times constants, so that places can be compared with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

Terms: TypeAlias = frozenset[tuple[SSAValue, int]]
"""Values times constants."""


@dataclass(frozen=True)
class IndexSum:
    """A sum; what is no such sum is a term of its own."""

    terms: Terms = frozenset()
    constant: int = 0

    def plus(self, other: IndexSum, factor: int = 1) -> IndexSum:
        """Return the sum of this and `factor` times the other."""
        constant = self.constant + factor * other.constant
        if not other.terms or not factor:
            return IndexSum(self.terms, constant)
        total = dict(self.terms)
        for value, times in other.terms:
            total[value] = total.get(value, 0) + factor * times
        return IndexSum(frozenset((value, times) for value, times in total.items() if times), constant)


class IndexSums:
    """Sums of the indices of a function."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, IndexSum] = {}

    def of(self, value: SSAValue) -> IndexSum:
        """The sum of a number."""
        if value not in self._known:
            self._known[value] = self._computed(value)
        return self._known[value]

    def place(self, indices: Iterable[SSAValue], strides: Sequence[int]) -> IndexSum:
        """Return the place of an element in its memref."""
        place = IndexSum()
        for index, stride in zip(indices, strides, strict=True):
            place = place.plus(self.of(index), stride)
        return place

    def _computed(self, value: SSAValue) -> IndexSum:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return IndexSum(constant=number.value.data)
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                return self.of(lhs).plus(self.of(rhs))
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                return self.of(lhs).plus(self.of(rhs), -1)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                for one, other in ((lhs, rhs), (rhs, lhs)):
                    if not (factor := self.of(one)).terms:
                        return IndexSum().plus(self.of(other), factor.constant)
            case arith.IndexCastOp(input=given):
                return self.of(given)
            case _:
                pass
        return IndexSum(frozenset({(value, 1)}))

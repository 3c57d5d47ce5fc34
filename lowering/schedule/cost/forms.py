"""Index arithmetic as sums of loop variables times constants, so that places can be compared with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import Operation, SSAValue

from ....dialects.accesses import Access

Terms: TypeAlias = frozenset[tuple[SSAValue, int]]
"""Values times constants."""


@dataclass(frozen=True)
class Form:
    """A sum; what is no such sum is a term of its own."""

    terms: Terms = frozenset()
    constant: int = 0

    def plus(self, other: Form) -> Form:
        """The sum of both."""
        if not self.terms or not other.terms:
            return Form(self.terms | other.terms, self.constant + other.constant)
        total = dict(self.terms)
        for value, factor in other.terms:
            total[value] = total.get(value, 0) + factor
        terms = frozenset((value, factor) for value, factor in total.items() if factor)
        return Form(terms, self.constant + other.constant)

    def times(self, factor: int) -> Form:
        """Return the form times `factor`."""
        terms = ((value, n * factor) for value, n in self.terms if factor)
        return Form(frozenset(terms), self.constant * factor)


class Forms:
    """Forms of the indices of a function."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Form] = {}

    def of(self, value: SSAValue) -> Form:
        """The form of a number."""
        if value not in self._known:
            self._known[value] = self._computed(value)
        return self._known[value]

    def place(self, access: Access) -> Form:
        """Return the beginning of an access, in elements of its buffer."""
        type = access.memref.type
        assert isinstance(type, MemRefType), "what is accessed is a memref"
        place, stride = Form(), 1
        assert access.indices is not None, "it is known where an access begins"
        for index, extent in zip(reversed(access.indices), reversed(type.get_shape()), strict=True):
            place = place.plus(self.of(index).times(stride))
            stride *= max(1, extent)
        return place

    def _computed(self, value: SSAValue) -> Form:
        op = value.owner
        if isinstance(op, Operation):
            match op:
                case arith.ConstantOp() if isinstance(op.value, IntegerAttr):
                    return Form(constant=op.value.value.data)
                case arith.AddiOp():
                    return self.of(op.lhs).plus(self.of(op.rhs))
                case arith.SubiOp():
                    return self.of(op.lhs).plus(self.of(op.rhs).times(-1))
                case arith.MuliOp():
                    lhs, rhs = self.of(op.lhs), self.of(op.rhs)
                    if not lhs.terms:
                        return rhs.times(lhs.constant)
                    if not rhs.terms:
                        return lhs.times(rhs.constant)
                case arith.IndexCastOp():
                    return self.of(op.input)
                case _:
                    pass
        return Form(frozenset({(value, 1)}))

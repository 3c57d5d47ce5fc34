"""Bounds of integers that are known at compile time: where index arithmetic cannot leave the 32 bits that C gives it.

An interval for each value, from constants, loop bounds, masks and the widths of narrower types. What is not understood
may be anything that its type holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue

INDEX_BITS = 32
"""Width of `index` in C, a signed integer."""


class Interval(NamedTuple):
    """Least and largest value, inclusive."""

    least: int
    most: int

    def within(self, other: Interval) -> bool:
        """Whether every value is one of the other's."""
        return other.least <= self.least and self.most <= other.most

    def outside(self, other: Interval) -> bool:
        """Whether no value is one of the other's."""
        return self.most < other.least or other.most < self.least


def _hull(intervals: Iterable[Interval]) -> Interval:
    found = list(intervals)
    return Interval(min(one.least for one in found), max(one.most for one in found))


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return Interval(min(corners), max(corners))


def _quotient(rounded: Callable[[int, int], int]) -> Callable[[Interval, Interval], Interval | None]:
    """Signed division by a positive constant, which keeps the order."""

    def divided(a: Interval, b: Interval) -> Interval | None:
        return Interval(rounded(a.least, b.least), rounded(a.most, b.least)) if 0 < b.least == b.most else None

    return divided


def _remainder(a: Interval, b: Interval) -> Interval | None:
    if b.least <= 0:
        return None
    most = b.most - 1
    return Interval(max(-most, min(a.least, 0)), min(most, max(a.most, 0)))


def _common_bits(a: Interval, b: Interval) -> Interval | None:
    positive = [one.most for one in (a, b) if one.least >= 0]
    return Interval(0, min(positive)) if positive else None


def _truncated(a: int, b: int) -> int:
    return abs(a) // b * (1 if a >= 0 else -1)


_BINARY: dict[type[Operation], Callable[[Interval, Interval], Interval | None]] = {
    arith.AddiOp: lambda a, b: Interval(a.least + b.least, a.most + b.most),
    arith.SubiOp: lambda a, b: Interval(a.least - b.most, a.most - b.least),
    arith.MuliOp: _product,
    arith.MinSIOp: lambda a, b: Interval(min(a.least, b.least), min(a.most, b.most)),
    arith.MaxSIOp: lambda a, b: Interval(max(a.least, b.least), max(a.most, b.most)),
    arith.DivSIOp: _quotient(_truncated),
    arith.FloorDivSIOp: _quotient(lambda a, b: a // b),
    arith.CeilDivSIOp: _quotient(lambda a, b: -(-a // b)),
    arith.RemSIOp: _remainder,
    arith.RemUIOp: lambda a, b: _remainder(a, b) if a.least >= 0 else Interval(0, b.most - 1) if b.least > 0 else None,
    arith.DivUIOp: lambda a, b: _quotient(_truncated)(a, b) if a.least >= 0 else None,
    arith.AndIOp: _common_bits,
}


def everything(type: object) -> Interval:
    """All values of an integer type, read as signed, or of `index`."""
    bits = INDEX_BITS if isinstance(type, IndexType) else type.width.data if isinstance(type, IntegerType) else 64
    return Interval(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


class Bounds:
    """Answers for the values of one function that does not change meanwhile."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Interval] = {}

    def of(self, value: SSAValue) -> Interval:
        """Return the range of a value, arithmetic being modulo its width."""
        found = self._known.get(value)
        if found is None:
            exact, whole = self.exact(value), everything(value.type)
            found = self._known[value] = exact if exact.within(whole) else whole
        return found

    def exact(self, value: SSAValue) -> Interval:
        """Return the range of a value if it were computed from its operands without a limit."""
        owner = value.owner
        found = self._argument(value, owner) if isinstance(owner, Block) else self._result(value, owner)
        return everything(value.type) if found is None else found

    def _result(self, value: SSAValue, op: Operation) -> Interval | None:
        if (function := _BINARY.get(type(op))) is not None:
            return function(*(self.of(operand) for operand in op.operands))
        match op:
            case arith.ConstantOp() if isinstance(op.value, IntegerAttr):
                return Interval(op.value.value.data, op.value.value.data)
            case arith.IndexCastOp() | arith.ExtSIOp():
                return self.of(op.input)
            case arith.ExtUIOp():
                return Interval(0, 2 * everything(op.input.type).most + 1)
            case arith.SelectOp():
                return _hull((self.of(op.lhs), self.of(op.rhs)))
            case memref.DimOp():
                return Interval(0, everything(value.type).most)
            case scf.IfOp():
                index = op.results.index(value)
                ends = [region.block.last_op for region in op.regions]
                return _hull(self.of(end.operands[index]) for end in ends if end is not None)
            case scf.ForOp():
                index = op.results.index(value)
                end = op.body.block.last_op
                assert end is not None, "the body of a loop ends in scf.yield"
                return _hull(self.of(one) for one in (op.iter_args[index], end.operands[index]))
            case _:
                return None

    def _argument(self, value: SSAValue, block: Block) -> Interval | None:
        loop = block.parent_op()
        if not isinstance(loop, scf.ForOp):
            return None
        lower, upper = self.of(loop.lb), self.of(loop.ub)
        index = block.args.index(value)
        if index == 0:
            return Interval(lower.least, max(lower.least, upper.most - 1))
        return self._carried(loop, index - 1)

    def _carried(self, loop: scf.ForOp, index: int) -> Interval | None:
        """A value that each round adds something to, which starts anew with each run of the loop."""
        block = loop.body.block
        end, argument = block.last_op, block.args[index + 1]
        assert end is not None, "the body of a loop ends in scf.yield"
        initial, carried = self.of(loop.iter_args[index]), end.operands[index]
        if carried is argument:
            return initial
        addition = carried.owner
        if not isinstance(addition, arith.AddiOp) or argument not in addition.operands:
            return None
        added = addition.rhs if addition.lhs is argument else addition.lhs
        if added is argument or (isinstance(added.owner, Operation) and block.is_ancestor(added.owner)):
            return None
        lower, upper, step = self.of(loop.lb), self.of(loop.ub), self.of(loop.step)
        if step.least <= 0:
            return None
        rounds = max(0, -(-(upper.most - lower.least) // step.least))
        least, most = (rounds * bound for bound in self.of(added))
        return Interval(initial.least + min(0, least), initial.most + max(0, most))

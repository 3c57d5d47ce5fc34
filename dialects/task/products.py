"""Recognises nests that sum products of two operands: convolutions and matrix products of narrow integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from .structure import Nest


@dataclass(frozen=True)
class Factor:
    """One factor of the products: an element, widened, less its zero point."""

    read: int
    """Number among what the step reads."""
    zero_point: int
    signed: bool
    """Whether the element is widened with its sign, not with zeros."""
    bits: int
    """Bits of the element."""
    zero_point_read: int | None = None
    """Number among what the step reads of a part of the zero point that is known at run time only; added to the other
    part it is an element, too."""

    @property
    def fits_byte(self) -> bool:
        """Whether the element, without its zero point, is a signed byte."""
        least, most = self.extremes
        return -128 <= least and most <= 127

    @property
    def extremes(self) -> tuple[int, int]:
        """Least and largest element less the zero point."""
        least = -(1 << (self.bits - 1)) if self.signed else 0
        return least - self.zero_point, least + (1 << self.bits) - 1 - self.zero_point


def products(nest: Nest, *, late: bool = False) -> tuple[Factor, Factor] | None:
    """The two factors if each step adds a product of two elements to the only accumulator, an i32; else None.

    With `late` one of them may have a zero point that the step reads.
    """
    count = len(nest.step_reads)
    if count not in ((2, 3) if late else (2,)) or not nest.step.blocks or len(nest.accumulators) != 1:
        return None
    *reads, acc = nest.step.block.args
    total = nest.terminator(nest.step).values[0].owner
    if not isinstance(total, arith.AddiOp) or acc.type != i32 or acc not in total.operands:
        return None
    product = (total.rhs if total.lhs is acc else total.lhs).owner
    if not isinstance(product, arith.MuliOp):
        return None
    lhs, rhs = (_factor(value, reads) for value in (product.lhs, product.rhs))
    if lhs is None or rhs is None:
        return None
    used = {lhs.read, rhs.read, lhs.zero_point_read, rhs.zero_point_read} - {None}
    return (lhs, rhs) if len(used) == count else None


def _factor(value: SSAValue, reads: Sequence[SSAValue]) -> Factor | None:
    zero_point, zero_point_read, moved = 0, None, value.owner
    if isinstance(moved, arith.SubiOp) and moved.rhs in reads and moved.rhs.type == i32:
        value, zero_point_read = moved.lhs, reads.index(moved.rhs)
    elif isinstance(moved, arith.SubiOp | arith.AddiOp) and (number := const_evaluate_operand(moved.rhs)) is not None:
        value, zero_point = moved.lhs, number if isinstance(moved, arith.SubiOp) else -number
    widened = value.owner
    if not isinstance(widened, arith.ExtSIOp | arith.ExtUIOp) or widened.input not in reads:
        return None
    element, signed = widened.input, isinstance(widened, arith.ExtSIOp)
    assert isinstance(element.type, IntegerType), "verified: what is widened is an integer"
    return Factor(reads.index(element), zero_point, signed, element.type.width.data, zero_point_read)

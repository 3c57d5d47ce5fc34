"""Sums of two channels in one word ("SWAR", SIMD within a register) for processors without instructions for lanes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..values import Value
from .fields import INTEGER
from .memory import ReadsMemory, WritesMemory, check_words, row_read

SWAR_CHANNELS = 4
"""Channels whose sums are made side by side, those of two in a word."""
SWAR_POINTS = 2
"""After which the sums of a word are taken apart."""


@irdl_op_definition
class SwarProductsOp(ReadsMemory, WritesMemory):
    """Adds products of `count` numbers with weights of four channels to the sums of these; sums wrap around.

    A word of weights is that of the first channel of two plus 65536 times that of the second, so that one
    multiplication makes both products. For each two numbers there are the words of the first two channels, then those
    of the other two. Whoever writes the weights sees to it that the sum of two products fits 16 bits with its sign,
    whatever the numbers. Numbers and weights are four bytes each, aligned. Example:
    `simd.swar_products %x[%i] 4, %w[%k], %sums : memref<96xi32>, memref<64xi32>, memref<4xi32>`.

    Source of the name: R. Fisher, H. Dietz, "Compiling for SIMD within a register" (LCPC 1998).

    Armv6-M: LDM, MULS, ADDS, and ASRS, whose carry rounds what ADCS adds to the upper sum.
    """

    name = "simd.swar_products"
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    sums = operand_def(MemRefType)
    """Sums of the four channels."""
    assembly_format = (
        "$memref `[` $first `]` $count `,` $weights `[` $first_weight `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($weights) `,` type($sums)"
    )

    def __init__(self, memref: Value, first: Value, count: int, weights: Value, first_weight: Value, sums: Value):
        super().__init__(memref, first, weights, first_weight, sums, count=count)

    @property
    def taken(self) -> int:
        """Words of weights that are read."""
        return self.count.value.data * SWAR_CHANNELS // 2

    def verify_(self) -> None:
        count = self.count.value.data
        if count < SWAR_POINTS or count % SWAR_POINTS:
            raise VerifyException(f"numbers come two by two, not {count} of them")
        for memref, least in ((self.memref, count), (self.weights, self.taken), (self.sums, SWAR_CHANNELS)):
            check_words(memref, least)

    def accesses(self) -> Sequence[Access]:
        return (
            row_read(self.memref, self.first, self.count.value.data),
            row_read(self.weights, self.first_weight, self.taken),
            Access(self.sums, False),
            Access(self.sums, True),
        )

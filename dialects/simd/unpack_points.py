"""Bytes of two points that run side by side, taken apart into words of two lanes as tiles read them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import IndexType, UnitAttr, i8, i32
from xdsl.irdl import operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .memory import INTEGERS, SEGMENTS, ReadsMemory, Unrolled, WritesMemory, dense, reach_in
from .words import BYTES


class UnpackPointsOp(Unrolled, ReadsMemory, WritesMemory):
    """Words of two lanes of two points, `[word][point]`, from the bytes of each: runs of `count` words of four bytes.

    Two words come of each four bytes: the first with the third, then the second with the fourth. Bytes need not be
    aligned, words are. Runs begin at `places`, in elements from the first one of each point, and lie in a box from
    there on; `unroll` says how many words of a run are written out in one pass, where there is one run. Words of two
    `singles` each, bytes that lie apart, follow; of an odd number the last one is a word of its own. With
    `unsigned` before all, bytes have no sign. Example, two runs of eight bytes and what is left of each:
    `simd.unpack_points %x[%i, %j], %x[%i, %k] [0, 24] 2 unroll 2 singles [8, 32] [2, 9], %lanes[%l] :
    memref<8x24xi8>, memref<8x24xi8>, memref<18xi32>`.

    Armv7E-M: LDR, SXTB16 or UXTB16, LDRSB or LDRB, PKHBT, STM.
    """

    name = "simd.unpack_points"
    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    """Indices of the first byte of the first point."""
    other = operand_def(dense(i8))
    other_indices = var_operand_def(IndexType())
    places = prop_def(INTEGERS)
    singles = opt_prop_def(INTEGERS)
    box = prop_def(INTEGERS)
    unsigned = opt_prop_def(UnitAttr)
    lanes = operand_def(dense(i32))
    """Memory that is written."""
    first = operand_def(IndexType())
    irdl_options = SEGMENTS
    assembly_format = (
        "(`unsigned` $unsigned^)? $memref `[` $indices `]` `,` $other `[` $other_indices `]` "
        "$places $count `unroll` $unroll (`singles` $singles^)? $box `,` $lanes `[` $first `]` attr-dict `:` "
        "type($memref) `,` type($other) `,` type($lanes)"
    )

    @property
    def single_places(self) -> tuple[int, ...]:
        """Return the places of single bytes."""
        return () if self.singles is None else self.singles.get_values()

    @property
    def after(self) -> int:
        """Words of runs behind the loop, or all where there is none."""
        return super().after * len(self.places.get_values())

    @property
    def _pairs(self) -> int:
        """Words of single bytes, the last one of one perhaps."""
        return -(-len(self.single_places) // 2)

    def verify_(self) -> None:
        count, unroll, places = self.count.value.data, self.unroll.value.data, self.places.get_values()
        if self.other.type != self.memref.type or len(self.other_indices) != len(self.indices):
            types = f"{self.memref.type} and {self.other.type}"
            raise VerifyException(f"both points lie in memrefs of one type, not in {types}")
        is_one = len(places) == 1 and self.singles is None
        if not min(1, count) <= unroll <= count or (unroll < count and not is_one) or bool(count) != bool(places):
            raise VerifyException(f"of words in a row at least one and at most all are written out, not {unroll}")
        if not places and not self.single_places:
            raise VerifyException("nothing is read")
        super().verify_()
        reach = reach_in(self.memref, self.box.get_values())
        ends = [*(place + BYTES * count for place in places), *(place + 1 for place in self.single_places)]
        begins = [*places, *self.single_places]
        if min(begins) < 0 or max(ends) > reach or (self.passed and places[0]):
            raise VerifyException(f"what is read lies in the {reach} bytes from the first on, a loop begins there")

    def accesses(self) -> Sequence[Access]:
        box, words = self.box.get_values(), self.count.value.data * len(self.places)
        is_all = prod(box) == BYTES * words + len(self.single_places)
        points = ((self.memref, self.indices), (self.other, self.other_indices))
        read = [Access(memref, False, tuple(indices), box, is_sure=is_all) for memref, indices in points]
        return *read, Access(self.lanes, True, (self.first,), (4 * words + 2 * self._pairs,))

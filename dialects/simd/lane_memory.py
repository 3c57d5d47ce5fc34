"""Operations of the `simd` dialect that read and write memory for lanes, and which bytes these are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, UnitAttr, i8, i16, i32
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..values import Value
from .instruction import INTEGER
from .lanes import LANES, lanes
from .memory import INTEGERS, SEGMENTS, ReadsMemory, WritesMemory, check_box, reach_of, row_read, shape_of, side_by_side


def _check_row(memref: SSAValue, indices: Sequence[SSAValue], count: int) -> None:
    shape = shape_of(memref, indices, (i8, i16, i32), "elements of lanes")
    if not 1 <= count <= LANES or 0 <= shape[-1] < count:
        raise VerifyException(f"1 to {LANES} lanes are elements of a row, not {count} of {memref.type}")


@dataclass(frozen=True)
class Window:
    """Points of a memref at which something is read."""

    extents: tuple[int, int]
    """Rows and columns."""
    steps: tuple[int, int]
    """Elements from one to the next."""
    shape: tuple[int, ...]
    """Elements along each dimension of the memref, from the first to the last of four channels."""


@irdl_op_definition
class LoadLanesOp(ReadsMemory):
    """`count` elements side by side along the last dimension, widened to a lane each; the other lanes are zero.

    Elements are i8, i16 or i32, and need no alignment beyond their own. Example:
    `simd.load_lanes %x[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VLDRB, VLDRH, VLDRW; predicated for fewer than four.
    """

    name = "simd.load_lanes"
    RESULTS: ClassVar = (lanes,)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    count = prop_def(INTEGER)
    unsigned = opt_prop_def(UnitAttr)
    """Whether elements are widened without a sign."""
    result = result_def(lanes)
    assembly_format = "$memref `[` $indices `]` $count (`unsigned` $unsigned^)? attr-dict `:` type($memref)"

    def __init__(self, memref: Value, indices: Sequence[Value], count: int = LANES, *, unsigned: bool = False):
        super().__init__(memref, indices, count=count, unsigned=unsigned)

    def verify_(self) -> None:
        _check_row(self.memref, self.indices, self.count.value.data)

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, self.indices, self.count.value.data, is_write=False),)


@irdl_op_definition
class StoreLanesOp(WritesMemory):
    """Stores the first `count` lanes side by side along the last dimension, the low bits of each.

    Example: `simd.store_lanes %v, %y[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VSTRB, VSTRH, VSTRW; predicated for fewer than four.
    """

    name = "simd.store_lanes"
    value = operand_def(lanes)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    count = prop_def(INTEGER)
    assembly_format = "$value `,` $memref `[` $indices `]` $count attr-dict `:` type($memref)"

    def __init__(self, value: Value, memref: Value, indices: Sequence[Value], count: int = LANES):
        super().__init__(value, memref, indices, count=count)

    def verify_(self) -> None:
        _check_row(self.memref, self.indices, self.count.value.data)

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, self.indices, self.count.value.data, is_write=True),)


@irdl_op_definition
class SumWindowOp(ReadsMemory):
    """`sum` and the products of every point of a window over channels, four bytes side by side, with weights.

    The window has `extents` points, `steps` elements of the memref apart; it lies in the box of `shape`
    elements from the indices on. The weights lie one after the other in the order of the points. Sums wrap around.
    Example, three by three points of eight channels:
    `simd.sum_window %x[%y, %i, %c] [3, 3] [48, 8] [3, 3, 4], %w[%k], %sum : memref<6x6x8xi8>, memref<72xi8>`.

    Arm: VLDRB, VMUL, VADD.
    """

    name = "simd.sum_window"
    RESULTS: ClassVar = (lanes,)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    extents = prop_def(INTEGERS)
    steps = prop_def(INTEGERS)
    shape = prop_def(INTEGERS)
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    sum = operand_def(lanes)
    result = result_def(lanes)
    irdl_options = SEGMENTS
    assembly_format = (
        "$memref `[` $indices `]` $extents $steps $shape `,` $weights `[` $first_weight `]` `,` $sum attr-dict `:` "
        "type($memref) `,` type($weights)"
    )

    def __init__(
        self, memref: Value, indices: Sequence[Value], window: Window, weights: Value, first_weight: Value, sum: Value
    ):
        super().__init__(memref, indices, weights, first_weight, sum, **vars(window))

    @property
    def taken(self) -> int:
        """Weights that are read."""
        return prod(self.extents.get_values()) * LANES

    def verify_(self) -> None:
        shape_of(self.memref, self.indices, (i8,), "bytes")
        (weights,) = shape_of(self.weights, [self.first_weight], (i8,), "weights")
        extents, steps, box = (each.get_values() for each in (self.extents, self.steps, self.shape))
        check_box(box, self.memref)
        reach = sum((extent - 1) * step for extent, step in zip(extents, steps, strict=False)) + LANES
        if not len(extents) == len(steps) == 2 or reach != reach_of(box, self.memref) or box[-1] != LANES:
            raise VerifyException(f"a window has rows and columns that fill its box of {'x'.join(map(str, box))}")
        if weights < self.taken:
            raise VerifyException(f"a window takes {self.taken} weights, not {weights}")

    def accesses(self) -> Sequence[Access]:
        box = self.shape.get_values()
        is_all = prod(box) == self.taken
        read = Access(self.memref, False, tuple(self.indices), box, is_sure=is_all)
        return read, row_read(self.weights, self.first_weight, self.taken)

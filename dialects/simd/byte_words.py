"""Operations of the `simd` dialect on words of four bytes, on bytes times long factors, and stores of such words."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, MemRefType, NoneAttr, i8, i32, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, traits_def, var_operand_def
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..function import Function
from ..values import Value
from .lane_memory import shape_of
from .load_bytes import BYTES
from .ops import Dual

SHIFTED_BITS = (8, 16)
"""To which a shifted number may be saturated."""


class OfBytes(Dual, abc.ABC):
    """Base of the functions of the four bytes of two words, each with its neighbour in the other word."""


@irdl_op_definition
class MaximumBytesOp(OfBytes):
    """The larger bytes, with their sign. Example: `simd.maximum_bytes %a, %b`.

    Arm: SSUB8, SEL.
    """

    name = "simd.maximum_bytes"


@irdl_op_definition
class MinimumBytesOp(OfBytes):
    """The smaller bytes, with their sign. Example: `simd.minimum_bytes %a, %b`.

    Arm: SSUB8, SEL.
    """

    name = "simd.minimum_bytes"


@irdl_op_definition
class MaximumUnsignedBytesOp(OfBytes):
    """The larger bytes, without a sign. Example: `simd.maximum_unsigned_bytes %a, %b`.

    Arm: USUB8, SEL.
    """

    name = "simd.maximum_unsigned_bytes"


@irdl_op_definition
class MinimumUnsignedBytesOp(OfBytes):
    """The smaller bytes, without a sign. Example: `simd.minimum_unsigned_bytes %a, %b`.

    Arm: USUB8, SEL.
    """

    name = "simd.minimum_unsigned_bytes"


@irdl_op_definition
class ScaleByteAddOp(Function):
    """`acc` plus `byte * factor / 2**8`, rounded down, of a number of 8 bits with its sign; the sum wraps around.

    Example: `simd.scale_byte_add %x, %factor, %acc`.

    Arm: SMLAWB of the number times 2**8.
    """

    name = "simd.scale_byte_add"
    byte = operand_def(i32)
    factor = operand_def(i32)
    acc = operand_def(i32)


class ScaleHalf(Function, abc.ABC):
    """Base of the products of a half of a word, with its sign, with a factor; divided by 2**16, rounded down."""

    lanes = operand_def(i32)
    factor = operand_def(i32)
    acc = operand_def(i32)


@irdl_op_definition
class ScaleLowAddOp(ScaleHalf):
    """`acc` plus that of the low half; the sum wraps around. Example: `simd.scale_low_add %lanes, %factor, %acc`.

    Arm: SMLAWB.
    """

    name = "simd.scale_low_add"


@irdl_op_definition
class ScaleHighAddOp(ScaleHalf):
    """`acc` plus that of the high half; the sum wraps around. Example: `simd.scale_high_add %lanes, %factor, %acc`.

    Arm: SMLAWT.
    """

    name = "simd.scale_high_add"


@irdl_op_definition
class ShiftSaturateOp(Function):
    """A number shifted to the right with its sign, and saturated: of `simd.shift_saturate %x 20 8` by 20, to 8 bits.

    Arm: SSAT with a shift.
    """

    name = "simd.shift_saturate"
    value = operand_def(i32)
    right = prop_def(IntegerAttr[I64])
    bits = prop_def(IntegerAttr[I64])
    assembly_format = "$value $right $bits attr-dict"

    def __init__(self, value: Value, right: int, bits: int):
        properties = {"right": IntegerAttr(right, i64), "bits": IntegerAttr(bits, i64)}
        super().__init__(value, properties=properties)

    def verify_(self) -> None:
        if not 1 <= self.right.value.data <= 31 or self.bits.value.data not in SHIFTED_BITS:
            bits = " or ".join(map(str, SHIFTED_BITS))
            raise VerifyException(f"a word is shifted by 1 to 31 and saturated to {bits} bits")


@irdl_op_definition
class StoreBytesOp(IRDLOperation):
    """Four bytes of a word, the lowest first, to elements that lie side by side along the last dimension.

    They need not be aligned. Example: `simd.store_bytes %word, %y[%i, %j] : memref<3x8xi8>`.

    Arm: STR.
    """

    name = "simd.store_bytes"
    word = operand_def(i32)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$word `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, word: Value, memref: Value, indices: Sequence[Value]):
        super().__init__(operands=[word, memref, indices])

    def verify_(self) -> None:
        type, shape = self.memref.type, shape_of(self.memref, self.indices, (i8,), "bytes")
        assert isinstance(type, MemRefType), "the operand is a memref"
        if not isinstance(type.layout, NoneAttr) or 0 <= shape[-1] < BYTES:
            raise VerifyException(f"{BYTES} bytes are written side by side, which {type} has no room for")


@answers_for(StoreBytesOp)
def _store_bytes(op: StoreBytesOp) -> Sequence[Access]:
    return (Access(op.memref, True, tuple(op.indices), (*(1,) * (len(op.indices) - 1), BYTES)),)

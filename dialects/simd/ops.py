"""Operations of the `simd` dialect on i32, some of them words of two 16-bit lanes: the low half is the first lane."""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, UnitAttr, i32, i64
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..function import Function
from ..values import Value


class Pack(Function, abc.ABC):
    """Base of the words of one half each of two numbers."""

    low = operand_def(i32)
    high = operand_def(i32)


@irdl_op_definition
class PackOp(Pack):
    """A word of the low halves of two numbers, `low` in its low half. Example: `simd.pack %low, %high`.

    Arm: PKHBT.
    """

    name = "simd.pack"


@irdl_op_definition
class PackHighOp(Pack):
    """A word of the high halves of two numbers, that of `low` in its low half. Example: `simd.pack_high %low, %high`.

    Arm: PKHTB.
    """

    name = "simd.pack_high"


class Unpack(Function, abc.ABC):
    """Base of the words of two lanes that are two of the four bytes of a word, with their sign."""

    word = operand_def(i32)


@irdl_op_definition
class UnpackEvenOp(Unpack):
    """Bytes 0 and 2, counted from the lowest. Example: `simd.unpack_even %word`.

    Arm: SXTB16.
    """

    name = "simd.unpack_even"


@irdl_op_definition
class UnpackOddOp(Unpack):
    """Bytes 1 and 3, counted from the lowest. Example: `simd.unpack_odd %word`.

    Arm: SXTB16 of the word rotated by 8.
    """

    name = "simd.unpack_odd"


class UnpackUnsigned(Function, abc.ABC):
    """Base of the words of two lanes that are two of the four bytes of a word, none of them negative."""

    word = operand_def(i32)


@irdl_op_definition
class UnpackEvenUnsignedOp(UnpackUnsigned):
    """Bytes 0 and 2, counted from the lowest. Example: `simd.unpack_even_unsigned %word`.

    Arm: UXTB16.
    """

    name = "simd.unpack_even_unsigned"


@irdl_op_definition
class UnpackOddUnsignedOp(UnpackUnsigned):
    """Bytes 1 and 3, counted from the lowest. Example: `simd.unpack_odd_unsigned %word`.

    Arm: UXTB16 of the word rotated by 8.
    """

    name = "simd.unpack_odd_unsigned"


@irdl_op_definition
class UnpackNextOp(Unpack):
    """Unpack like `simd.unpack_odd`, after what stands before it: compilers do not take several words apart side by
    side.

    For words whose even bytes have been used, in loops that need all registers. Example: `simd.unpack_next %word`.

    Arm: SXTB16 of the word rotated by 8.
    """

    name = "simd.unpack_next"


class UnpackAdd(Function, abc.ABC):
    """Base of the sums of two lanes with two of the four bytes of a word, with their sign; each wraps around."""

    word = operand_def(i32)
    lanes = operand_def(i32)


@irdl_op_definition
class UnpackEvenAddOp(UnpackAdd):
    """Bytes 0 and 2, counted from the lowest, plus lanes. Example: `simd.unpack_even_add %word, %lanes`.

    Arm: SXTAB16.
    """

    name = "simd.unpack_even_add"


@irdl_op_definition
class UnpackOddAddOp(UnpackAdd):
    """Bytes 1 and 3, counted from the lowest, plus lanes. Example: `simd.unpack_odd_add %word, %lanes`.

    Arm: SXTAB16 of the word rotated by 8.
    """

    name = "simd.unpack_odd_add"


class Dual(Function, abc.ABC):
    """Base of the functions of both lanes of two words; each lane wraps around."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)


@irdl_op_definition
class DualAddOp(Dual):
    """Sums of lanes. Example: `simd.dual_add %a, %b`.

    Arm: SADD16.
    """

    name = "simd.dual_add"


@irdl_op_definition
class DualSubtractOp(Dual):
    """Differences of lanes. Example: `simd.dual_subtract %a, %b`.

    Arm: SSUB16.
    """

    name = "simd.dual_subtract"


class MultiplyAdd(Function, abc.ABC):
    """Base of the products that are added to `acc`, which wraps around."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)
    acc = operand_def(i32)


@irdl_op_definition
class DualMultiplyAddOp(MultiplyAdd):
    """`acc` plus the products of both lanes. Example: `simd.dual_multiply_add %x, %w, %acc`.

    Arm: SMLAD.
    """

    name = "simd.dual_multiply_add"


@irdl_op_definition
class MultiplyHighAddOp(MultiplyAdd):
    """`acc` plus the high half of the product, rounded, halves up. Example: `simd.multiply_high_add %x, %m, %acc`.

    Arm: SMMLAR.
    """

    name = "simd.multiply_high_add"


@irdl_op_definition
class MultiplyHighFloorAddOp(MultiplyAdd):
    """`acc` plus the high half of the product, rounded down. Example: `simd.multiply_high_floor_add %x, %m, %acc`.

    Arm: SMMLA.
    """

    name = "simd.multiply_high_floor_add"


@irdl_op_definition
class ScaleNarrowAddOp(MultiplyAdd):
    """`acc` plus `lhs * rhs / 2**31`, rounded, halves up, of a small number and a factor that is not negative.

    `lhs` is between -2**20 and 2**20, both excluded: products with parts of the factor fit 32 bits. Example:
    `simd.scale_narrow_add %x, %m, %acc`.
    """

    name = "simd.scale_narrow_add"


@irdl_op_definition
class ScaleRealOp(Function):
    """`value * factor` in float32, rounded to an integer, halves to even. Example: `simd.scale_real %x, %bits`.

    The value is rounded to float32, so is the product, and nothing is contracted. `factor` is the bits of a float32.
    The result fits an i32, with `narrow` it is less than 2**15 with any zero point. Arm: VCVT, VMUL, VCVTR.
    """

    name = "simd.scale_real"
    value = operand_def(i32)
    factor = operand_def(i32)
    narrow = opt_prop_def(UnitAttr)
    assembly_format = "(`narrow` $narrow^)? $value `,` $factor attr-dict"

    def __init__(self, value: Value, factor: Value, *, is_narrow: bool = False):
        super().__init__(value, factor, properties={"narrow": UnitAttr() if is_narrow else None})


class Saturate(Function, abc.ABC):
    """Base of the nearest numbers of some bits."""

    MOST_BITS: ClassVar[int]
    value = operand_def(i32)
    bits = prop_def(IntegerAttr[I64])
    assembly_format = "$value $bits attr-dict"

    def __init__(self, value: Value, bits: int):
        super().__init__(value, properties={"bits": IntegerAttr(bits, i64)})

    def verify_(self) -> None:
        if not 1 <= self.bits.value.data <= self.MOST_BITS:
            raise VerifyException(f"a word is saturated to 1 to {self.MOST_BITS} bits, not {self.bits.value.data}")

    @property
    @abc.abstractmethod
    def limits(self) -> tuple[int, int]:
        """The least and the largest number."""


@irdl_op_definition
class SaturateOp(Saturate):
    """The nearest number that `bits` bits hold with a sign, from 1 to 32 of them. Example: `simd.saturate %x 8`.

    Arm: SSAT.
    """

    name = "simd.saturate"
    MOST_BITS: ClassVar[int] = 32

    @property
    def limits(self) -> tuple[int, int]:
        most = (1 << (self.bits.value.data - 1)) - 1
        return -most - 1, most


@irdl_op_definition
class SaturateUnsignedOp(Saturate):
    """The nearest number that `bits` bits hold without a sign, from 1 to 31 of them.

    Example: `simd.saturate_unsigned %x 8`. Arm: USAT.
    """

    name = "simd.saturate_unsigned"
    MOST_BITS: ClassVar[int] = 31

    @property
    def limits(self) -> tuple[int, int]:
        return 0, (1 << self.bits.value.data) - 1

"""The operation of the `simd` dialect that takes numbers of four bits out of a word."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i32, i64
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..function import Function
from ..values import Value

NIBBLES = 4
"""Nibbles in each half of a word."""
NIBBLE_SCALE = 12
"""Lanes are numbers of four bits times two to this power: their four bits are the highest."""


@irdl_op_definition
class UnpackNibblesOp(Function):
    """A word of two lanes: one nibble of each half, with its sign, times 4096.

    Nibbles are counted from the lowest of a half. They become the highest four bits of their lanes, so that it takes
    no more than a mask; who sums products shifts the sum. Example: `simd.unpack_nibbles %word 2`.

    Arm: AND of a register that is shifted.
    """

    name = "simd.unpack_nibbles"
    word = operand_def(i32)
    place = prop_def(IntegerAttr[I64])
    assembly_format = "$word $place attr-dict"

    def __init__(self, word: Value, place: int):
        super().__init__(word, properties={"place": IntegerAttr(place, i64)})

    @property
    def shift(self) -> int:
        """Bits from the nibble to the highest of its half."""
        return 4 * (NIBBLES - 1 - self.place.value.data)

    def verify_(self) -> None:
        if not 0 <= self.place.value.data < NIBBLES:
            raise VerifyException(f"a half has the nibbles 0 to {NIBBLES - 1}, not {self.place.value.data}")

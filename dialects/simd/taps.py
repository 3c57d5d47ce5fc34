"""Windows over four channels that stay apart: sums of products of bytes with constants, and bytes of such sums again.

What both read is one stream of words in the order of use: where the four sums start; for each two taps a word for each
channel, their weights as lanes; if there is one tap more, a word for each channel that has its weight in the low lane
for the first two channels, in the high lane for the others, and zero in the other lane; and, for each channel, a
record of two or three words: multiplier, what is added before the shift, and the shift if each has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnitAttr,
    i8,
    i64,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value
from .lane_memory import shape_of
from .load_bytes import BYTES
from .rescaling import Rescaling
from .row_of_words import check_words

CLIPPED = -1
"""The place of a tap that lies outside."""
MOST_BESIDE = 2
"""Further memrefs that a window reads: each takes a register."""
MOST_TAPS = 96
"""Most taps of a window: all words of its stream are within reach of one pointer."""


@dataclass(frozen=True)
class Taps:
    """The places that a window reads, four bytes from each."""

    places: tuple[int, ...]
    """In elements from the first; `CLIPPED` where zero points are taken instead."""
    zero_point: int
    box: tuple[int, ...]
    """Extents of the smallest box with all that is read, from the first on."""
    owners: tuple[int, ...] = ()
    """Which of several memrefs each tap reads, at the same places of all; none of them where there is one alone."""
    signed: bool = True
    """Whether bytes have a sign."""


def words_of_taps(count: int) -> int:
    """Words that a window takes, with those where its sums start."""
    return BYTES * (1 + -(-count // 2))


@irdl_op_definition
class SumTapsOp(IRDLOperation):
    """Sums of products of the bytes at each tap of a window with weights, for four channels side by side; they wrap.

    Bytes need not be aligned, words are. Example, of three taps, the second one clipped:
    `simd.sum_taps %x[%i, %c] [0, -1, 16] 5 [1, 20], %words[%k], %sums : memref<8x16xi8>, memref<96xi32>, memref<4xi32>`
    with the zero point 5 and the extents of the box that all taps lie in. With `unsigned` before all, bytes and zero
    point have no sign. A window over rows that are memrefs of their
    own reads these at the same indices, and says which each tap is of:
    `simd.sum_taps %x[%c] [0, 0] 5 [4], %words[%k], %sums : memref<16xi8>, memref<96xi32>, memref<4xi32> beside %y of
    [0, 1] : memref<16xi8>`.

    Armv7E-M: LDR, LDRD, PKHBT, PKHTB, SXTB16 or UXTB16, SMLAD.
    """

    name = "simd.sum_taps"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    """Place of the first byte of the first tap that is not clipped."""
    places = prop_def(DenseArrayBase.constr(i64))
    zero_point = prop_def(IntegerAttr[I64])
    unsigned = opt_prop_def(UnitAttr)
    box = prop_def(DenseArrayBase.constr(i64))
    beside = var_operand_def(MemRefType)
    owners = opt_prop_def(DenseArrayBase.constr(i64))
    words = operand_def(MemRefType)
    first_word = operand_def(IndexType())
    sums = operand_def(MemRefType)
    """Sums of the four channels, which it writes."""
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "(`unsigned` $unsigned^)? $memref `[` $indices `]` $places $zero_point $box `,` "
        "$words `[` $first_word `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($words) `,` type($sums) (`beside` $beside^ `of` $owners `:` type($beside))?"
    )

    def __init__(
        self,
        memref: Value,
        indices: Sequence[Value],
        taps: Taps,
        words: Value,
        first_word: Value,
        sums: Value,
        beside: Sequence[Value] = (),
    ):
        super().__init__(
            operands=[memref, indices, beside, words, first_word, sums],
            properties={
                "places": DenseArrayBase.from_list(i64, taps.places),
                "zero_point": IntegerAttr(taps.zero_point, i64),
                "box": DenseArrayBase.from_list(i64, taps.box),
                "owners": DenseArrayBase.from_list(i64, taps.owners) if taps.owners else None,
                "unsigned": None if taps.signed else UnitAttr(),
            },
        )

    @property
    def taken(self) -> int:
        """Words that are read."""
        return words_of_taps(len(self.places.get_values()))

    def verify_(self) -> None:
        type, shape = self.memref.type, shape_of(self.memref, self.indices, (i8,), "bytes")
        assert isinstance(type, MemRefType), "the operand is a memref"
        places, box = self.places.get_values(), self.box.get_values()
        if len(box) != len(shape) or not all(1 <= part <= whole for part, whole in zip(box, shape, strict=True)):
            raise VerifyException(f"a box of {'x'.join(map(str, box))} does not lie in {type}")
        if box[-1] < BYTES or not isinstance(type.layout, NoneAttr):
            raise VerifyException(f"each tap has {BYTES} bytes side by side, which {type} does not")
        if not 1 <= len(places) <= MOST_TAPS or min(places) < CLIPPED or 0 not in places:
            raise VerifyException(f"1 to {MOST_TAPS} taps lie behind the first one, or are {CLIPPED}; one is 0")
        owners = () if self.owners is None else self.owners.get_values()
        if any(other.type != type for other in self.beside) or len(self.beside) > MOST_BESIDE:
            raise VerifyException(f"at most {MOST_BESIDE} memrefs lie beside the first one, of its type")
        if (len(owners) != len(places) if self.beside else owners) or any(
            not 0 <= owner <= len(self.beside) for owner in owners
        ):
            raise VerifyException("each tap is of one of the memrefs, where there are several")
        least = -128 if self.unsigned is None else 0
        if not least <= self.zero_point.value.data <= least + 255:
            raise VerifyException(f"the zero point {self.zero_point.value.data} is no byte from {least} on")
        check_words(self.words, self.taken)
        check_words(self.sums, BYTES)


@answers_for(SumTapsOp)
def _sum_taps(op: SumTapsOp) -> Sequence[Access]:
    box, indices = op.box.get_values(), tuple(op.indices)
    read = [Access(memref, False, indices, box, is_sure=False) for memref in (op.memref, *op.beside)]
    return *read, Access(op.words, False, (op.first_word,), (op.taken,)), Access(op.sums, True)


@irdl_op_definition
class ScaleBytesOp(IRDLOperation):
    """Bytes of the sums of four channels, one after the other: each is rescaled as its record says, and saturated.

    `saturate((high(sum, multiplier) + added) >> shift)`, where `high` is the upper half of the product, rounded, halves
    up, or with `floor` rounded down; with `signed` the sign of the sum is added, too, and with
    `unsigned` the bytes have no sign. With `shift` all channels have that one, and records of two words. With
    `zero_point` they are `saturate(scale_real(sum, factor) + zero_point)`, as for `simd.tile_bytes`. Example:
    `simd.scale_bytes %sums, %words[%k] 24, %y[%i, %c] : memref<4xi32>, memref<96xi32>, memref<8x16xi8>`, where records
    lie 24 words behind the one that is named.

    Armv7E-M: LDRD, LDR, SMMLAR or SMMLA, ASR, SSAT or USAT, STRB; VCVT, VMLA, USAT16, STR.
    """

    name = "simd.scale_bytes"
    sums = operand_def(MemRefType)
    words = operand_def(MemRefType)
    first_word = operand_def(IndexType())
    skipped = prop_def(IntegerAttr[I64])
    """Words from there to the first record."""
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    signed = opt_prop_def(UnitAttr)
    unsigned = opt_prop_def(UnitAttr)
    shift = opt_prop_def(IntegerAttr[I64])
    floor = opt_prop_def(UnitAttr)
    zero_point = opt_prop_def(IntegerAttr[I64])
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "(`signed` $signed^)? (`unsigned` $unsigned^)? (`floor` $floor^)? (`shift` $shift^)? "
        "(`zero_point` $zero_point^)? $sums `,` "
        "$words `[` $first_word `]` $skipped `,` $memref `[` $indices `]` attr-dict `:` "
        "type($sums) `,` type($words) `,` type($memref)"
    )

    def __init__(
        self,
        sums: Value,
        words: Value,
        first_word: Value,
        skipped: int,
        memref: Value,
        indices: Sequence[Value],
        rescaling: Rescaling,
    ):
        super().__init__(
            operands=[sums, words, first_word, memref, indices],
            properties={"skipped": IntegerAttr(skipped, i64), **rescaling.properties},
        )

    @property
    def rescaling(self) -> Rescaling:
        """How sums become bytes."""
        return Rescaling.of(self.signed, self.unsigned, self.shift, self.floor, self.zero_point)

    @property
    def taken(self) -> int:
        """Words from the one that is named to the end of the records."""
        return self.skipped.value.data + self.rescaling.record * BYTES

    def verify_(self) -> None:
        self.rescaling.verify()
        type, shape = self.memref.type, shape_of(self.memref, self.indices, (i8,), "bytes")
        assert isinstance(type, MemRefType), "the operand is a memref"
        if not isinstance(type.layout, NoneAttr) or 0 <= shape[-1] < BYTES:
            raise VerifyException(f"{BYTES} bytes are written side by side, which {type} has no room for")
        check_words(self.sums, BYTES)
        if not 0 <= self.skipped.value.data <= words_of_taps(MOST_TAPS):
            raise VerifyException(f"records lie 0 to {words_of_taps(MOST_TAPS)} words behind the one that is named")
        check_words(self.words, self.taken)


@answers_for(ScaleBytesOp)
def _scale_bytes(op: ScaleBytesOp) -> Sequence[Access]:
    box = (*(1,) * (len(op.indices) - 1), BYTES)
    return (
        Access(op.sums, False),
        Access(op.words, False, (op.first_word,), (op.taken,), is_sure=False),
        Access(op.memref, True, tuple(op.indices), box),
    )

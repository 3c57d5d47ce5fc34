"""Windows over four channels that stay apart: sums of products of bytes with constants, bytes of such sums, and loops.

What sums and their ends read is one stream of words in the order of use: where the four sums start; for each two taps a
word for each channel, their weights as lanes; if there is one tap more, a word for each channel that has its weight in
the low lane for the first two channels, in the high lane for the others, and zero in the other lane; and, for each
channel, a record of two or three words: multiplier, what is added before the shift, and the shift if each has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Self

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i8, i32
from xdsl.ir import Block, SSAValue
from xdsl.irdl import operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..index_sums import IndexSums
from ..operations import all_of
from .instruction import INTEGER
from .memory import FOUR_SUMS, INTEGERS, SEGMENTS, ReadsMemory, WritesMemory, dense, lies_in, side_by_side, type_of
from .rescaling import RESCALED, Rescales
from .words import BYTES

CLIPPED = -1
"""The place of a tap that lies outside."""
_INDICES = (arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp)


@dataclass(frozen=True)
class Taps:
    """The places that a window reads, four bytes from each."""

    places: tuple[int, ...]
    """In elements from the first; `CLIPPED` where zero points are taken instead."""
    zero_point: int
    box: tuple[int, ...] = field(default=(), compare=False)
    """Extents of the smallest box with all that is read, from the first on; the other parts say the same."""
    owners: tuple[int, ...] | None = None
    """Which of several memrefs each tap reads, at the same places of all; None where there is one alone."""
    unsigned: bool = False
    """Whether bytes have no sign."""

    def nearest(self, owner: int) -> int:
        """The least place that is read of a memref."""
        places = zip(self.places, self.owners or repeat(0), strict=False)
        return min((place for place, own in places if place != CLIPPED and own == owner), default=0)


def words_of_taps(count: int) -> int:
    """Words that a window takes, with those where its sums start."""
    return BYTES * (1 + -(-count // 2))


class SumTapsOp(ReadsMemory, WritesMemory):
    """Sums of products of the bytes at each tap of a window with weights, for four channels side by side; they wrap.

    Bytes need not be aligned, words are. Example, of three taps, the second one clipped:
    `simd.sum_taps %x[%i, %c] [0, -1, 16] 5 [2, 4], %words[%k], %sums : memref<8x16xi8>, memref<96xi32>, memref<4xi32>`
    with the zero point 5 and the extents of the box that all taps lie in. With `unsigned` before all, bytes and zero
    point have no sign. A window over rows that are memrefs of their
    own reads these at the same indices, and says which each tap is of:
    `simd.sum_taps %x[%c] [0, 0] 5 [4], %words[%k], %sums : memref<16xi8>, memref<96xi32>, memref<4xi32> beside %y of
    [0, 1] : memref<16xi8>`.

    Armv7E-M: LDR, LDRD, PKHBT, PKHTB, SXTB16 or UXTB16, SMLAD.
    """

    name = "simd.sum_taps"
    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    """Place of the first byte of the first tap that is not clipped."""
    places = prop_def(INTEGERS)
    zero_point = prop_def(INTEGER)
    unsigned = opt_prop_def(UnitAttr)
    box = prop_def(INTEGERS)
    beside = var_operand_def(dense(i8))
    owners = opt_prop_def(INTEGERS)
    words = operand_def(dense(i32))
    first_word = operand_def(IndexType())
    sums = operand_def(FOUR_SUMS)
    """Sums of the four channels, which it writes."""
    irdl_options = SEGMENTS
    assembly_format = (
        "(`unsigned` $unsigned^)? $memref `[` $indices `]` $places $zero_point $box `,` "
        "$words `[` $first_word `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($words) `,` type($sums) (`beside` $beside^ `of` $owners `:` type($beside))?"
    )

    @property
    def taps(self) -> Taps:
        """The places that it reads."""
        return self.described(Taps)

    def verify_(self) -> None:
        type, taps, memrefs = type_of(self.memref), self.taps, 1 + len(self.beside)
        places, owners = taps.places, taps.owners or ()
        super().verify_()
        if not taps.box or taps.box[-1] < BYTES:
            raise VerifyException(f"each tap has {BYTES} bytes side by side, which {type} does not")
        if 0 not in places or min(places) < CLIPPED:
            raise VerifyException(f"taps lie behind the first one, or are {CLIPPED}; one is 0")
        if any(other.type != type for other in self.beside):
            raise VerifyException("memrefs beside the first one are of its type")
        if len({self.memref, *self.beside}) < memrefs:
            raise VerifyException("memrefs beside the first one are others: taps say which they are of")
        if len(owners) != (len(places) if self.beside else 0) or any(not 0 <= owner < memrefs for owner in owners):
            raise VerifyException("each tap is of one of the memrefs, where there are several")
        if self.owners is not None and set(owners) != {*range(memrefs)}:
            raise VerifyException("each of several memrefs is read by a tap")
        read = (place + n for place in places if place != CLIPPED for n in range(BYTES))
        if not lies_in(self.memref, taps.box, read):
            raise VerifyException(f"taps lie in their box of {'x'.join(map(str, taps.box))} elements")
        least = 0 if taps.unsigned else -128
        if not least <= taps.zero_point <= least + 255:
            raise VerifyException(f"the zero point {taps.zero_point} is no byte from {least} on")

    def accesses(self) -> Sequence[Access]:
        box, indices = self.box.get_values(), tuple(self.indices)
        read = [Access(memref, False, indices, box, is_sure=False) for memref in (self.memref, *self.beside)]
        words = side_by_side(self.words, [self.first_word], words_of_taps(len(self.places)))
        return words, *read, Access(self.sums, True)


class ScaleBytesOp(Rescales, ReadsMemory, WritesMemory):
    """Bytes of the sums of four channels, one after the other: each is rescaled as its record says, and saturated.

    `saturate((high(sum, multiplier) + added) >> shift)`, where `high` is the upper half of the product, rounded, halves
    up, or with `floor` rounded down; with `signed` the sign of the sum is added, too, and with `unsigned` the bytes
    have no sign. With `shift` all channels have that one, and records of two words. With `zero_point` they are
    `saturate(scale_real(sum, factor) + zero_point)`: products of floats, which are less than 2**15 with the zero point
    and 128. Example:
    `simd.scale_bytes %sums, %words[%k] 24, %y[%i, %c] : memref<4xi32>, memref<96xi32>, memref<8x16xi8>`, where records
    lie 24 words behind the one that is named. Nobody knows the sums afterwards.

    Armv7E-M: LDRD, LDR, SMMLAR or SMMLA, ASR, SSAT or USAT, STRB; VCVT, VMLA, USAT16, STR.
    """

    name = "simd.scale_bytes"
    sums = operand_def(FOUR_SUMS)
    words = operand_def(dense(i32))
    first_word = operand_def(IndexType())
    skipped = prop_def(INTEGER)
    """Words from there to the first record."""
    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    assembly_format = (
        f"{RESCALED}$sums `,` "
        "$words `[` $first_word `]` $skipped `,` $memref `[` $indices `]` attr-dict `:` "
        "type($sums) `,` type($words) `,` type($memref)"
    )

    @property
    def reach(self) -> int:
        """Words from the one that is named to the end of the records."""
        return self.skipped.value.data + self.rescaling.record * BYTES

    def verify_(self) -> None:
        self.rescaling.verify()
        super().verify_()
        if self.skipped.value.data < 0:
            raise VerifyException("records do not lie in front of the word that is named")

    def accesses(self) -> Sequence[Access]:
        return (
            Access(self.sums, False),
            Access(self.sums, True, is_sure=False),
            side_by_side(self.words, [self.first_word], self.reach, is_sure=False),
            side_by_side(self.memref, self.indices, BYTES, is_write=True),
        )


class WindowsOp(scf.ForOp):
    """A loop whose passes are a window each: the next four channels and their words, or those before, and their bytes.

    It is an `scf.for` with constant bounds and at least two passes. Nothing but the window and its end stands in it,
    and what their indices are made of. Example:

        simd.windows %c = %c0 to %c64 step %c4 {
          %sums = memref.alloca() : memref<4xi32>
          %k = arith.muli %c, %c5 : index
          simd.sum_taps %x[%i, %c] [0, 64, 128] 5 [3, 4], %words[%k], %sums : ...
          simd.scale_bytes shift 8 %sums, %words[%k] 12, %y[%i, %c] : ...
        }

    Armv7E-M: as of its parts; loads move pointers on, and three words of a record are one load.
    """

    # What IRDL knows of `scf.for` it knows of this: it lets no operation be defined on top of another one.
    name = "simd.windows"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls._of(scf.ForOp.parse(parser))

    @classmethod
    def taken(cls, loop: scf.ForOp) -> Self | None:
        """The loop as one of this kind, with its body, to be put in its place; None if it is no such loop."""
        return cls._of(loop) if not isinstance(loop, cls) and _has_windows(loop) else None

    @classmethod
    def _of(cls, loop: scf.ForOp) -> Self:
        made = cls(loop.lb, loop.ub, loop.step, loop.iter_args, loop.detach_region(loop.body))
        made.attributes |= loop.attributes
        return made

    def verify_(self) -> None:
        super().verify_()
        if not _has_windows(self):
            raise VerifyException("a pass is one window and its end, whose places walk on by four channels")

    @property
    def sums(self) -> SumTapsOp:
        """The window."""
        return all_of(self.body, SumTapsOp)[0]

    @property
    def scale(self) -> ScaleBytesOp:
        """Its end."""
        return all_of(self.body, ScaleBytesOp)[0]

    @property
    def is_backward(self) -> bool:
        """Whether each pass takes what lies in front of that of the one before."""
        return (slope(self.sums.first_word, self.body.block) or 0) < 0


def _has_windows(loop: scf.ForOp) -> bool:
    """Whether each pass of a loop is one window and its end, which walk on by four channels."""
    block, passes = loop.body.block, passes_of(loop)
    # Nothing but these stands in it, and what their indices are made of.
    match [op for op in block.ops if not isinstance(op, _INDICES)]:
        case [memref.AllocaOp(memref=made), SumTapsOp() as sums, ScaleBytesOp() as scale, scf.YieldOp()]:
            ended = scale.sums, scale.words, scale.first_word, scale.skipped.value.data
            is_one = ended == (made, sums.words, sums.first_word, words_of_taps(len(sums.places)))
        case _:
            return False
    if not is_one or made is not sums.sums or loop.results or len(passes) < 2:
        return False
    walked = [slope(index, block) for index in (*sums.indices, *scale.indices, sums.first_word)]
    channels, results = ([0] * (len(op.indices) - 1) + [BYTES] for op in (sums, scale))
    ways = [[one and one * step for one in walked] for step in (passes.step, -passes.step)]
    return [*channels, *results, scale.reach] in ways


def passes_of(loop: scf.ForOp) -> range:
    """The values of a loop's counter; none where its bounds are no constants."""
    first, end, step = (const_evaluate_operand(bound) for bound in (loop.lb, loop.ub, loop.step))
    return range(0) if first is None or end is None or step is None or step <= 0 else range(first, end, step)


def slope(value: SSAValue, body: Block) -> int | None:
    """By how much an index grows with the counter of a loop; None if that changes."""
    factors = dict(IndexSums().of(value).terms)
    found = factors.pop(body.args[0], 0)
    # What else the body computes, or the loop carries, changes.
    return None if any(body in (term.owner, term.owner.parent) for term in factors) else found

"""Computations of a region on four neighbouring bytes at once, two in the lanes of a word, and on each by itself.

Bytes (a0, a1, a2, a3) become lanes (a0, a2) and (a1, a3), to which constants are added, or lanes that have them in
their upper halves, for products with factors of 32 bits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8, i32
from xdsl.ir import Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.simd.moves import LoadBytesOp
from ....dialects.simd.words import DualAddOp, ScaleByteAddOp, ScaleHighAddOp, ScaleLowAddOp
from ....dialects.task import NestOp
from ...builder import Loops
from ..bytes_of_words import half, splat, unpacked
from ..inline import Known, inline_known
from ..point import Point

_UPPER_BYTES = -0x00FF0100
"""0xff00ff00."""
_MOST = 1 << 15


@dataclass(frozen=True)
class _Bytes:
    """Bytes of a word with their sign, plus a constant, some times."""

    read: int
    """By number."""
    added: int
    unsigned: bool
    times: int = 1

    @property
    def fits(self) -> bool:
        """Whether lanes hold them."""
        least, most = (0, 255) if self.unsigned else (-128, 127)
        return all(-_MOST <= self.times * (bound + self.added) < _MOST for bound in (least, most))

    @property
    def to_signed(self) -> int:
        """Return what is added to the bytes of the word, where those without a sign are 128 less there."""
        return self.added + (128 if self.unsigned else 0)


class LanesOfBytes:
    """The region at the end of a nest at four points that run side by side."""

    def __init__(self, nest: NestOp, k: Loops, reads: Collection[int], points: Sequence[Point]):
        """`reads` are those of words, by number."""
        self._nest, self._k, self._points = nest, k, points
        self._found = bytes_in(nest, reads)
        self._made: dict[tuple[object, ...], SSAValue] = {}
        self._words: dict[int, SSAValue] = {}
        accesses, arguments = nest.accesses("finish_reads"), nest.finish.block.args
        for read, unsigned in sorted({(found.read, found.unsigned) for found in self._found.values()}):
            word = k.emit(LoadBytesOp(*points[0].operands(accesses[read])), "bytes")
            self._words[read] = k.bit_xor(word, splat(-128)) if unsigned else word
        others = [n for n in range(len(accesses)) if n not in self._words]
        own = [arguments[n] for n in others]
        self._known: list[Known] = [
            dict(zip(own, point.read("finish_reads", only=others), strict=True)) for point in points
        ]
        """What is read for each point by itself."""

    def results_at(self, number: int) -> list[SSAValue]:
        """Return what the region yields at one of the points."""
        k, known, is_odd, is_upper = self._k, self._known[number], number % 2 == 1, number > 1

        def instead(op: Operation) -> bool:
            if any(result in self._found for result in op.results):
                # It is in lanes, and taken out of them where it is used.
                return True
            if isinstance(op, ScaleByteAddOp) and (bytes := self._found.get(op.byte)) is not None and _is_plain(bytes):
                lanes = self._upper(bytes.read, is_odd=is_odd)
                operands = (known.get(value, value) for value in (op.factor, op.acc))
                known[op.result] = k.emit((ScaleHighAddOp if is_upper else ScaleLowAddOp)(lanes, *operands), "acc")
                return True
            for operand in op.operands:
                if operand in self._found and operand not in known:
                    known[operand] = half(k, self._lanes(self._found[operand], is_odd=is_odd), is_upper=is_upper)
            return False

        return inline_known(self._nest.finish, self._points[number], known, instead)

    def _lanes(self, bytes: _Bytes, *, is_odd: bool) -> SSAValue:
        """Every other one of four bytes, from the first or the second on, as lanes."""
        key = (bytes, is_odd)
        if key not in self._made and bytes.times == 2:
            once = self._lanes(replace(bytes, times=1), is_odd=is_odd)
            self._made[key] = self._k.emit(DualAddOp(once, once), "odd" if is_odd else "even")
        elif key not in self._made:
            self._made[key] = unpacked(self._k, self._words[bytes.read], is_odd=is_odd, added=bytes.to_signed)
        return self._made[key]

    def _upper(self, read: int, *, is_odd: bool) -> SSAValue:
        """Return the bytes in the upper halves of lanes."""
        key = (read, is_odd)
        if key not in self._made:
            k, word = self._k, self._words[read]
            moved = word if is_odd else k.shift_left(word, 8)
            self._made[key] = k.bit_and(moved, _UPPER_BYTES, "odd" if is_odd else "even")
        return self._made[key]


def bytes_in(nest: NestOp, reads: Collection[int]) -> dict[SSAValue, _Bytes]:
    """The values of the region at the end of a nest that lanes hold for all four points, all uses of a word's bytes.

    Args:
        nest: the nest.
        reads: those of words, by number. A read whose bytes go elsewhere, too, has none.
    """
    block, found = nest.finish.block, dict[SSAValue, _Bytes]()
    words: dict[SSAValue, int] = {block.args[number]: number for number in reads}
    for op in block.ops:
        bytes = _computed(op, found, words)
        if bytes is not None and bytes.fits:
            found[op.results[0]] = bytes
    # Of a word, nothing but operations that widen its bytes is found.
    made = {value.owner for value in found}
    good = {n for n in reads if all(use.operation in made for use in block.args[n].uses)}
    good &= {n for n in good if len({one.unsigned for one in found.values() if one.read == n}) == 1}
    return {value: bytes for value, bytes in found.items() if bytes.read in good}


def _computed(op: Operation, found: dict[SSAValue, _Bytes], words: dict[SSAValue, int]) -> _Bytes | None:
    match op:
        case arith.ExtSIOp() | arith.ExtUIOp() if op.input in words and op.input.type == i8 and op.result.type == i32:
            return _Bytes(words[op.input], 0, isinstance(op, arith.ExtUIOp))
        case arith.AddiOp() | arith.SubiOp() if (bytes := found.get(op.lhs)) is not None and bytes.times == 1:
            if isinstance(op, arith.AddiOp) and op.rhs is op.lhs:
                return replace(bytes, times=2)
            number = const_evaluate_operand(op.rhs)
            if number is None:
                return None
            return replace(bytes, added=bytes.added + (number if isinstance(op, arith.AddiOp) else -number))
        case _:
            return None


def _is_plain(bytes: _Bytes) -> bool:
    return bytes.times == 1 and not bytes.to_signed

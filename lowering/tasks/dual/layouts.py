"""Layouts of a nest's packed constant in memory, and which constants allow them.

Words are in the order of use: for each block of channels that run side by side, for each word of fold points, the
channels of the block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue

from ....dialects.simd.dots import CHANNELS, DOT
from ....dialects.simd.lanes import LANES, SIXTEEN
from ....dialects.simd.tiles import SWAR_CHANNELS, SWAR_POINTS
from ....dialects.simd.words import (
    BYTES,
    NIBBLE_SCALE,
    NIBBLES,
    UnpackEvenOp,
    UnpackNextOp,
    UnpackNibblesOp,
    UnpackOddOp,
)
from ....dialects.task.dual import IN_WORD, DualPlan
from ...builder import Loops
from ...constants import Elements, Numbers, largest_sum, sums_between
from ...constants.products import INT32_MAX

SHARED_BITS = 8
"""Below the weight of the upper channel where two share a lane."""
_SHORT_SCALE = 4
"""Lanes that are bytes whose highest bits are a nibble are it times two to this power."""
_HIGH_NIBBLES = 0xF0F0F0F0 - (1 << 32)

Lanes: TypeAlias = npt.NDArray[np.int64]
"""[channels, lanes]: what the constant contributes to the sums."""
_Part: TypeAlias = Callable[[Loops, SSAValue, int], SSAValue]
"""Emits one of the parts of a word."""


def _taken_by(*kinds: Callable[[SSAValue], Operation]) -> _Part:
    """Return what takes the parts of a word, each with an operation of its own."""
    return lambda k, word, number: k.emit(kinds[number](word))


def _short_nibbles(k: Loops, word: SSAValue, channel: int) -> SSAValue:
    """Bytes are masked, then taken apart."""
    upper = word if channel % 2 else k.shift_left(word, _SHORT_SCALE)
    # Channels 0 and 1 are the nibbles of the first byte and the third.
    hint, unpack = (f"nibbles{channel}", UnpackEvenOp) if channel < 2 else (None, UnpackNextOp)
    return k.emit(unpack(k.bit_and(upper, k.value(_HIGH_NIBBLES, i32), hint)))


@dataclass(frozen=True)
class Layout:
    """A word is fields of some bits, for each fold point those of the channels, lowest first."""

    part: _Part = lambda k, word, number: word
    """Emits what is multiplied for one of the channels of a word, or with one of the words of fold points in it."""
    channels: int = 1
    """Channels that share a word."""
    points: int = 2
    """Fold points that share a word."""
    bits: int = 16
    """Bits of a field."""
    order: tuple[int, ...] | None = None
    """The fold points of a word, lowest first, where that is not their own order."""
    tile: tuple[int, int] = (1, 1)
    """Words of channels, each of so many words of fold points, that lie together; zeros fill the last tile."""
    runs: int = 1
    """Parts of the fold, each of which is filled by itself."""
    borrows: bool = False
    """Whether channels of a word are a sum, in which those below zero take one from the next, and no fields."""
    scale: int = 0
    """Sums of products are two to this power as large, and begin at zero."""
    ends_alone: bool = False
    """Whether the last fold point of four channels is read two by two: the second two meet the high lane."""

    def text(self, block: int) -> str:
        """How words of blocks of so many channels lie, for readers."""
        words = f"blocks of channels: {block}; in a word fold points x channels: {self.points} x {self.channels}"
        channels, points = self.tile
        return words if self.tile == (1, 1) else f"{words}; together words: {points} x {channels}"

    def in_order(self, values: Sequence[Lanes], inner: int, block: int) -> list[Elements]:
        """The constants that one nest reads, as they lie in memory.

        Args:
            values: what each contributes.
            inner: channels after which blocks start anew: the extent of the innermost dimension.
            block: channels that are computed side by side; what remains of `inner` is a smaller block.
        """
        word = f"int{self.bits * self.points * self.channels}"
        return [np.concatenate([self._words(b).astype(word) for b in _blocks(v, inner, block)]) for v in values]

    def extent(self, channels: int) -> int:
        """Channels of the innermost dimension, with those that fill its last words."""
        return _multiple(channels, self.channels * self.tile[0])

    def extent_of_fold(self, points: int) -> int:
        """Fold points, with those that fill the last words."""
        return self.runs * _multiple(points // self.runs, self.points * self.tile[1])

    def filled(self, values: Lanes) -> Lanes:
        """What the constant contributes, with zeros that fill words."""
        channels, points = values.shape
        whole = np.zeros((self.extent(channels), self.runs, self.extent_of_fold(points) // self.runs), np.int64)
        whole[:channels, :, : points // self.runs] = values.reshape(channels, self.runs, -1)
        return whole.reshape(len(whole), -1)

    def _words(self, values: Lanes) -> npt.NDArray[np.integer]:
        """The words of a block of channels."""
        if self.ends_alone and len(values) == BYTES:
            values = values.copy()
            values[BYTES // 2 :, -2:] = values[BYTES // 2 :, :-3:-1]
        (channels, points), whole = self.tile, self.filled(values)
        # [tile, word, channel, tile, word, point] becomes [tile of points, tile, word, word of points, point, channel].
        shape = (-1, channels, self.channels, whole.shape[1] // (points * self.points), points, self.points)
        fields = whole.reshape(shape).transpose(3, 0, 1, 4, 5, 2)
        of_points = _joined(fields, self.bits, borrows=self.borrows)
        in_order = of_points if self.order is None else of_points[..., self.order]
        return _joined(in_order, self.bits * self.channels, borrows=False).reshape(-1)


PAIRS = Layout()
"""Two fold points of one channel in 16 bits each."""
WORDS = Layout(ends_alone=True)
"""The same for an odd number of fold points of four channels that lie in words."""
BYTES_OF_TWO = Layout(_taken_by(UnpackEvenOp, UnpackNextOp), channels=2, bits=8)
"""Two fold points of two channels in a byte each, which are taken apart where they are used."""
SHARED_BYTES = replace(
    BYTES_OF_TWO, part=lambda k, word, channel: word if channel else k.emit(UnpackEvenOp(word)), borrows=True
)
"""Words of two channels, `lower + 256 * upper` in 16 bits: of both the upper one is multiplied with the lower one.

What is left above the sum of the lower channel is that of the upper one.
"""
BYTES_OF_ONE = Layout(_taken_by(UnpackEvenOp, UnpackOddOp), points=BYTES, bits=8, order=IN_WORD)
"""Four fold points of one channel in a byte each, in the order in which the other factor's lie in memory."""
HIGH_NIBBLES = Layout(
    lambda k, word, channel: k.emit(UnpackNibblesOp(word, place=channel)), channels=NIBBLES, bits=4, scale=NIBBLE_SCALE
)
"""Two fold points of four channels in four bits each; lanes are the weights times 4096, an instruction for each.

For sums of products that fit 20 bits.
"""
SHORT_NIBBLES = replace(HIGH_NIBBLES, part=_short_nibbles, scale=_SHORT_SCALE)
"""Lanes are the weights times 16, for sums that fit 28 bits."""
SINGLE = Layout(_taken_by(lambda word: arith.ExtSIOp(word, i32)), points=1)
"""One fold point of one channel, in eight bits if they hold it."""
UNSIGNED = Layout(_taken_by(lambda word: arith.ExtUIOp(word, i32)), points=1, bits=8)
"""One fold point of one channel, which is not negative."""
SWAR = Layout(channels=2, points=1, tile=(SWAR_CHANNELS // 2, SWAR_POINTS), borrows=True)
"""Each fold point of two channels in one word, that of the second one 65536 times: in the order of the kernel."""
SIXTEENS = Layout(points=1, bits=8, tile=(LANES, SIXTEEN))
"""Sixteen fold points of four channels, of a nest whose schedule has `lanes 16`."""
DOTS = Layout(points=1, bits=8, tile=(CHANNELS, DOT))
"""Four fold points of sixteen channels, of a nest whose schedule has `expand d dots`."""


def layout_of(plan: DualPlan, values: Lanes, *, alone: bool = False) -> Layout | None:
    """The layout that a schedule says, of a constant that it holds; None if there is none.

    Args:
        plan: what the schedule says.
        values: what the constant contributes, of all places where the nest is called.
        alone: whether channels do not run side by side and nothing is copied.
    """
    if plan.step.nibbles:
        return nibbles(plan, values)
    if plan.step.swar:
        return SWAR
    if plan.step.unsigned:
        return UNSIGNED
    if plan.step.lanes == 1:
        return replace(SINGLE, bits=8) if holds(values, 1 << 7) else SINGLE
    if plan.step.bytes:
        return BYTES_OF_ONE if alone else BYTES_OF_TWO
    return PAIRS


def holds(values: Lanes, end: int) -> bool:
    """Whether all numbers lie from `-end` up to `end` (excluded)."""
    return -end <= values.min(initial=0) and values.max(initial=0) < end


def _multiple(count: int, of: int) -> int:
    return -(-count // of) * of


def _joined(fields: Lanes, bits: int, *, borrows: bool) -> Lanes:
    """Join fields of the last axis, each of so many bits, in one number: without `borrows` what is above is cut off."""
    kept = fields if borrows else fields & ((1 << bits) - 1)
    # Along a short axis one addition after the other is faster than NumPy's sum.
    return sum((kept[..., n] << (bits * n) for n in range(fields.shape[-1])), start=np.zeros((), np.int64))


def _blocks(values: Lanes, inner: int, block: int) -> list[Lanes]:
    starts = [(outer, first) for outer in range(0, len(values), inner) for first in range(0, inner, block)]
    return [values[outer + first : outer + min(first + block, inner)] for outer, first in starts]


def allows_sharing(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether lanes hold both weights of a word, and the sums of upper channels fit what is left: `SHARED_BYTES`.

    Sums start from `starts`, zero points folded in.
    """
    low, high = sums_between(values, plan.staged.extremes)
    # Starts lie in the order of their own memref, and there may be more of them.
    ends = [starts.min(initial=0) + low.min(initial=0), starts.max(initial=0) + high.max(initial=0)]
    return holds(257 * values, 1 << 15) and holds(np.array(ends), 1 << 23)


def fits_halves(plan: DualPlan, values: Lanes) -> bool:
    """Whether the products of any two fold points of a window fit 16 bits with their sign: `SWAR`."""
    filled = SWAR.filled(values)
    windows = filled.reshape(len(filled), -1, SWAR_POINTS)
    elements = [extreme + plan.staged.zero_point for extreme in plan.staged.extremes]
    return all(holds(sums, 1 << 15) for sums in sums_between(windows, elements))


def stays_small(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether no sum leaves 32 bits on its way, whatever the staged elements and in whatever order it is made.

    Sums start from `starts`, zero points folded in.
    """
    element = max(abs(bound + plan.zero_point) for bound in plan.staged.extremes)
    weight = np.full_like(values, 255) if plan.step.unsigned else values
    return largest_sum(weight, starts, 2 * element) <= INT32_MAX


def nibbles(plan: DualPlan, values: Lanes) -> Layout | None:
    """The layout of nibbles that holds the constants of all places where the nest is called; None if none does.

    Sums fit 32 bits, whatever the elements.
    """
    # With elements as they lie in memory.
    sums = sums_between(values, [bound + plan.zero_point for bound in plan.staged.extremes])
    for kind in (HIGH_NIBBLES, SHORT_NIBBLES) if holds(values, 1 << 3) else ():
        if all(holds(each, 1 << (31 - kind.scale)) for each in sums):
            return kind
    return None

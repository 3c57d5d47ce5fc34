"""Packings of a nest's constant in memory, what one of its words adds to sums, and which constants allow them.

Words are in the order of use: for each block of channels that run side by side, for each word of fold points, the
channels of the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd.tiles import SWAR_CHANNELS, SWAR_POINTS
from ....dialects.simd.words import (
    BYTES,
    NIBBLE_SCALE,
    NIBBLES,
    DualMultiplyAddOp,
    UnpackEvenOp,
    UnpackNextOp,
    UnpackNibblesOp,
    UnpackOddOp,
)
from ....dialects.task.dual import IN_WORD, DualPlan
from ...builder import Loops, Value
from ...constants import Elements, Numbers, largest_sum, sums_between
from ...constants.products import INT32_MAX

SHARED_BITS = 8
"""Below the weight of the upper channel where two share a lane."""
_SHORT_SCALE = 4
"""Lanes that are bytes whose highest bits are a nibble are it times two to this power."""
_LEAST_NIBBLE, _MOST_NIBBLE = -8, 7
_HIGH_NIBBLES = 0xF0F0F0F0 - (1 << 32)

Lanes: TypeAlias = npt.NDArray[np.int64]
"""[channels, lanes]: what the constant contributes to the sums."""


class Weights:
    """Base of the kinds: a word is fields of some bits, for each fold point those of the channels, lowest first."""

    channels: ClassVar[int] = 1
    """Channels that share a word."""
    points: ClassVar[int] = 2
    """Fold points that share a word."""
    bits: ClassVar[int] = 16
    """Bits of a field."""
    borrows: ClassVar[bool] = False
    """Whether channels of a word are a sum, in which those below zero take one from the next, and no fields."""
    scale: ClassVar[int] = 0
    """Sums of products are two to this power as large, and begin at zero."""

    def __init__(self, plan: DualPlan):
        self._plan = plan

    def layout(self, block: int) -> str:
        """How words of blocks of so many channels lie, for readers."""
        return f"blocks of channels: {block}; in a word fold points x channels: {self.points} x {self.channels}"

    def in_order(self, values: Sequence[Lanes], inner: int, block: int) -> list[Elements]:
        """The constants that one nest reads, as they lie in memory.

        Args:
            values: what each contributes.
            inner: channels after which blocks start anew: the extent of the innermost dimension.
            block: channels that are computed side by side; what remains of `inner` is a smaller block.
        """
        element = self._element(values)
        return [np.concatenate([self._block(b).astype(element) for b in _blocks(v, inner, block)]) for v in values]

    def extent(self, channels: int) -> int:
        """Channels of the innermost dimension, with those that fill its last words."""
        return -(-channels // self.channels) * self.channels

    def begin(self, k: Loops, channel: Value) -> Value:
        """Return the beginning of a block's words; `channel` is the number of its first one, as `extent` counts."""
        return k.div(k.mul(channel, self._plan.pairs), self.channels * self.points // self._plan.step.lanes)

    def factors(
        self, k: Loops, words: SSAValue, first: Value, round: Value, place: int, count: int
    ) -> Iterator[SSAValue]:
        """Return what is multiplied with a word of fold points for each channel of a block, loaded as it is asked for.

        Args:
            k: emits.
            words: the packed constant.
            first: where the block begins in it.
            round: the number of the word of fold points with which a round begins.
            place: that of the word in the round.
            count: channels of the block.
        """
        of_block = self.extent(count) // self.channels
        begin = k.mul(round, of_block)
        for n in range(of_block):
            word = k.load(words, [k.add(first, k.add(begin, place * of_block + n))], f"w{n}")
            for part in range(min(self.channels, count - n * self.channels)):
                yield self._part(k, word, part)

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        """A sum and the products of a word of fold points; `wraps` says that it may leave 32 bits on its way."""
        return k.emit(DualMultiplyAddOp(value, weight, total), "acc")

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        """Return what is multiplied for one of the channels of a word."""
        return word

    def _element(self, values: Sequence[Lanes]) -> type[np.int32 | np.int16 | np.int8]:
        """The type of a word."""
        return np.int32

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        """The words of a block of channels."""
        whole = np.zeros((self.extent(len(values)), values.shape[1]), np.int64)
        whole[: len(values)] = values
        # [word of channels, channel, word of points, point] becomes [word of points, word of channels, point, channel].
        fields = whole.reshape(-1, self.channels, values.shape[1] // self.points, self.points).transpose(2, 0, 3, 1)
        channels = _joined(fields, self.bits, borrows=self.borrows)
        return _joined(channels, self.bits * self.channels, borrows=False).reshape(-1)


class PairWeights(Weights):
    """Two fold points of one channel in 16 bits each."""


class WordWeights(PairWeights):
    """Words for four channels; a last fold point alone is read two by two: the second two meet the high lane."""

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        if self._plan.points()[-1] is None and len(values) == BYTES:
            values = values.copy()
            values[BYTES // 2 :, -2:] = values[BYTES // 2 :, :-3:-1]
        return super()._block(values)


class ByteWeights(Weights):
    """Two fold points of two channels in a byte each, which are taken apart where they are used."""

    channels, bits = 2, 8

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit((UnpackEvenOp, UnpackNextOp)[channel](word))


class SharedWeights(ByteWeights):
    """Words of two channels, `lower + 256 * upper` in 16 bits: of both the upper one is multiplied with the lower one.

    What is left above the sum of the lower channel is that of the upper one.
    """

    borrows = True

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return word if channel else k.emit(UnpackEvenOp(word))


class PointWeights(Weights):
    """Four fold points of one channel in a byte each, in the order in which the other factor's lie in memory."""

    points, bits = BYTES, 8

    def factors(
        self, k: Loops, words: SSAValue, first: Value, round: Value, place: int, count: int
    ) -> Iterator[SSAValue]:
        assert count == 1, "channels do not run side by side"
        if place % 2 == 0:
            self._word = k.load(words, [k.add(first, k.add(k.div(round, 2), place // 2))], "w")
        yield k.emit((UnpackEvenOp, UnpackOddOp)[place % 2](self._word))

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        return super()._block(values.reshape(-1, BYTES)[:, IN_WORD].reshape(values.shape))


class NibbleWeights(Weights):
    """Two fold points of four channels in four bits each; lanes are the weights times 4096, an instruction for each.

    For sums of products that fit 20 bits.
    """

    channels, bits, scale = NIBBLES, 4, NIBBLE_SCALE

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit(UnpackNibblesOp(word, channel))


class WideNibbleWeights(NibbleWeights):
    """Lanes are the weights times 16, for sums that fit 28 bits: bytes are masked, then taken apart."""

    scale = _SHORT_SCALE

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        upper = word if channel % 2 else k.shift_left(word, _SHORT_SCALE)
        # Channels 0 and 1 are the nibbles of the first byte and the third.
        hint, unpack = (f"nibbles{channel}", UnpackEvenOp) if channel < 2 else (None, UnpackNextOp)
        return k.emit(unpack(k.bit_and(upper, k.value(_HIGH_NIBBLES, i32), hint)))


class SingleWeights(Weights):
    """One fold point of one channel, in eight bits if they hold it."""

    points = 1

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        return k.add(total, k.mul(value, weight, "product"), "acc", wraps=wraps)

    def _element(self, values: Sequence[Lanes]) -> type[np.int16 | np.int8]:
        if self._plan.step.unsigned:
            return np.int8
        fits = all(each.min(initial=0) >= -128 and each.max(initial=0) <= 127 for each in values)
        return np.int8 if fits else np.int16

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit((arith.ExtUIOp if self._plan.step.unsigned else arith.ExtSIOp)(word, i32))


class SwarWeights(Weights):
    """Each fold point of two channels in one word, that of the second one 65536 times: in the order of the kernel."""

    channels, points, borrows = 2, 1, True

    def extent(self, channels: int) -> int:
        return -(-channels // SWAR_CHANNELS) * SWAR_CHANNELS

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, swar_points(self._plan) // self.channels)

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        # [point, two channels] becomes [window, two channels, point of the window].
        words = super()._block(_padded(self._plan, values)).reshape(-1, SWAR_POINTS, SWAR_CHANNELS // self.channels)
        return words.transpose(0, 2, 1).reshape(-1)


def swar_points(plan: DualPlan) -> int:
    """Fold points with those that fill the last window; their weights are zero."""
    return -(-plan.pairs // SWAR_POINTS) * SWAR_POINTS


def _padded(plan: DualPlan, values: Lanes) -> Lanes:
    whole = np.zeros((len(values), swar_points(plan)), np.int64)
    whole[:, : values.shape[1]] = values
    return whole


def weights(plan: DualPlan, *, alone: bool = False) -> Weights:
    """The kind that a schedule says; `alone` says that channels do not run side by side and nothing is copied."""
    if plan.step.swar:
        return SwarWeights(plan)
    if plan.step.lanes == 1:
        return SingleWeights(plan)
    if plan.step.bytes:
        return PointWeights(plan) if alone else ByteWeights(plan)
    return PairWeights(plan)


def _joined(fields: Lanes, bits: int, *, borrows: bool) -> Lanes:
    """Join fields of the last axis, each of so many bits, in one number: without `borrows` what is above is cut off."""
    kept = fields if borrows else fields & ((1 << bits) - 1)
    # Along a short axis one addition after the other is faster than NumPy's sum.
    return sum((kept[..., n] << (bits * n) for n in range(fields.shape[-1])), start=np.zeros((), np.int64))


def _blocks(values: Lanes, inner: int, block: int) -> list[Lanes]:
    starts = [(outer, first) for outer in range(0, len(values), inner) for first in range(0, inner, block)]
    return [values[outer + first : outer + min(first + block, inner)] for outer, first in starts]


def allows_sharing(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether lanes hold both weights of a word, and the sums of upper channels fit what is left: `SharedWeights`.

    Sums start from `starts`, zero points folded in.
    """
    low, high = sums_between(values, plan.staged.extremes)
    # Starts lie in the order of their own memref, and there may be more of them.
    least = int(starts.min(initial=0)) + int(low.min(initial=0))
    most = int(starts.max(initial=0)) + int(high.max(initial=0))
    lowest = int(values.min(initial=0)) * 256 + int(values.min(initial=0))
    return lowest >= -(1 << 15) and least >= -(1 << 23) and most < 1 << 23


def fits_halves(plan: DualPlan, values: Lanes) -> bool:
    """Whether the products of any two fold points of a window fit 16 bits with their sign: `SwarWeights`."""
    windows = _padded(plan, values).reshape(len(values), -1, SWAR_POINTS)
    least, most = sums_between(windows, [extreme + plan.staged.zero_point for extreme in plan.staged.extremes])
    return -(1 << 15) <= int(least.min(initial=0)) and int(most.max(initial=0)) < 1 << 15


def stays_small(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether no sum leaves 32 bits on its way, whatever the staged elements and in whatever order it is made.

    Sums start from `starts`, zero points folded in.
    """
    element = max(abs(bound + plan.zero_point) for bound in plan.staged.extremes)
    weight = np.full_like(values, 255) if plan.step.unsigned else values
    return largest_sum(weight, starts, 2 * element) <= INT32_MAX


def nibbles(plan: DualPlan, values: Lanes) -> Weights | None:
    """The kind of nibbles that holds the constants of all places where the nest is called; None if none does.

    Sums fit 32 bits, whatever the elements.
    """
    if values.min(initial=0) < _LEAST_NIBBLE or values.max(initial=0) > _MOST_NIBBLE:
        return None
    # With elements as they lie in memory.
    least, most = sums_between(values, [bound + plan.zero_point for bound in plan.staged.extremes])
    largest = max(int(most.max(initial=0)), int(-least.min(initial=0)))
    return next((kind(plan) for kind in (NibbleWeights, WideNibbleWeights) if largest < 1 << (31 - kind.scale)), None)

"""Packings of a nest's constant in memory, and what one of its words adds to sums: one class per kind.

Words are in the order of use: for each block of channels that run side by side, for each word of fold points, the
channels of the block.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import (
    BYTES,
    SWAR_CHANNELS,
    SWAR_POINTS,
    DualMultiplyAddOp,
    UnpackEvenOp,
    UnpackNextOp,
    UnpackOddOp,
)
from ....dialects.task.dual import IN_WORD, DualPlan
from ...builder import Loops, Value
from .constants import Elements, Numbers

SHARED_BITS = 8
"""Below the weight of the upper channel where two share a lane."""

Lanes: TypeAlias = npt.NDArray[np.int64]
"""[channels, lanes]: what the constant contributes to the sums."""


class Packing(abc.ABC):
    """Base of the kinds."""

    channels: ClassVar[int] = 1
    """Channels that share a word."""

    def __init__(self, plan: DualPlan):
        self._plan = plan

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

    def holds_twice(self, values: Lanes) -> bool:
        """Whether words that take no more memory hold the double of each number."""
        return False

    def begin(self, k: Loops, channel: Value) -> Value:
        """Return the beginning of a block's words; `channel` is the number of its first one, as `extent` counts."""
        return k.mul(channel, self._plan.pairs)

    @abc.abstractmethod
    def _element(self, values: Sequence[Lanes]) -> type[np.int32 | np.int16 | np.int8]:
        """The type of a word."""

    @abc.abstractmethod
    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        """The words of a block of channels."""


class Weights(Packing, abc.ABC):
    """Base of the kinds whose words are multiplied one by one."""

    scale: ClassVar[int] = 0
    """Sums of products are two to this power as large, and begin at zero."""

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

    @abc.abstractmethod
    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        """A sum and the products of a word of fold points; `wraps` says that it may leave 32 bits on its way."""

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        """Return what is multiplied for one of the channels of a word."""
        return word


class _Dual(Weights):
    """Base of the kinds that are multiplied in pairs of lanes."""

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        return k.emit(DualMultiplyAddOp(value, weight, total), "acc")

    def _element(self, values: Sequence[Lanes]) -> type[np.int32]:
        return np.int32


class PairWeights(_Dual):
    """Two fold points of one channel in 16 bits each."""

    def holds_twice(self, values: Lanes) -> bool:
        return -(1 << 14) <= values.min(initial=0) and values.max(initial=0) < 1 << 14

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        halves = values.astype(np.uint32) & 0xFFFF
        return (halves[:, 0::2] | (halves[:, 1::2] << 16)).astype(np.uint32).view(np.int32).T.reshape(-1)


class WordWeights(PairWeights):
    """Words for four channels; a last fold point alone is read two by two: the second two meet the high lane."""

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        if self._plan.points()[-1] is None and len(values) == BYTES:
            values = values.copy()
            values[BYTES // 2 :, -2:] = values[BYTES // 2 :, :-3:-1]
        return super()._block(values)


class ByteWeights(_Dual):
    """Two fold points of two channels in a byte each, which are taken apart where they are used."""

    channels = 2

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.div(super().begin(k, channel), self.channels)

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        whole = np.zeros((self.extent(len(values)), values.shape[1]), np.int8)
        whole[: len(values)] = values
        # [word of channels, channel, word of points, point] becomes [word of points, word of channels, point, channel].
        bytes = whole.reshape(-1, self.channels, values.shape[1] // 2, 2).transpose(2, 0, 3, 1)
        return np.ascontiguousarray(bytes).reshape(-1).view("<i4")

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit((UnpackEvenOp, UnpackNextOp)[channel](word))


class SharedWeights(ByteWeights):
    """Words of two channels, `lower + 256 * upper` in 16 bits: of both the upper one is multiplied with the lower one.

    What is left above the sum of the lower channel is that of the upper one.
    """

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        shared = values.copy()
        shared[1::2] -= values[0 : len(values) // 2 * 2 : 2] < 0
        return super()._block(shared)

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return word if channel else k.emit(UnpackEvenOp(word))


def allows_sharing(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether a word's lanes hold both weights, and the sums of the upper channels fit what is left for them.

    Args:
        plan: what the schedule says.
        values: [channels, lanes], the packed constant.
        starts: where the sums start, zero points folded in.
    """
    bounds = [values * extreme for extreme in plan.staged.extremes]
    # Starts lie in the order of their own memref, and there may be more of them.
    least = int(starts.min(initial=0)) + int(np.minimum(*bounds).sum(axis=1).min(initial=0))
    most = int(starts.max(initial=0)) + int(np.maximum(*bounds).sum(axis=1).max(initial=0))
    lowest = int(values.min(initial=0)) * 256 + int(values.min(initial=0))
    return lowest >= -(1 << 15) and least >= -(1 << 23) and most < 1 << 23


class PointWeights(_Dual):
    """Four fold points of one channel in a byte each, in the order in which the other factor's lie in memory."""

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.div(super().begin(k, channel), 2)

    def factors(
        self, k: Loops, words: SSAValue, first: Value, round: Value, place: int, count: int
    ) -> Iterator[SSAValue]:
        assert count == 1, "channels do not run side by side"
        if place % 2 == 0:
            self._word = k.load(words, [k.add(first, k.add(k.div(round, 2), place // 2))], "w")
        yield k.emit((UnpackEvenOp, UnpackOddOp)[place % 2](self._word))

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        return np.ascontiguousarray(values.reshape(-1, BYTES)[:, IN_WORD], np.int8).reshape(-1).view("<i4")


class SingleWeights(Weights):
    """One fold point of one channel, in eight bits if they hold it."""

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        product = k.mul(value, weight, "product")
        added = k.add(total, product, "acc", wraps=wraps)
        assert isinstance(added, SSAValue), "a sum of values that are computed"
        return added

    def _element(self, values: Sequence[Lanes]) -> type[np.int16 | np.int8]:
        if self._plan.unsigned:
            return np.int8
        fits = all(each.min(initial=0) >= -128 and each.max(initial=0) <= 127 for each in values)
        return np.int8 if fits else np.int16

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        return values.T.reshape(-1)

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit((arith.ExtUIOp if self._plan.unsigned else arith.ExtSIOp)(word, i32))


class SwarWeights(Packing):
    """Each fold point of two channels in one word, that of the second one 65536 times: in the order of the kernel."""

    channels = SWAR_CHANNELS

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, swar_points(self._plan) * self.channels // 2 // self.channels)

    def _element(self, values: Sequence[Lanes]) -> type[np.int32]:
        return np.int32

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        whole = np.zeros((self.channels, swar_points(self._plan)), np.int64)
        whole[: len(values), : values.shape[1]] = values
        words = whole[0::2] + (whole[1::2] << 16)
        # [two channels, points] becomes [window, two channels, point of the window].
        return words.reshape(len(words), -1, SWAR_POINTS).transpose(1, 0, 2).reshape(-1)


def swar_points(plan: DualPlan) -> int:
    """Fold points with those that fill the last window; their weights are zero."""
    return -(-plan.pairs // SWAR_POINTS) * SWAR_POINTS


def weights(plan: DualPlan, *, alone: bool = False) -> Packing:
    """The kind that a schedule says; `alone` says that channels do not run side by side and nothing is copied."""
    if plan.swar:
        return SwarWeights(plan)
    if plan.lanes == 1:
        return SingleWeights(plan)
    if plan.bytes:
        return PointWeights(plan) if alone else ByteWeights(plan)
    return PairWeights(plan)


def _blocks(values: Lanes, inner: int, block: int) -> list[Lanes]:
    starts = [(outer, first) for outer in range(0, len(values), inner) for first in range(0, inner, block)]
    return [values[outer + first : outer + min(first + block, inner)] for outer, first in starts]

"""Packed constants of four bits: two fold points of four channels in a word, taken apart where they are used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import NIBBLE_SCALE, NIBBLES, UnpackEvenOp, UnpackNextOp, UnpackNibblesOp
from ....dialects.task.dual import DualPlan
from ...builder import Loops, Value
from .weights import Lanes, PairWeights, Weights

_LEAST, _MOST = -8, 7
_SHORT_SCALE = 4
"""Lanes that are bytes whose highest bits are the nibble are it times two to this power."""
_HIGH_NIBBLES = 0xF0F0F0F0 - (1 << 32)


class NibbleWeights(PairWeights):
    """Lanes are the weights times 4096, one instruction for each: for sums of products that fit 20 bits."""

    channels = NIBBLES
    scale = NIBBLE_SCALE

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.div(k.mul(channel, self._plan.pairs), self.channels)

    def holds_twice(self, values: Lanes) -> bool:
        return False

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        whole = np.zeros((self.extent(len(values)), values.shape[1]), np.uint32)
        whole[: len(values)] = values & 0xF
        # [words of channels, channel, lanes] becomes [words of channels, lanes]: a half of a word each.
        places = np.arange(self.channels, dtype=np.uint32)[None, :, None]
        halves = (whole.reshape(-1, self.channels, values.shape[1]) << (4 * places)).sum(axis=1, dtype=np.uint32)
        words = (halves[:, 0::2] | (halves[:, 1::2] << 16)).astype(np.uint32)
        return words.view(np.int32).T.reshape(-1)

    def _part(self, k: Loops, word: SSAValue, channel: int) -> SSAValue:
        return k.emit(UnpackNibblesOp(word, channel))


class WideNibbleWeights(NibbleWeights):
    """Lanes are the weights times 16, for sums that fit 28 bits: bytes are masked, then taken apart."""

    scale = _SHORT_SCALE

    def factors(
        self, k: Loops, words: SSAValue, first: Value, round: Value, place: int, count: int
    ) -> Iterator[SSAValue]:
        of_block = self.extent(count) // self.channels
        begin = k.mul(round, of_block)
        for n in range(of_block):
            word = k.load(words, [k.add(first, k.add(begin, place * of_block + n))], f"w{n}")
            for channel in range(min(self.channels, count - n * self.channels)):
                # Channels 0 and 2 are the lower nibbles of bytes.
                if channel < 2:
                    lower, upper = word if channel else k.shift_left(word, _SHORT_SCALE), channel
                    masked = k.bit_and(lower, k.value(_HIGH_NIBBLES, i32), f"nibbles{upper}")
                    yield k.emit(UnpackEvenOp(masked))
                else:
                    lower = word if channel == 3 else k.shift_left(word, _SHORT_SCALE)
                    yield k.emit(UnpackNextOp(k.bit_and(lower, k.value(_HIGH_NIBBLES, i32))))


def nibbles(plan: DualPlan, values: Lanes) -> Weights | None:
    """The kind that holds a constant and whose sums fit 32 bits, whatever the elements; None if there is none.

    Args:
        plan: what the schedule says.
        values: [channels, lanes], the constants of all places where the nest is called.
    """
    if values.min(initial=0) < _LEAST or values.max(initial=0) > _MOST:
        return None
    most = largest_sum(plan, values)
    return next((kind(plan) for kind in (NibbleWeights, WideNibbleWeights) if most < 1 << (31 - kind.scale)), None)


def largest_sum(plan: DualPlan, values: Lanes) -> int:
    """The largest magnitude of a sum of products of a constant with elements as they lie in memory."""
    least, most = (bound + plan.zero_point for bound in plan.staged.extremes)
    upper, lower = np.maximum(values, 0).sum(axis=1), np.minimum(values, 0).sum(axis=1)
    ends = [(most * upper + least * lower).max(initial=0), -(least * upper + most * lower).min(initial=0)]
    return int(max(ends))

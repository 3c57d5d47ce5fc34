"""Packings of the constant of nests that multiply several bytes of several channels in one instruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ....dialects.simd import LANES, SIXTEEN
from ....dialects.simd.dots import CHANNELS, DOT
from ....dialects.task.dual import DualPlan
from ...builder import Loops, Value
from ..dual.weights import Lanes, Weights


class VectorWeights(Weights):
    """Base of the kinds: for so many fold points of a run, bytes of each channel of a block; zero for missing ones."""

    points: ClassVar[int]
    """Fold points that are multiplied at once."""

    def __init__(self, plan: DualPlan, run: int | None = None):
        """`run` fold points lie side by side, by default all: their number divides that of all."""
        super().__init__(plan)
        self._run = run or max(plan.pairs, 1)
        self.padded = -(-self._run // self.points) * self.points
        """Points of a run, with those that fill its last word."""

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, self._plan.pairs // self._run * self.padded)

    def _element(self, values: Sequence[Lanes]) -> type[np.int8]:
        return np.int8

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        channels, points = values.shape
        whole = np.zeros((self.extent(channels), points // self._run, self.padded), np.int8)
        whole[:channels, :, : self._run] = values.reshape(channels, -1, self._run)
        # [block, channel, points of all runs, point] becomes [block, points of all runs, channel, point].
        words = points // self._run * self.padded // self.points
        return whole.reshape(-1, self.channels, words, self.points).transpose(0, 2, 1, 3).reshape(-1)


class SixteenWeights(VectorWeights):
    """Weights of a nest whose schedule has `lanes 16`: sixteen fold points of four channels."""

    channels, points = LANES, SIXTEEN


class DotWeights(VectorWeights):
    """Weights of a nest whose schedule has `expand d dots`: four fold points of sixteen channels."""

    channels, points = CHANNELS, DOT

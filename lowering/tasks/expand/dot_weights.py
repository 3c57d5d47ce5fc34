"""Packing of the constant of a nest whose schedule has `expand d dots`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.ir import SSAValue

from ....dialects.simd.dots import CHANNELS, DOT
from ....dialects.task.dual import DualPlan
from ...builder import Loops, Value
from ..dual.weights import Lanes, Weights


class DotWeights(Weights):
    """Weights in groups of four fold points of a run: four bytes of each of sixteen channels.

    Those without a channel or a point are zero.
    """

    channels = CHANNELS

    def __init__(self, plan: DualPlan, run: int):
        """`run` fold points lie side by side: their number divides that of all."""
        super().__init__(plan)
        self._run = run
        self.padded = -(-run // DOT) * DOT
        """Points of a run, with those that fill its last word."""

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, self._plan.pairs // self._run * self.padded)

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        raise AssertionError("four products are one operation with those of the other channels")

    def _element(self, values: Sequence[Lanes]) -> type[np.int8]:
        return np.int8

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        channels, points = values.shape
        whole = np.zeros((CHANNELS, points // self._run, self.padded), np.int8)
        whole[:channels, :, : self._run] = values.reshape(channels, -1, self._run)
        # [channel, run and four points, point] becomes [run and four points, channel, point].
        return whole.reshape(CHANNELS, -1, DOT).transpose(1, 0, 2).reshape(-1)

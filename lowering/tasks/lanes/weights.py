"""Packing of the constant of a nest whose schedule has `lanes 16`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.ir import SSAValue

from ....dialects.simd import LANES, SIXTEEN
from ...builder import Loops, Value
from ..dual.weights import Lanes, Weights


class SixteenWeights(Weights):
    """Weights in groups of sixteen fold points: those of four channels, one after the other; zero for missing ones."""

    channels = LANES

    def begin(self, k: Loops, channel: Value) -> Value:
        return k.mul(channel, self._points)

    @property
    def _points(self) -> int:
        return -(-self._plan.pairs // SIXTEEN) * SIXTEEN

    def multiply_add(self, k: Loops, value: SSAValue, weight: SSAValue, total: SSAValue, *, wraps: bool) -> SSAValue:
        raise AssertionError("sixteen products are one operation with those of the other channels")

    def _element(self, values: Sequence[Lanes]) -> type[np.int8]:
        return np.int8

    def _block(self, values: Lanes) -> npt.NDArray[np.integer]:
        whole = np.zeros((self.extent(len(values)), self._points), np.int8)
        whole[: len(values), : values.shape[1]] = values
        # [channel, sixteen points, point] becomes [sixteen points, channel, point].
        return whole.reshape(-1, LANES, self._points // SIXTEEN, SIXTEEN).transpose(0, 2, 1, 3).reshape(-1)

"""Tables of functions of 16-bit fixed-point numbers, between whose entries is interpolated.

Source: TensorFlow Lite `kernels/internal/common.h`, `LUTPopulate<int16_t>`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

STEPS = 512
"""Intervals; there is one entry more."""

_LEAST, _MOST = -(2**15), 2**15 - 1

_F = np.float32


def table(
    function: Callable[[float], float], input_scale: float, input_zero_point: int, output_scale: float, zero_point: int
) -> npt.NDArray[np.int16]:
    """513 samples of `function` over all int16, each moved by half the error of the interpolation beside it.

    All arithmetic is in float32, as in the reference.
    """
    first, last = (_F(input_scale) * _F(value - input_zero_point) for value in (_LEAST, _MOST))
    bottom, top = (_F(output_scale) * _F(value - zero_point) for value in (_LEAST, _MOST))
    step = _F(_F(last - first) / _F(STEPS))
    per_unit = _F(_F(_MOST - _LEAST + 1) / _F(top - bottom))

    def sample(value: np.float32) -> np.float32:
        return _F(_F(function(float(value))) * per_unit)

    entries: list[int] = []
    for number in range(STEPS):
        start = _F(first + _F(_F(number) * step))
        here, following = sample(start), sample(_F(first + _F(_F(number + 1) * step)))
        middle = _round(sample(_F(start + _F(step / _F(2)))))
        interpolated = _round(_F(_F(following + _round(here)) / _F(2)))
        bias = _round(_F(_F(interpolated - middle) / _F(2)))
        entries.append(_saturated(_F(_round(here) - bias)))
    entries.append(_saturated(_round(sample(last))))
    return np.array(entries, np.int16)


def _round(value: np.float32) -> np.float32:
    """Halves away from zero; exact for every float32 of this size."""
    if not math.isfinite(value):
        return value
    return _F(math.copysign(math.floor(abs(float(value)) + 0.5), float(value)))


def _saturated(value: np.float32) -> int:
    """The nearest int16; 0 for the difference of infinities, which the reference leaves to the processor."""
    if math.isnan(value):
        return 0
    return int(min(max(float(value), _LEAST), _MOST))

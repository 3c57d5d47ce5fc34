"""The rounding of ONNX by one multiplication, where that is proved for every accumulator.

Requantisation is monotone: what it makes of an int32 follows from the least accumulator of each result. If
`(acc * m + half) >> s` begins each result of the clamp's range at the same accumulator, both are equal everywhere.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

_INT32 = 2**31


def single_multiplier(
    factor: np.float32, least: int, most: int, low: int = -_INT32, high: int = _INT32 - 1
) -> tuple[int, int] | None:
    """Multiplier and shift of the rounding `single` that gives what `real` gives; None if none was proved.

    Args:
        factor: the float32 by which accumulators are multiplied.
        least: the least result that the clamp leaves, less the zero point.
        most: the largest one.
        low: the least accumulator.
        high: the largest one.
    """
    shift = math.frexp(float(factor))[1]
    if not 0 < factor < 1 or shift < -30 or least >= most:
        return None
    results = np.arange(least + 1, most + 1, dtype=np.int64)
    first = _first(factor, results)
    if first is None:
        return None
    reached = (first > low) & (first <= high)
    first, results = first[reached], results[reached]
    if not len(first) or max(abs(first[0]), abs(first[-1])) >= _INT32:
        return None
    right = 31 - shift
    lower, upper = _slopes(first, results.astype(np.float64) - 0.5)
    for slope in ((lower + upper) / 2, lower, upper):
        near = round(slope * 2.0**right)
        for multiplier in (near, near + 1, near - 1):
            if 1 << 30 <= multiplier < _INT32 and _begins(multiplier, right, first, results):
                return multiplier, shift
    return None


def _first(factor: np.float32, results: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """The least accumulator of each result, as float32 rounds; None where it is not near that of the reals."""
    places = np.floor((results - 0.5) / float(factor)).astype(np.int64)[:, None] + np.arange(-2, 4)
    made = np.rint(places.astype(np.float32) * factor) >= results[:, None]
    if made[:, 0].any() or not made[:, -1].all():
        return None
    return places[np.arange(len(results)), made.argmax(1)]


def _slopes(first: npt.NDArray[np.int64], halves: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Bounds of the factors that put each half between an accumulator and the one before."""
    lower, upper = 0.0, 1.0
    for places, above in ((first, True), (first - 1, False)):
        for sign in (1, -1):
            chosen = places * sign > 0
            if not chosen.any():
                continue
            ratios = halves[chosen] / places[chosen]
            if above == (sign > 0):
                lower = max(lower, float(ratios.max()))
            else:
                upper = min(upper, float(ratios.min()))
    return lower, upper


def _begins(multiplier: int, right: int, first: npt.NDArray[np.int64], results: npt.NDArray[np.int64]) -> bool:
    """Whether each result begins at its accumulator."""
    half = np.int64(1) << (right - 1)
    at, before = ((places * multiplier + half) >> right for places in (first, first - 1))
    return bool((at >= results).all() and (before < results).all())

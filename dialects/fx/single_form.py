"""The rounding of ONNX by one multiplication, where that is proved for every accumulator.

Requantisation is monotone: what it makes of an int32 follows from the least accumulator of each result. If
`(acc * m + half) >> s` begins each result of the clamp's range at the same accumulator, both are equal everywhere.
Sums that float32 rounds to a half are where it fails. There a sum may start from a little more, and a little less be
added to its product: together they move halves by a fraction of what one more in the sum does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_INT32 = 2**31
_MOST_ADDED = 512
_NEAR = 0.06
"""Further than so much of an accumulator no half may move."""
_TRIED = 4
"""Lines whose factors are tried, those with most room first."""


@dataclass(frozen=True)
class Line:
    """`(((acc + moved) * multiplier >> 31) + half + added) >> right`, where `half` is `2**(right - 1)`."""

    multiplier: int
    right: int
    moved: int = 0
    added: int = 0


def single_multiplier(
    factor: np.float32, least: int, most: int, low: int = -_INT32, high: int = _INT32 - 1
) -> tuple[int, int] | None:
    """Multiplier and shift of the rounding `single` that gives what `real` gives; None if none was proved.

    Arguments are those of `single_line`.
    """
    found = single_line(factor, least, most, low, high, moves=False)
    return None if found is None else (found.multiplier, -found.right)


def single_line(factor: np.float32, least: int, most: int, low: int, high: int, *, moves: bool = True) -> Line | None:
    """Return the line that gives what `real` gives; None if none was proved.

    Args:
        factor: the float32 by which accumulators are multiplied.
        least: the least result that the clamp leaves, less the zero point.
        most: the largest one.
        low: the least accumulator.
        high: the largest one.
        moves: whether it may have `moved` and `added`.
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
    lines = [np.zeros((1, 2), np.int64), *([_moves(float(factor), -shift)] if moves and shift < 0 else [])]
    for line in lines:
        moved, added = line.T
        lower, upper = _slopes(first + moved[:, None], results - 0.5 - added[:, None] * 2.0**shift)
        for number in np.argsort(lower - upper, kind="stable")[:_TRIED]:
            for slope in ((lower + upper) / 2, lower, upper):
                near = round(float(slope[number]) * 2.0 ** (31 - shift))
                for multiplier in (near, near + 1, near - 1):
                    found = Line(multiplier, -shift, int(moved[number]), int(added[number]))
                    if 1 << 30 <= multiplier < _INT32 and _begins(found, first, results):
                        return found
    return None


def _first(factor: np.float32, results: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """The least accumulator of each result, as float32 rounds; None where it is not near that of the reals."""
    places = np.floor((results - 0.5) / float(factor)).astype(np.int64)[:, None] + np.arange(-2, 4)
    made = np.rint(places.astype(np.float32) * factor) >= results[:, None]
    if made[:, 0].any() or not made[:, -1].all():
        return None
    return places[np.arange(len(results)), made.argmax(1)]


def _moves(factor: float, right: int) -> npt.NDArray[np.int64]:
    """Pairs of `moved` and `added` that nearly cancel each other, `[pair, 2]`."""
    added = np.arange(-_MOST_ADDED, _MOST_ADDED + 1)
    apart = added * (2.0**-right / factor)
    moved = -np.rint(apart).astype(np.int64)
    near = (np.abs(apart + moved) < _NEAR) & (added != 0)
    return np.stack([moved, added], axis=1)[near]


def _slopes(
    first: npt.NDArray[np.int64], halves: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Bounds of the factors that put each half of `[line, result]` between an accumulator and the one before."""
    lower, upper = np.zeros(len(first)), np.ones(len(first))
    for places, above in ((first, True), (first - 1, False)):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = halves / places
        for sign in (1, -1):
            chosen = places * sign > 0
            if above == (sign > 0):
                lower = np.maximum(lower, np.where(chosen, ratios, 0.0).max(axis=1))
            else:
                upper = np.minimum(upper, np.where(chosen, ratios, 1.0).min(axis=1))
    return lower, upper


def _begins(line: Line, first: npt.NDArray[np.int64], results: npt.NDArray[np.int64]) -> bool:
    """Whether each result begins at its accumulator."""
    nudge = (np.int64(1) << (30 + line.right)) + (np.int64(line.added) << 31)
    at, before = (
        ((places + line.moved) * line.multiplier + nudge) >> (31 + line.right) for places in (first, first - 1)
    )
    return bool((at >= results).all() and (before < results).all())

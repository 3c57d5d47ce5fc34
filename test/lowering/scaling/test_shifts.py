"""One distance to shift by for all channels gives every byte that distances of their own gave."""

from __future__ import annotations

import numpy as np
import pytest

from stillpool.lowering.scaling.shifts import Channels, Shifted, alike, scaled

LEAST = -128


def channels(rng: np.random.Generator, count: int, rights: np.ndarray, *, most: int = 4000) -> Channels:
    """Random ones, whose sums lie between `-most` and `most`."""
    multiplier = rng.integers(1 << 30, 1 << 31, count)
    zero_point = int(rng.integers(-128, 128))
    nudge = ((1 << rights) >> 1) + (zero_point << rights)
    low, high = -rng.integers(1, most, count), rng.integers(1, most, count)
    return Channels(multiplier, nudge, rights, low, high, rng.integers(1, 128, count))


def before(of: Channels, channel: int, sums: np.ndarray, *, signed: bool = False) -> np.ndarray:
    """Bytes of sums by the definition of `rescaling.records`."""
    high = (2 * sums * int(of.multiplier[channel]) + (1 << 31)) >> 32
    return np.clip((high + int(of.nudge[channel]) - signed * (sums < 0)) >> int(of.right[channel]), LEAST, 127)


def after(found: Shifted, channel: int, sums: np.ndarray, *, signed: bool = False) -> np.ndarray:
    """Bytes of sums with one distance."""
    scaled_sums = sums * int(found.scale[channel]) + int(found.more[channel])
    assert np.abs(scaled_sums).max() < 1 << 31
    product = scaled_sums * int(found.multiplier[channel]) + (0 if found.floor else 1 << 31)
    high = (product >> 32) + int(found.added[channel]) - signed * (sums < 0)
    return np.clip(high >> found.shift, LEAST, 127)


def assert_same(of: Channels, found: Shifted, *, signed: bool = False) -> None:
    for channel in range(len(of.low)):
        sums = np.arange(of.low[channel], of.high[channel] + 1)
        was, now = before(of, channel, sums, signed=signed), after(found, channel, sums, signed=signed)
        np.testing.assert_array_equal(now, was)


@pytest.mark.parametrize("seed", range(20))
def test_near_distances_become_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of = channels(rng, 8, rng.integers(3, 10, 8), most=int(rng.choice([40, 4000, 60000])))
    found = scaled(of, LEAST)
    assert found is not None
    assert found.shift > of.right.max()
    assert_same(of, found)


def far(rng: np.random.Generator, right: int, most: int) -> Channels:
    """Channels of which the last one shifts by much more than the others."""
    of = channels(rng, 4, np.array([1, 2, 1, right]), most=most)
    return Channels(of.multiplier, of.nudge, of.right, of.low, of.high, np.full(4, 127))


@pytest.mark.parametrize("seed", range(8))
def test_a_far_one_has_a_smaller_multiplier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of = far(rng, int(rng.integers(8, 12)), 60000)
    found = scaled(of, LEAST)
    assert found is not None
    assert found.shift <= 8
    assert_same(of, found)


def test_smaller_multipliers_that_reach_a_step_elsewhere_are_refused() -> None:
    rng = np.random.default_rng(9)
    found = [scaled(far(rng, 15, 1 << 22), LEAST) for _ in range(30)]
    assert None in found


def test_results_that_do_not_depend_on_sums_take_any_distance() -> None:
    rng = np.random.default_rng(6)
    of = channels(rng, 2, np.array([5, 1]))
    multiplier, nudge = of.multiplier.copy(), of.nudge.copy()
    multiplier[1], nudge[1] = 0, 1 + 2 * -7
    of = Channels(multiplier, nudge, of.right, of.low, of.high, of.weight)
    found = scaled(of, LEAST)
    assert found is not None
    assert_same(of, found)
    assert found.added[1] >> found.shift == -7


@pytest.mark.parametrize("signed", [False, True])
def test_the_distance_of_all_stays(signed: bool) -> None:
    rng = np.random.default_rng(7)
    of = channels(rng, 6, np.full(6, 7))
    of.multiplier[2], of.nudge[2], of.right[2] = 0, 1 + 2 * 3, 1
    found = alike(of)
    assert found is not None
    assert (found.shift, found.floor) == (7, False)
    assert_same(of, found, signed=signed)
    of.right[1] = 8
    assert alike(of) is None


def test_large_sums_leave_no_room() -> None:
    rng = np.random.default_rng(8)
    of = channels(rng, 4, np.array([1, 1, 1, 9]))
    wide = Channels(of.multiplier, of.nudge, of.right, of.low - (1 << 29), of.high + (1 << 29), of.weight)
    assert scaled(wide, LEAST) is None

"""The rounding `single` in the place of `real`: equal for every accumulator, or not taken."""

from __future__ import annotations

import numpy as np

from stillpool.dialects.fx.single_form import single_line, single_multiplier


def test_every_accumulator_gives_the_same() -> None:
    rng, taken = np.random.default_rng(1), 0
    near = np.arange(-(1 << 17), 1 << 17, dtype=np.int64)
    far = np.concatenate([rng.integers(-(1 << 31), 1 << 31, 5000), [-(1 << 31), (1 << 31) - 1]])
    accumulators = np.concatenate([near, far])
    for number in range(60):
        factor = np.float32(rng.uniform(1, 2) * 2.0 ** rng.integers(-14, 0))
        least, most = ((-128, 127), (0, 255), (-100, 30))[number % 3]
        found = single_multiplier(factor, least, most)
        if found is None:
            continue
        taken += 1
        multiplier, shift = found
        right = 31 - shift
        single = (accumulators * multiplier + (1 << (right - 1))) >> right
        real = np.rint(accumulators.astype(np.float32) * factor).astype(np.int64)
        np.testing.assert_array_equal(np.clip(single, least, most), np.clip(real, least, most))
    assert taken > 30


def test_what_is_not_proved() -> None:
    """Ties that float32 makes: of 1/2 every other one goes down."""
    assert single_multiplier(np.float32(0.5), -128, 127) is None
    assert single_multiplier(np.float32(1.5), -128, 127) is None


def test_lines_that_move_are_found_for_more_factors() -> None:
    """Of sums up to 2**18 float32 makes some halves of, up or down: every sum in the range is compared."""
    rng, moved = np.random.default_rng(2), 0
    least, most, low, high = 0, 255, -(1 << 18), 1 << 18
    sums = np.arange(low, high + 1)
    for _ in range(60):
        factor = np.float32(rng.uniform(1, 2) * 2.0**-10)
        found = single_line(factor, least, most, low, high)
        if found is None:
            continue
        moved += single_multiplier(factor, least, most, low, high) is None
        half = (1 << (found.right - 1)) + found.added
        line = (((sums + found.moved) * found.multiplier >> 31) + half) >> found.right
        real = np.rint(sums.astype(np.float32) * factor).astype(np.int64)
        np.testing.assert_array_equal(np.clip(line, least, most), np.clip(real, least, most))
    assert moved > 5

"""The rounding `single` in the place of `real`: equal for every accumulator, or not taken."""

from __future__ import annotations

import numpy as np

from stillpool.dialects.fx.single_form import single_multiplier


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

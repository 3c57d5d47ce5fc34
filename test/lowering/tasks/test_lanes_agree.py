"""Random convolutions with lanes of vectors, their portable C on the host, against numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from libraries import STRICT, UBSAN, library
from random_convolutions import check, convolution

CASES = [8, pytest.param(24, marks=pytest.mark.sweep)]


def lanes(rng: np.random.Generator, channels: int, folds: str, depthwise: bool) -> str:
    steps = "jam c" if channels <= 4 else f"split c 4, order (oy, ox, c_o, c_i, {folds}), jam c_i"
    return f"{steps}, {rng.choice(['whole, lanes', 'lanes']) if depthwise else 'lanes 16'}"


@pytest.mark.parametrize("count", CASES)
def test_lanes_agree(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(55)
    cases = [convolution(rng, f"f{number}", depthwise=number % 3 == 0, schedule=lanes) for number in range(count)]
    text = "".join(text for text, _, _ in cases)
    functions, source = library(tmp_path, text, "lower-tasks,usmp,emit-c", (*STRICT, *UBSAN))
    assert source.count("simd_sum_products(") > count // 2
    check(functions, cases, 55)

"""Random depthwise convolutions to bytes, a window in one operation, against numpy: portable C and assembly."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from libraries import STRICT, UBSAN, library
from random_windows import Window, bytes_for, emulated, window

CASES = [(17, 9), pytest.param(18, 24, marks=pytest.mark.sweep)]
"""Seeds, and how many convolutions of each."""


def windows(rng: np.random.Generator, count: int) -> list[Window]:
    return [window(rng, f"f{n}", order="reverse" if n % 3 == 0 else "") for n in range(count)]


@pytest.mark.parametrize(("seed", "count"), CASES)
def test_portable_c_agrees(seed: int, count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = windows(rng, count)
    text = "".join(one.text for one in cases)
    functions, source = library(tmp_path, text, "lower-tasks,emit-c", (*UBSAN, *STRICT))
    assert source.count("  simd_sum_taps_") > count
    assert source.count("  simd_scale_bytes_") > count
    for number, one in enumerate(cases):
        x, y = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y)))
        np.testing.assert_array_equal(y, one.expected(x), one.text)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees(compiler: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(19)
    emulated(tmp_path, rng, windows(rng, 12), compiler)

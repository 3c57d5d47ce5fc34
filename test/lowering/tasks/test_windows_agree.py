"""Random depthwise convolutions to bytes, a window in one operation, against numpy: portable C and assembly."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import STRICT, UBSAN, library
from random_windows import Window, bytes_for, emulated, window, window_of_rows

CASES = [(17, 9), pytest.param(18, sweeps.size(9, long=24), marks=pytest.mark.sweep, id="many")]
"""Seeds, and how many convolutions of each."""


def windows(rng: np.random.Generator, count: int) -> list[Window]:
    kinds = (window, window, window_of_rows)
    return [kinds[n % 3](rng, f"f{n}", order="reverse" if n // 3 % 3 == 0 else "") for n in range(count)]


@pytest.mark.parametrize(("seed", "count"), CASES)
def test_portable_c_agrees(seed: int, count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = windows(rng, count)
    text = "".join(one.text for one in cases)
    functions, source = library(tmp_path, text, "scale-sums,lower-tasks,emit-c", (*UBSAN, *STRICT))
    assert source.count("  simd_sum_taps_") > count
    assert source.count("  simd_scale_bytes_") > count
    called = re.findall(r"^ +simd_windows_\w+", source, re.MULTILINE)
    assert 0 < sum(name.endswith("_backward") for name in called) < len(called)
    forms = [re.search(r"_(floor|by)_\d+", name) for name in called]
    assert {"floor", "by", None} == {form and form[1] for form in forms}
    rows = re.findall(r"void (simd_windows_\w+)\(\s+const int8_t \*bytes, const int8_t \*bytes_1", source)
    assert 0 < sum(name.endswith("_backward") for name in rows) < len(rows)
    for number, one in enumerate(cases):
        x, y = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8)
        arrays = (*one.inputs(x), y)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))
        np.testing.assert_array_equal(y, one.expected(x), one.text)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees(compiler: str) -> None:
    rng = np.random.default_rng(19)
    emulated(rng, windows(rng, sweeps.size(9, long=12)), compiler)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees_on_long_rows(compiler: str) -> None:
    rng = np.random.default_rng(20)
    extents = {"h": 2, "c": 8, "ci": 8, "kh": 2, "kw": 2, "s": 1, "d": 1, "py": 0, "px": 0, "oh": 2}
    lengths = (600, 9000)
    cases = [
        window(rng, f"f{n}", order="reverse" if n % 2 else "", extents=extents | {"w": w, "ow": w})
        for n, w in enumerate(w for w in lengths for _ in range(2))
    ]
    emulated(rng, cases, compiler)

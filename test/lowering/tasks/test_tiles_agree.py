"""Random dense convolutions to bytes, all channels of a tile in one operation, against numpy: portable C, assembly."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import STRICT, UBSAN, library
from random_windows import Window, bytes_for, emulated, tile, tile_of_rows

CASES = [(23, 12, 20), pytest.param(24, sweeps.size(16, long=48), 40, marks=pytest.mark.sweep, id="many")]
"""Seeds, how many convolutions of each, and their most input channels."""


def tiles(rng: np.random.Generator, count: int, most: int) -> list[Window]:
    """Every third one is of rows that are memrefs of their own, every fourth one has few words."""
    return [
        tile_of_rows(rng, f"f{n}", most) if n % 3 == 2 else tile(rng, f"f{n}", most, few=n % 4 == 3)
        for n in range(count)
    ]


@pytest.mark.parametrize(("seed", "count", "most"), CASES)
def test_portable_c_agrees(seed: int, count: int, most: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = tiles(rng, count, most)
    functions, source = library(
        tmp_path, "".join(one.text for one in cases), "scale-sums,lower-tasks,usmp,emit-c", (*UBSAN, *STRICT)
    )
    assert source.count("  simd_tile_bytes_") >= count
    forms = [re.search(r"_(floor|by)_\d+", name) for name in re.findall(r"  simd_tile_bytes_\w+", source)]
    assert {"floor", "by", None} == {form and form[1] for form in forms}
    assert source.count("_held") > 1
    assert source.count("  simd_unpack_points_") >= count // 2
    for number, one in enumerate(cases):
        x, y, workspace = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8), np.zeros(1 << 14, np.int8)
        arguments = [*map(np.ascontiguousarray, one.inputs(x)), y, workspace]
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in arguments))
        np.testing.assert_array_equal(y, one.expected(x), one.text)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees(compiler: str) -> None:
    rng = np.random.default_rng(25)
    emulated(rng, tiles(rng, 12, 40), compiler)

"""Random convolutions to bytes whose ends are products of floats, against numpy: portable C, assembly."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import STRICT, UBSAN, library
from random_windows import Window, bytes_for, emulated, in_floats, tile, tile_of_rows, window, window_of_rows

_Kind = Callable[[str], Window]


def cases(rng: np.random.Generator, count: int) -> list[Window]:
    """As many of each kind."""
    kinds: Sequence[_Kind] = (
        lambda name: tile(rng, name, 20),
        lambda name: tile_of_rows(rng, name, 20),
        lambda name: window(rng, name),
        lambda name: window(rng, name, order="reversed"),
        lambda name: window_of_rows(rng, name),
    )
    return [in_floats(rng, kinds[n % len(kinds)](f"f{n}")) for n in range(count * len(kinds))]


def test_portable_c_agrees(tmp_path: Path) -> None:
    rng = np.random.default_rng(40)
    made = cases(rng, sweeps.size(4, long=6))
    text = "".join(one.text for one in made)
    functions, source = library(tmp_path, text, "lower-tasks,usmp,emit-c", (*UBSAN, *STRICT))
    assert source.count("_real_") > len(made)
    assert all(name in source for name in ("_real_5", "_real_less_128"))
    for number, one in enumerate(made):
        x, y, workspace = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8), np.zeros(1 << 14, np.int8)
        arguments = [*map(np.ascontiguousarray, one.inputs(x)), y, workspace]
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in arguments))
        np.testing.assert_array_equal(y, one.expected(x), one.text)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees(compiler: str) -> None:
    rng = np.random.default_rng(41)
    emulated(rng, cases(rng, sweeps.size(2, long=3)), compiler)

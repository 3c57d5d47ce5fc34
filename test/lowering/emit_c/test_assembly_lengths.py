"""The texts of assembly are no longer than C99 lets a string be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

MOST = 4095
TILES = [
    f"simd.tile_bytes {signs} %x[%i] {count} unroll {unroll}, %w[%i] 1, %y[%i, %i, %i] {along} : "
    "memref<64xi32>, memref<144xi32>, memref<2x4x1023xi8>"
    for signs, most in (
        ("", 16),
        ("unsigned", 16),
        ("signed unsigned", 15),
        ("bytes", 15),
        ("bytes signed unsigned", 14),
    )
    for along in ("", "along 0", "along 1")
    for count, unroll in ((most, most), (2 * most, most), (2 * most - 1, most - 1))
]


@pytest.mark.parametrize("op", TILES)
def test_a_string_is_short_enough(op: str, c_text: Callable[[str], str]) -> None:
    arguments = "%x: memref<64xi32>, %w: memref<144xi32>, %y: memref<2x4x1023xi8>, %i: index"
    source = c_text(f"func.func @f({arguments}) {{\n  {op}\n  func.return\n}}")
    found = re.findall(r'(?:\s*"(?:[^"\\]|\\.)*")+', source)
    lengths = [sum(len(part.replace("\\n", "n")) for part in re.findall(r'"((?:[^"\\]|\\.)*)"', one)) for one in found]
    assert 1000 < max(lengths) <= MOST

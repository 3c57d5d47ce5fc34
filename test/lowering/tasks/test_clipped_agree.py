"""Indices that leave their buffers in unusual ways, against sums over the points that are inside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stillpool

POINTS, ELEMENTS, TAPS = 12, 3, 2
NEST = """
func.func @f(%x: memref<3xi8>, %y: memref<12xi32>, %n: memref<12xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(o = 12) fold(k = 2) where(WHERE)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[READ] : memref<3xi8>) into (%acc : i32) {
      %wide = arith.extsi %v : i8 to i32
      %next = arith.addi %acc, %wide : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      %taps = task.taps
      %count = arith.index_cast %taps : index to i32
      task.yield %sum, %count : i32, i32
    }
    writes (%y[o] : memref<12xi32>, %n[o] : memref<12xi32>)
  func.return
}
"""


@pytest.mark.parametrize(
    ("where", "read", "place"),
    [
        # Most windows lie outside as a whole.
        ("i = o + k - 5", "i", lambda o, k: o + k - 5),
        # The fold is met by name and directly.
        ("i = o + k - 5", "i + k", lambda o, k: o + 2 * k - 5),
        ("j = o + 2 * k - 5, i = j - k", "i", lambda o, k: o + k - 5),
    ],
)
def test_points_that_are_inside_count(where: str, read: str, place: Callable[[int, int], int], tmp_path: Path) -> None:
    (tmp_path / "f.mlir").write_text(NEST.replace("WHERE", where).replace("READ", read))
    x = np.array([3, -7, 100], np.int8)
    taps = [[p for k in range(TAPS) if 0 <= (p := place(o, k)) < ELEMENTS] for o in range(POINTS)]
    found = stillpool.compile(stillpool.load(tmp_path / "f.mlir")).run({"x": x})
    np.testing.assert_array_equal(found["y"], [sum(int(x[p]) for p in inside) for inside in taps])
    np.testing.assert_array_equal(found["n"], [len(inside) for inside in taps])

"""Floats that are rounded and limited as Cortex-M4 gets them, their portable C on the host: as C's `roundf` would."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from libraries import STRICT, UBSAN, library

_LOW = (0, 1, 0x7FFF, 0x8000, 0xFFFF)
"""Lower halves of floats, of which there are all upper ones."""
COUNT = 65536 * len(_LOW) + 4096
LEAST, MOST = -125, 130

TEXT = f"""
func.func @quantise(%x: memref<{COUNT}xf32>, %y: memref<{COUNT}xi32>) {{
  %least = arith.constant {LEAST}.0 : f32
  %most = arith.constant {MOST}.0 : f32
  task.nest space(i = {COUNT})
    finish (%v = %x[i] : memref<{COUNT}xf32>) {{
      %rounded = math.round %v : f32
      %above = arith.cmpf ogt, %rounded, %least : f32
      %raised = arith.select %above, %rounded, %least : f32
      %below = arith.cmpf olt, %raised, %most : f32
      %limited = arith.select %below, %raised, %most : f32
      %steps = arith.fptosi %limited : f32 to i32
      task.yield %steps : i32
    }}
    writes (%y[i] : memref<{COUNT}xi32>)
  func.return
}}
"""


def test_rounded_floats_agree(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    halves = np.arange(-300, 300, dtype=np.float32) / 2
    beside = [np.nextafter(halves, np.float32(end)) for end in (-np.inf, np.inf)]
    special = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, -0.0, 0.49999997], np.float32)
    every = ((np.arange(65536, dtype=np.uint32) << 16)[:, None] | np.array(_LOW, np.uint32)).reshape(-1)
    found = np.concatenate([halves, *beside, special, every.view(np.float32)]).astype(np.float32)
    x = np.concatenate([found, rng.normal(0, 90, COUNT - len(found)).astype(np.float32)])
    functions, source = library(
        tmp_path,
        TEXT,
        "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4},scale-sums,lower-tasks,usmp,emit-c",
        (*STRICT, *UBSAN),
    )
    assert "roundf" not in source
    y = np.zeros(COUNT, np.int32)
    functions.quantise(*(each.ctypes.data_as(ctypes.c_void_p) for each in (x, y)))
    wide = np.clip(np.where(np.isnan(x), LEAST, x), -1000, 1000).astype(np.float64)
    expected = np.clip(np.sign(wide) * np.floor(np.abs(wide) + 0.5), LEAST, MOST)
    assert (y == expected).all()

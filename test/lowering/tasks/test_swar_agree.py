"""Random convolutions whose sums share words, two by two, their portable C on the host, against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from libraries import library

CASES = [6, pytest.param(16, marks=pytest.mark.sweep)]
CHANNELS = 4


def convolution(rng: np.random.Generator, name: str) -> tuple[str, dict[str, int], np.ndarray]:
    """A function, its extents and its weights: clipped or not, with all numbers of channels and fold points."""
    e = {key: int(rng.integers(1, 8)) for key in ("w", "ic", "k", "oc")}
    e |= {"p": int(rng.integers(0, e["k"])), "s": int(rng.integers(1, 3)), "zp": int(rng.integers(-128, 128))}
    e |= {"o": (e["w"] - 1 + e["p"]) // e["s"] + 1}
    # The largest products of both signs are met often.
    weights = rng.choice([-127, 127, -1, 0, 64], (e["oc"], e["k"], e["ic"])).astype(np.int8)
    shapes = {"i8": (e["w"], e["ic"]), "i32": (e["o"], e["oc"])}
    x, y = (f"memref<{'x'.join(map(str, shape))}x{type}>" for type, shape in shapes.items())
    w = "x".join([*map(str, weights.shape), "i8"])
    value = f"dense<{weights.tolist()}> : tensor<{w}>"
    w = f"memref<{w}>"
    run = int(rng.integers(1, 3))
    tile = "jam oc" if e["oc"] <= CHANNELS else "split oc 4, order (o, oc_o, oc_i, k, ic), jam oc_i"
    collect = ", collect" if rng.integers(0, 2) else ""
    text = f"""
"memref.global"() <{{sym_name = "{name}_w", type = {w}, initial_value = {value},
  sym_visibility = "private", constant}}> : () -> ()
func.func @{name}(%x: {x}, %y: {y}) {{
  %start = arith.constant {int(rng.integers(-999, 999))} : i32
  %zp = arith.constant {e["zp"]} : i32
  %w = memref.get_global @{name}_w : {w}
  task.nest space(o = {e["o"]}, oc = {e["oc"]}) fold(k = {e["k"]}, ic = {e["ic"]})
    where(x0 = o * {e["s"]} - {e["p"]}, ix = x0 + k)
    start () {{
      task.yield %start : i32
    }}
    step (%v = clip %x[ix, ic] : {x}, %u = %w[oc, k, ic] : {w}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      %0 = arith.subi %sum, %start : i32
      task.yield %0 : i32
    }}
    writes (%y[o, oc] : {y})
    schedule <{tile}, swar {run}{collect}>
  func.return
}}
"""
    return text, e, weights


def expected(x: np.ndarray, weights: np.ndarray, e: dict[str, int]) -> np.ndarray:
    y = np.zeros((e["o"], e["oc"]), np.int64)
    for o, k in np.ndindex(e["o"], e["k"]):
        ix = o * e["s"] - e["p"] + k
        if 0 <= ix < e["w"]:
            y[o] += weights[:, k].astype(np.int64) @ (x[ix].astype(np.int64) - e["zp"])
    return y.astype(np.int32)


@pytest.mark.parametrize("count", CASES)
def test_swar_agrees(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(5)
    cases = [convolution(rng, f"f{number}") for number in range(count)]
    text = "".join(text for text, _, _ in cases)
    functions, source = library(tmp_path, text, "usmp,emit-c")
    assert source.count("simd_swar_products(") > count
    scratch = np.zeros(1 << 14, np.uint8)
    for number, (text, e, weights) in enumerate(cases):
        x = rng.choice([-128, 127, 5], (e["w"], e["ic"])).astype(np.int8)
        y = np.full((e["o"], e["oc"]), 12345, np.int32)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y, scratch)]
        getattr(functions, f"f{number}")(*pointers)
        np.testing.assert_array_equal(y, expected(x, weights, e), text)

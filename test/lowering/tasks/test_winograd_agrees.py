"""Random convolutions with `winograd`, their portable C on the host, against numpy: the same integers."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import STRICT, UBSAN, library

CASES = [
    (2016, 4, False),
    (45, 1, True),
    pytest.param(2017, sweeps.size(4, long=24), False, marks=pytest.mark.sweep, id="many"),
    pytest.param(2018, sweeps.size(4, long=24), True, marks=pytest.mark.sweep, id="many turned"),
]
"""Seeds, how many convolutions of each, and whether rows come from the last one on."""


def convolution(rng: np.random.Generator, name: str, *, turned: bool) -> tuple[str, dict[str, int], np.ndarray]:
    """A function, its extents and its weights; all kinds of borders, odd extents and tiles."""
    kinds = [("oy", "ox"), ("oy",), ("ox",), ("ox", "oy")]
    dims = ("ox",) if turned else kinds[rng.choice(4, p=[0.5, 0.15, 0.2, 0.15])]
    e = {key: int(rng.integers(2, 9)) for key in ("h", "w")}
    e |= {"kh": 3 if "oy" in dims else int(rng.integers(1, 4)), "kw": 3 if "ox" in dims else int(rng.integers(1, 4))}
    e |= {"k": 4 * int(rng.integers(1, 4)), "c": int(rng.integers(1, 10)), "zp": int(rng.integers(-128, 128))}
    e |= {"py": int(rng.integers(0, e["kh"])), "px": int(rng.integers(0, e["kw"]))}
    # At least one point of every window lies inside, and no more than one row of zero points is beyond the end.
    e |= {"oh": e["h"] - 1 + e["py"] + 1, "ow": e["w"] - 1 + e["px"] + 1}
    for out, size, taps, pad in (("oh", "h", "kh", "py"), ("ow", "w", "kw", "px")):
        if rng.integers(0, 2):
            e[out] = max(1, e[size] + e[pad] - e[taps] + 1)
    e["turned"] = int(turned)
    y0 = f"{e['oh'] - 1 - e['py']} - oy" if turned else f"oy - {e['py']}"
    weights = rng.choice([-128, 127], (e["c"], e["kh"], e["kw"], e["k"])).astype(np.int8)
    if rng.integers(0, 2):
        weights = rng.integers(-128, 128, weights.shape).astype(np.int8)
    bias = rng.integers(-(2**20), 2**20, e["c"]).astype(np.int32)
    x, y = f"memref<{e['h']}x{e['w']}x{e['k']}xi8>", f"memref<{e['oh']}x{e['ow']}x{e['c']}xi32>"
    w, b = f"memref<{'x'.join(map(str, weights.shape))}xi8>", f"memref<{e['c']}xi32>"
    steps, jammed, outer = [], [], ["oy", "ox", "c"]
    sizes = {dim: int(rng.choice([2, 4])) for dim in dims} | {"c": int(rng.integers(1, 5))}
    for dim, size in sizes.items():
        extent = e[{"oy": "oh", "ox": "ow", "c": "c"}[dim]]
        if extent <= size:
            jammed.append(dim)
            outer.remove(dim)
        elif size > 1:
            steps.append(f"split {dim} {size}")
            jammed.append(f"{dim}_i")
            outer[outer.index(dim)] = f"{dim}_o"
    if not jammed or not set(dims) <= {each.removesuffix("_i") for each in jammed}:
        raise AssertionError("all dimensions of the step are jammed")
    steps.append(f"order ({', '.join([*outer, *jammed, 'ky', 'kx', 'k'])})")
    steps += [*(f"jam {dim}" for dim in jammed), f"winograd ({', '.join(dims)}) {int(rng.integers(1, 5))}"]
    double = "%twice = arith.constant 2 : i32\n    %0 = arith.muli %sum, %twice : i32"
    finish = double if rng.integers(0, 2) else "%0 = arith.addi %sum, %start : i32"
    e["double"] = int(finish == double)
    values = {"w": (w, weights), "b": (b, bias)}
    made = "".join(
        f'"memref.global"() <{{sym_name = "{name}_{key}", type = {type}, sym_visibility = "private", constant,\n'
        f"  initial_value = dense<{value.tolist()}> : {type.replace('memref', 'tensor')}}}> : () -> ()\n"
        for key, (type, value) in values.items()
    )
    text = f"""
{made}func.func @{name}(%x: {x}, %y: {y}) {{
  %start = arith.constant 0 : i32
  %zp = arith.constant {e["zp"]} : i32
  %w = memref.get_global @{name}_w : {w}
  %b = memref.get_global @{name}_b : {b}
  task.nest space(oy = {e["oh"]}, ox = {e["ow"]}, c = {e["c"]}) fold(ky = {e["kh"]}, kx = {e["kw"]}, k = {e["k"]})
    where(y0 = {y0}, x0 = ox - {e["px"]}, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : {b}) {{
      task.yield %bias : i32
    }}
    step (%v = clip %x[iy, ix, k] : {x}, %u = %w[c, ky, kx, k] : {w}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      {finish}
      task.yield %0 : i32
    }}
    writes (%y[oy, ox, c] : {y})
    schedule <{", ".join(steps)}>
  func.return
}}
"""
    e["bias"] = bias  # type: ignore[assignment]
    return text, e, weights


def expected(x: np.ndarray, weights: np.ndarray, e: dict) -> np.ndarray:
    y = np.zeros((e["oh"], e["ow"], e["c"]), np.int64) + e["bias"]
    for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
        iy, ix = (e["oh"] - 1 - oy if e["turned"] else oy) - e["py"] + ky, ox - e["px"] + kx
        if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
            y[oy, ox] += weights[:, ky, kx].astype(np.int64) @ (x[iy, ix].astype(np.int64) - e["zp"])
    return (y << e["double"]).astype(np.int32)


@pytest.mark.parametrize(("seed", "count", "turned"), CASES)
def test_winograd_agrees(seed: int, count: int, turned: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = [convolution(rng, f"f{number}", turned=turned) for number in range(count)]
    text = "".join(text for text, _, _ in cases)
    functions, source = library(tmp_path, text, "lower-tasks,usmp,emit-c", (*STRICT, *UBSAN))
    assert source.count("simd_dual_subtract(") > count
    for number, (text, e, weights) in enumerate(cases):
        x = rng.choice([-128, 127], (e["h"], e["w"], e["k"])).astype(np.int8)
        if rng.integers(0, 2):
            x = rng.integers(-128, 128, x.shape).astype(np.int8)
        y, workspace = np.full((e["oh"], e["ow"], e["c"]), 12345, np.int32), np.zeros(16384, np.int8)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y, workspace)))
        np.testing.assert_array_equal(y, expected(x, weights, e), text)

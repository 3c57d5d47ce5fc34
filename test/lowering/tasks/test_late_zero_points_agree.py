"""Random convolutions whose zero points are read, one for each image, with all steps of words, against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import library
from random_convolutions import constant, extents

CASES = [
    pytest.param(sweeps.size(4, long=6), id="6"),
    pytest.param(sweeps.size(5, long=24), marks=pytest.mark.sweep, id="24"),
]
SEED = 2914
"""With it each kind of steps meets blocks and single ones, sums that are collected, and images and points side by side
where it can."""
STEPS = {
    "dual": ("split c 4", "dual {run} 2"),
    "bytes": ("split c 4", "dual {run} 2 bytes"),
    "nibbles": ("split c 4", "dual {run} 2 nibbles"),
    "single": ("split c 2", "single {run} 2"),
    "unsigned": ("split c 2", "single {run} 2 unsigned"),
    "swar": ("split c 4", "swar {run}"),
}


def convolution(
    rng: np.random.Generator, name: str, split: str, step: str, most: int
) -> tuple[str, dict[str, int], np.ndarray]:
    """A function, its extents and its weights, magnitudes of at most `most`."""
    e = extents(rng) | {"n": int(rng.integers(1, 4))}
    weights = rng.integers(-most, most + 1, (e["co"], e["kh"], e["kw"], e["ci"])).astype(np.int8)
    size = int(split[-1])
    steps = [split, "order (n, oy, ox, c_o, c_i, ky, kx, k)", "jam c_i"] if e["co"] > size else ["jam c"]
    if rng.integers(0, 2) and "swar" not in step:
        # Images side by side have a zero point each.
        jammed = rng.choice([dim for dim in ("n", "ox") if e["n" if dim == "n" else "ow"] > 1] or [""])
        if jammed and e["n" if jammed == "n" else "ow"] <= 3:
            outer = [dim for dim in ("n", "oy", "ox") if dim != jammed]
            c = ["c_o", jammed, "c_i"] if e["co"] > size else [jammed, "c"]
            order = f"order ({', '.join([*outer, *c])}, ky, kx, k)"
            steps = [*([split] if e["co"] > size else []), order, f"jam {jammed}", f"jam {c[-1]}"]
    if rng.integers(0, 3) == 0:
        steps.append("collect")
    steps.append(step.format(run=int(rng.integers(1, 4))))
    x, y = f"memref<{e['n']}x{e['h']}x{e['w']}x{e['ci']}xi8>", f"memref<{e['n']}x{e['oh']}x{e['ow']}x{e['co']}xi32>"
    w, z = f"memref<{'x'.join(map(str, weights.shape))}xi8>", f"memref<{e['n']}xi32>"
    return (
        constant(f"{name}_w", weights)
        + f"""
func.func @{name}(%x: {x}, %z: {z}, %y: {y}) {{
  %start = arith.constant 0 : i32
  %w = memref.get_global @{name}_w : {w}
  task.nest space(n = {e["n"]}, oy = {e["oh"]}, ox = {e["ow"]}, c = {e["co"]})
    fold(ky = {e["kh"]}, kx = {e["kw"]}, k = {e["ci"]})
    where(y0 = oy * {e["s"]} - {e["py"]}, x0 = ox * {e["s"]} - {e["px"]},
      iy = y0 + {e["d"]} * ky, ix = x0 + {e["d"]} * kx)
    start () {{
      task.yield %start : i32
    }}
    step (%v = clip %x[n, iy, ix, k] : {x}, %u = %w[c, ky, kx, k] : {w}, %zp = %z[n] : {z}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}
    writes (%y[n, oy, ox, c] : {y})
    schedule <{", ".join(steps)}>
  func.return
}}
""",
        e,
        weights,
    )


def expected(x: np.ndarray, zero_points: np.ndarray, weights: np.ndarray, e: dict[str, int]) -> np.ndarray:
    y = np.zeros((e["n"], e["oh"], e["ow"], e["co"]), np.int32)
    for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
        iy, ix = oy * e["s"] - e["py"] + e["d"] * ky, ox * e["s"] - e["px"] + e["d"] * kx
        if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
            y[:, oy, ox] += (x[:, iy, ix].astype(np.int32) - zero_points[:, None]) @ weights[:, ky, kx].T.astype(
                np.int32
            )
    return y


@pytest.mark.parametrize("kind", STEPS)
@pytest.mark.parametrize("count", CASES)
def test_zero_points_that_are_read_agree(kind: str, tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng([list(STEPS).index(kind), count, SEED])
    # Four bits hold some weights, and products of two points fit 16 bits for small ones.
    most = {"nibbles": 7, "swar": 60}.get(kind, 128)
    cases = [convolution(rng, f"f{number}", *STEPS[kind], min(most, 127)) for number in range(count)]
    functions, _ = library(tmp_path, "".join(text for text, _, _ in cases), "scale-sums,lower-tasks,usmp,emit-c")
    for number, (text, e, weights) in enumerate(cases):
        x = rng.integers(-128, 128, (e["n"], e["h"], e["w"], e["ci"])).astype(np.int8)
        zero_points = rng.choice([-128, 127, *rng.integers(-128, 128, 4)], e["n"]).astype(np.int32)
        y, workspace = np.full((e["n"], e["oh"], e["ow"], e["co"]), 99, np.int32), np.zeros(1 << 14, np.int8)
        arguments = (x, zero_points, y, workspace)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in arguments))
        np.testing.assert_array_equal(y, expected(x, zero_points, weights, e), text)

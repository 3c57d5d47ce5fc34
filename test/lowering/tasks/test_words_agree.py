"""Random depthwise convolutions whose channels are read in words, their portable C on the host, against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from libraries import library

CASES = [6, pytest.param(16, marks=pytest.mark.sweep)]


def convolution(rng: np.random.Generator, name: str) -> tuple[str, dict[str, int], np.ndarray]:
    """A function, its extents and its weights; all kinds of borders."""
    e = {key: int(rng.integers(1, 8)) for key in ("h", "w")}
    e |= {key: int(rng.integers(1, 5)) for key in ("kh", "kw")}
    e |= {"c": int(rng.integers(4, 11)), "s": int(rng.integers(1, 3)), "zp": int(rng.integers(-128, 128))}
    e |= {"py": int(rng.integers(0, e["kh"])), "px": int(rng.integers(0, e["kw"]))}
    # At least one point of every window lies inside.
    e |= {"oh": (e["h"] - 1 + e["py"]) // e["s"] + 1, "ow": (e["w"] - 1 + e["px"]) // e["s"] + 1}
    weights = rng.integers(-128, 128, (e["kh"], e["kw"], e["c"])).astype(np.int8)
    shapes = {"i8": (e["h"], e["w"], e["c"]), "i32": (e["oh"], e["ow"], e["c"])}
    x, y = (f"memref<{'x'.join(map(str, shape))}x{type}>" for type, shape in shapes.items())
    w = "x".join([*map(str, weights.shape), "i8"])
    value = f"dense<{weights.tolist()}> : tensor<{w}>"
    w = f"memref<{w}>"
    extents = {"oy": ("py", "oh", "kh", "h"), "ox": ("px", "ow", "kw", "w")}
    sizes = {dim: [e[key] for key in keys] for dim, keys in extents.items()}
    clipped = [dim for dim, (pad, out, k, extent) in sizes.items() if pad or (out - 1) * e["s"] + k - pad > extent]
    words = " ".join(["words", *rng.choice(["", *clipped], 1)]).strip()
    if e["c"] % 4 == 0 and rng.integers(0, 2):
        words = rng.choice(["quads", "quads, collect"])
    steps = f"jam c, {words}" if e["c"] == 4 else f"split c 4, order (oy, ox, c_o, c_i, ky, kx), jam c_i, {words}"
    text = f"""
"memref.global"() <{{sym_name = "{name}_w", type = {w}, initial_value = {value},
  sym_visibility = "private", constant}}> : () -> ()
func.func @{name}(%x: {x}, %y: {y}) {{
  %start = arith.constant {int(rng.integers(-999, 999))} : i32
  %zp = arith.constant {e["zp"]} : i32
  %w = memref.get_global @{name}_w : {w}
  task.nest space(oy = {e["oh"]}, ox = {e["ow"]}, c = {e["c"]}) fold(ky = {e["kh"]}, kx = {e["kw"]})
    where(y0 = oy * {e["s"]} - {e["py"]}, x0 = ox * {e["s"]} - {e["px"]}, iy = y0 + ky, ix = x0 + kx)
    start () {{
      task.yield %start : i32
    }}
    step (%v = clip %x[iy, ix, c] : {x}, %u = %w[ky, kx, c] : {w}) into (%acc : i32) {{
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
    writes (%y[oy, ox, c] : {y})
    schedule <{steps}>
  func.return
}}
"""
    return text, e, weights


def expected(x: np.ndarray, weights: np.ndarray, e: dict[str, int]) -> np.ndarray:
    y = np.zeros((e["oh"], e["ow"], e["c"]), np.int64)
    for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
        iy, ix = oy * e["s"] - e["py"] + ky, ox * e["s"] - e["px"] + kx
        if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
            y[oy, ox] += (x[iy, ix].astype(np.int64) - e["zp"]) * weights[ky, kx]
    return y.astype(np.int32)


@pytest.mark.parametrize("count", CASES)
def test_words_agree(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(11)
    cases = [convolution(rng, f"f{number}") for number in range(count)]
    text = "".join(text for text, _, _ in cases)
    functions, source = library(tmp_path, text, "scale-sums,lower-tasks,emit-c")
    assert source.count("simd_load_bytes(") > count
    for number, (text, e, weights) in enumerate(cases):
        x = rng.integers(-128, 128, (e["h"], e["w"], e["c"])).astype(np.int8)
        y = np.full((e["oh"], e["ow"], e["c"]), 12345, np.int32)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y)))
        np.testing.assert_array_equal(y, expected(x, weights, e), text)

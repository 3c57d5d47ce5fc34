"""Random convolutions with schedules, dense and depthwise, and what numpy says they give."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

Schedule: TypeAlias = Callable[[np.random.Generator, int, str, bool], str]

ADD_PRODUCT = """\
%0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32"""
"""What the step of a nest does with an element and a weight."""
TO_BYTES = """\
finish (%mul = %m[c] : {m}, %right = %n[c] : {n}) of (%sum : i32) {{
      %0 = arith.muli %sum, %two overflow<nsw> : i32
      %1 = simd.multiply_high_add %0, %mul, %zp
      %2 = arith.extsi %right : i8 to i32
      %3 = arith.shrsi %1, %2 : i32
      %4 = simd.saturate %3 8
      %5 = arith.trunci %4 : i32 to i8
      task.yield %5 : i8
    }}"""
"""The end of a nest, of constants `m` and `n` by their types, and what is added, `%zp`."""


def constant(name: str, numbers: np.ndarray) -> str:
    shape, bits = "x".join(map(str, numbers.shape)), 8 * numbers.itemsize
    return f"""
"memref.global"() <{{sym_name = "{name}", type = memref<{shape}xi{bits}>,
  initial_value = dense<{numbers.tolist()}> : tensor<{shape}xi{bits}>,
  sym_visibility = "private", constant}}> : () -> ()
"""


def extents(rng: np.random.Generator) -> dict[str, int]:
    e = {key: int(rng.integers(1, 8)) for key in ("h", "w")}
    e |= {key: int(rng.integers(1, 5)) for key in ("kh", "kw")}
    e |= {"co": int(rng.integers(1, 11)), "s": int(rng.integers(1, 3)), "d": int(rng.integers(1, 3))}
    e |= {"ci": int(rng.choice([1, 2, 3, 8, 16, 20, 40])), "zp": int(rng.integers(-128, 128))}
    reach = {key: (e[key] - 1) * e["d"] for key in ("kh", "kw")}
    e |= {"py": int(rng.integers(0, reach["kh"] + 1)), "px": int(rng.integers(0, reach["kw"] + 1))}
    # At least one point of every window begins inside.
    return e | {"oh": (e["h"] - 1 + e["py"]) // e["s"] + 1, "ow": (e["w"] - 1 + e["px"]) // e["s"] + 1}


def convolution(
    rng: np.random.Generator, name: str, *, depthwise: bool, schedule: Schedule
) -> tuple[str, dict[str, int], dict[str, np.ndarray]]:
    """A function, its extents and its constants.

    `schedule` says the steps by the output channels, the names of the fold dimensions, and whether channels stay apart.
    """
    e = extents(rng)
    if depthwise:
        e["ci"] = e["co"] = max(4, e["co"])
    shape = (e["kh"], e["kw"], e["co"]) if depthwise else (e["co"], e["kh"], e["kw"], e["ci"])
    numbers = {
        "w": rng.integers(-128, 128, shape).astype(np.int8),
        "b": rng.integers(-9999, 9999, e["co"]).astype(np.int32),
        "m": rng.integers(0, 1 << 31, e["co"]).astype(np.int32),
        "n": rng.integers(0, 12, e["co"]).astype(np.int8),
    }
    types = {key: f"memref<{'x'.join(map(str, value.shape))}xi{8 * value.itemsize}>" for key, value in numbers.items()}
    x, y = f"memref<{e['h']}x{e['w']}x{e['ci']}xi8>", f"memref<{e['oh']}x{e['ow']}x{e['co']}xi8>"
    if depthwise:
        fold, at, weight, folds = "", "c", "ky, kx, c", "ky, kx"
    else:
        fold, at, weight, folds = f", k = {e['ci']}", "k", "c, ky, kx, k", "ky, kx, k"
    text = "".join(constant(f"{name}_{key}", value) for key, value in numbers.items())
    gets = "".join(f"  %{key} = memref.get_global @{name}_{key} : {type}\n" for key, type in types.items())
    text += f"""
func.func @{name}(%x: {x}, %y: {y}) {{
  %zp = arith.constant {e["zp"]} : i32
  %two = arith.constant 2 : i32
{gets}
  task.nest space(oy = {e["oh"]}, ox = {e["ow"]}, c = {e["co"]}) fold(ky = {e["kh"]}, kx = {e["kw"]}{fold})
    where(y0 = oy * {e["s"]} - {e["py"]}, x0 = ox * {e["s"]} - {e["px"]},
      iy = y0 + {e["d"]} * ky, ix = x0 + {e["d"]} * kx)
    start (%bias = %b[c] : {types["b"]}) {{
      task.yield %bias : i32
    }}
    step (%v = clip %x[iy, ix, {at}] : {x}, %u = %w[{weight}] : {types["w"]}) into (%acc : i32) {{
      {ADD_PRODUCT}
    }}
    {TO_BYTES.format(**types)}
    writes (%y[oy, ox, c] : {y})
    schedule <{schedule(rng, e["co"], folds, depthwise)}>
  func.return
}}
"""
    return text, e, numbers


def expected(x: np.ndarray, e: dict[str, int], numbers: dict[str, np.ndarray]) -> np.ndarray:
    sums = np.zeros((e["oh"], e["ow"], e["co"]), np.int64) + numbers["b"]
    weights = numbers["w"].astype(np.int64)
    for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
        iy, ix = oy * e["s"] - e["py"] + e["d"] * ky, ox * e["s"] - e["px"] + e["d"] * kx
        if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
            values = x[iy, ix].astype(np.int64) - e["zp"]
            sums[oy, ox] += values * weights[ky, kx] if weights.ndim == 3 else weights[:, ky, kx] @ values
    return bytes_of(sums, numbers, e["zp"])


def bytes_of(sums: np.ndarray, numbers: dict[str, np.ndarray], added: int) -> np.ndarray:
    """What `TO_BYTES` makes of sums."""
    high = ((2 * sums * numbers["m"] + (1 << 31)) >> 32) + added
    return np.clip(high >> numbers["n"], -128, 127).astype(np.int8)


def image(rng: np.random.Generator, e: dict[str, int]) -> np.ndarray:
    """A random one."""
    return rng.integers(-128, 128, (e["h"], e["w"], e["ci"])).astype(np.int8)


def check(library: ctypes.CDLL, cases: Sequence[tuple[str, dict[str, int], dict[str, np.ndarray]]], seed: int) -> None:
    """Run every function of a library with random images, and compare."""
    rng = np.random.default_rng(seed)
    for number, (text, e, numbers) in enumerate(cases):
        x = image(rng, e)
        y, workspace = np.full((e["oh"], e["ow"], e["co"]), 99, np.int8), np.zeros(4096, np.int8)
        getattr(library, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y, workspace)))
        np.testing.assert_array_equal(y, expected(x, e, numbers), text)

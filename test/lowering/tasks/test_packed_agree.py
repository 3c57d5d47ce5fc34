"""Random nests whose points are bytes of words, their portable C on the host, against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from libraries import STRICT, UBSAN, library

CASES = 10


def pooling(rng: np.random.Generator, name: str, channels: int, *, unsigned: bool) -> tuple[str, tuple[int, ...]]:
    """Extremes of windows that leave the input on both sides."""
    pixels, taps, stride = int(rng.integers(4, 9)), int(rng.integers(1, 4)), int(rng.integers(1, 3))
    is_maximum, pad = bool(rng.integers(0, 2)), int(rng.integers(0, taps))
    start = (0 if is_maximum else 255) if unsigned else (-128 if is_maximum else 127)
    start += int(rng.integers(0, 2)) * (9 if is_maximum else -9)
    limit = int(rng.integers(20, 90))
    count = (pixels - 1 + pad) // stride + 1
    x, y = f"memref<{pixels}x{channels}xi8>", f"memref<{count}x{channels}xi8>"
    steps = f"split c 4, order (p, c_o, c_i, k), jam c_i, {rng.choice(['whole, packed', 'packed'])}"
    steps = steps.replace("split c 4, order (p, c_o, c_i, k), jam c_i", "jam c") if channels == 4 else steps
    function = "maxsi" if is_maximum else "minsi"
    text = f"""
func.func @{name}(%x: {x}, %y: {y}) {{
  %start = arith.constant {start} : i32
  %limit = arith.constant {limit} : i32
  task.nest space(p = {count}, c = {channels}) fold(k = {taps}) where(at = p * {stride} + k - {pad})
    start () {{
      task.yield %start : i32
    }}
    step (%v = clip %x[at, c] : {x}) into (%acc : i32) {{
      %wide = arith.ext{"ui" if unsigned else "si"} %v : i8 to i32
      %next = arith.{function} %acc, %wide : i32
      task.yield %next : i32
    }}
    finish () of (%found : i32) {{
      %limited = arith.maxsi %found, %limit : i32
      %byte = arith.trunci %limited : i32 to i8
      task.yield %byte : i8
    }}
    writes (%y[p, c] : {y})
    schedule <{steps}>
  func.return
}}
"""
    return text, (pixels, count, taps, stride, pad, start, limit, is_maximum)


def test_extremes_agree(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    cases = [(int(rng.integers(1, 4)) * 2 + 2, bool(n % 2)) for n in range(CASES)]
    made = [pooling(rng, f"f{n}", channels, unsigned=unsigned) for n, (channels, unsigned) in enumerate(cases)]
    text = "".join(text for text, _ in made)
    functions, source = library(tmp_path, text, "lower-tasks,usmp,emit-c", (*STRICT, *UBSAN))
    assert source.count("simd_store_bytes(") > CASES
    for number, ((channels, unsigned), (_, numbers)) in enumerate(zip(cases, made, strict=True)):
        pixels, count, taps, stride, pad, start, limit, is_maximum = numbers
        kind = np.uint8 if unsigned else np.int8
        x = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, (pixels, channels)).astype(kind)
        y = np.zeros((count, channels), kind)
        getattr(functions, f"f{number}")(*(each.ctypes.data_as(ctypes.c_void_p) for each in (x, y)))
        chosen = np.maximum if is_maximum else np.minimum
        expected = np.full((count, channels), start)
        for p in range(count):
            for k in range(taps):
                at = p * stride + k - pad
                if 0 <= at < pixels:
                    expected[p] = chosen(expected[p], x[at].astype(int))
        assert (y == np.maximum(expected, limit).astype(kind)).all(), number


def product(
    rng: np.random.Generator, name: str, extents: tuple[int, int], unsigned: tuple[bool, bool]
) -> tuple[str, list[int]]:
    """Products of rows with one row, less zero points, which are part of neither's bytes."""
    rows, columns = extents
    zeros = [int(rng.integers(0, 256)) - (0 if one else 128) for one in unsigned]
    x, y = f"memref<{rows}x{columns}xi8>", f"memref<{columns}xi8>"
    z = f"memref<{rows}x{columns}xi32>"
    a, b = (f"ext{'ui' if one else 'si'}" for one in unsigned)
    return (
        f"""
func.func @{name}(%x: {x}, %y: {y}, %z: {z}) {{
  %a = arith.constant {zeros[0]} : i32
  %b = arith.constant {zeros[1]} : i32
  task.nest space(r = {rows}, c = {columns})
    finish (%0 = %x[r, c] : {x}, %1 = %y[c] : {y}) {{
      %2 = arith.{a} %0 : i8 to i32
      %3 = arith.subi %2, %a : i32
      %4 = arith.addi %3, %3 : i32
      %5 = arith.{b} %1 : i8 to i32
      %6 = arith.subi %5, %b : i32
      %7 = arith.muli %4, %6 : i32
      task.yield %7 : i32
    }}
    writes (%z[r, c] : {z})
    schedule <split c 4, order (r, c_o, c_i), jam c_i, packed>
  func.return
}}
""",
        zeros,
    )


def test_products_agree(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    cases = [((int(rng.integers(1, 4)), int(rng.integers(5, 14))), (bool(n & 1), bool(n & 2))) for n in range(CASES)]
    made = [product(rng, f"f{number}", *case) for number, case in enumerate(cases)]
    text = "".join(text for text, _ in made)
    functions, source = library(tmp_path, text, "lower-tasks,usmp,emit-c", (*STRICT, *UBSAN))
    assert source.count("simd_dual_add(") > CASES
    for number, ((shape, unsigned), (_, zeros)) in enumerate(zip(cases, made, strict=True)):
        kinds = [np.uint8 if one else np.int8 for one in unsigned]
        x, y = (
            rng.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, size).astype(kind)
            for kind, size in zip(kinds, (shape, shape[1:]), strict=True)
        )
        z = np.zeros(shape, np.int32)
        getattr(functions, f"f{number}")(*(each.ctypes.data_as(ctypes.c_void_p) for each in (x, y, z)))
        assert (z == 2 * (x.astype(int) - zeros[0]) * (y.astype(int) - zeros[1])).all(), number

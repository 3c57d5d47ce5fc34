"""Nests that rescale with `simd` operations, their portable C on the host: the same numbers as the definition."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from stillpool.dialects.fx.fixed_point import rescale, rescale_real, rescale_single

COUNT = 1200
SMALL = [-3, -2, -1, 0, 1, 2, 3]
MULTIPLIERS = [0, 1, 2**30, 2**30 + 1, 3 << 29, 2**31 - 1]

# By name: the zero point, the limits, and the least shift to the right.
ENDINGS = {"raw": (0, None, 1), "away": (5, (-128, 127), 1), "relu": (-128, (-128, 127), 0), "relu6": (3, (3, 99), 0)}


def cases(least_shift: int, seed: int, least: int, most: int) -> list[tuple[int, int, int]]:
    """Values, multipliers and shifts: corners with each other, then numbers of all sizes."""
    rng = random.Random(seed)
    corners = [least, least + 1, least // 2, *SMALL, most // 2 + 1, most]
    found = [(v, m, -s) for v in corners for m in MULTIPLIERS for s in (least_shift, 1, 2, 7, 16, 22)]
    while len(found) < COUNT:
        bits = rng.randint(1, most.bit_length())
        value = max(least, rng.randint(-(1 << bits), (1 << bits) - 1))
        multiplier = rng.randint(0, 2**31 - 1)
        found.append((value, multiplier, -rng.randint(least_shift, 22)))
    return found


OF_KIND = {
    "double": "%scaled = fx.rescale %value, %factor, %wide right_only",
    "single": "%long = arith.extsi %value : i32 to i64\n      %right = arith.subi %all, %wide : i32\n"
    "      %scaled = fx.rescale_wide %long, %factor, %right",
    "real": "%scaled = fx.rescale_real %value, %factor, %wide",
}
"""What rescales, by its rounding."""


def module(name: str, table: list[tuple[int, int, int]], kind: str = "double") -> str:
    """A function that rescales one constant with each factor."""
    zero_point, limits, _ = ENDINGS[name]
    columns = {key: ", ".join(map(str, column)) for key, column in zip("vms", zip(*table, strict=True), strict=True)}
    n = len(table)
    globals = "".join(
        f'"memref.global"() <{{sym_name = "{name}_{key}", type = memref<{n}x{type}>, initial_value = dense<'
        f'[{columns[key]}]> : tensor<{n}x{type}>, sym_visibility = "private", constant}}> : () -> ()\n'
        for key, type in (("v", "i32"), ("m", "i32"), ("s", "i8"))
    )
    clamp = "%low = arith.maxsi %moved, %least : i32\n %clamped = arith.minsi %low, %most : i32" if limits else ""
    least, most = limits or (0, 0)
    return (
        globals
        + f"""
func.func private @{name}_nest(%v: memref<{n}xi32>, %m: memref<{n}xi32>, %s: memref<{n}xi8>, %y: memref<{n}xi32>) {{
  %zero_point = arith.constant {zero_point} : i32
  %all = arith.constant 31 : i32
  %least = arith.constant {least} : i32
  %most = arith.constant {most} : i32
  task.nest space(i = {n}) fold()
    finish (%value = %v[i] : memref<{n}xi32>, %factor = %m[i] : memref<{n}xi32>, %shift = %s[i] : memref<{n}xi8>) {{
      %wide = arith.extsi %shift : i8 to i32
      {OF_KIND[kind]}
      %moved = arith.addi %scaled, %zero_point : i32
      {clamp}
      task.yield {"%moved" if limits is None else "%clamped"} : i32
    }}
    writes (%y[i] : memref<{n}xi32>)
  func.return
}}
func.func @{name}(%y: memref<{n}xi32>) {{
  %v = memref.get_global @{name}_v : memref<{n}xi32>
  %m = memref.get_global @{name}_m : memref<{n}xi32>
  %s = memref.get_global @{name}_s : memref<{n}xi8>
  func.call @{name}_nest(%v, %m, %s, %y) : (memref<{n}xi32>, memref<{n}xi32>, memref<{n}xi8>, memref<{n}xi32>) -> ()
  func.return
}}
"""
    )


@pytest.mark.parametrize(
    ("cpu", "function", "times", "least", "most"),
    [
        # Bodies are written out four times.
        ("cortex-m4", "simd_multiply_high_add", 4, -(2**30), 2**30 - 1),
        # Without a high half of products numbers that are small are multiplied in parts.
        ("cortex-m0plus", "simd_scale_narrow_add", 1, 1 - 2**20, 2**20 - 1),
    ],
)
def test_the_portable_c_is_exact(cpu: str, function: str, times: int, least: int, most: int, tmp_path: Path) -> None:
    tables = {name: cases(ending[2], seed, least, most) for seed, (name, ending) in enumerate(ENDINGS.items())}
    compare(tables, cpu, function, times, tmp_path)


@pytest.mark.parametrize(
    ("kind", "function", "most"),
    [("single", "simd_multiply_high_floor_add", 2**30 - 1), ("real", "simd_scale_real", 2**24)],
)
def test_the_portable_c_of_other_roundings_is_exact(kind: str, function: str, most: int, tmp_path: Path) -> None:
    mask = ~127 if kind == "real" else ~0
    tables = {
        name: [(value, multiplier & mask, shift) for value, multiplier, shift in cases(1, seed, -most, most)]
        for seed, name in enumerate(ENDINGS)
    }
    if kind == "real":
        # Halves, and what float32 rounds to them.
        halves = [(2 * n + 1, 1 << 30, 0) for n in range(-300, 300)]
        near = [(value, (1 << 30) + 128 * n, -9) for value in range(-99 << 9, 99 << 9, 173) for n in (-1, 0, 1)]
        tables = {name: (table + halves + near)[:-2] for name, table in tables.items()}
    compare(tables, "cortex-m4", function, 4, tmp_path, kind)


def compare(
    tables: dict[str, list[tuple[int, int, int]]],
    cpu: str,
    function: str,
    times: int,
    tmp_path: Path,
    kind: str = "double",
) -> None:
    """Compile and run all endings: every result is the definition's."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    definition = {"double": rescale, "single": rescale_single, "real": rescale_real}[kind]
    source = tmp_path / "all.mlir"
    source.write_text("".join(module(name, table, kind) for name, table in tables.items()))
    passes = f"prepare-tasks{{cpu={cpu}}},schedule{{cpu={cpu}}},scale-sums,lower-tasks,emit-c"
    command = ["stillpool-opt", "-p", passes, "-t", "c", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"{function}(") == 1 + times * len(tables), "all are short"
    (tmp_path / "all.c").write_text(done.stdout)
    flags = "-std=c99 -Wall -Wextra -Wconversion -Werror -fsanitize=undefined -fno-sanitize-recover=all -shared -fPIC"
    subprocess.run(["gcc", *flags.split(), "all.c", "-o", "all.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    for name, table in tables.items():
        found = np.zeros(len(table), np.int32)
        getattr(library, name)(ctypes.c_void_p(found.ctypes.data))
        zero_point, limits, _ = ENDINGS[name]
        expected = np.array([definition(*case) + zero_point for case in table])
        np.testing.assert_array_equal(found, expected if limits is None else expected.clip(*limits), name)

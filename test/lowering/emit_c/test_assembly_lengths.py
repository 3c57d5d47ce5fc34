"""The texts of assembly are no longer than C99 lets a string be."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from stillpool.dialects.simd.windows import words_of_taps
from stillpool.lowering.tasks import LowerTasksPass

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
        ("zero_point -128", 16),
        ("zero_point 5", 15),
        ("bytes zero_point 5", 14),
    )
    for along in ("", "along 0", "along 1")
    for count, unroll in ((most, most), (2 * most, most), (2 * most - 1, most - 1))
]


def _lengths(source: str) -> list[int]:
    found = re.findall(r'(?:\s*"(?:[^"\\]|\\.)*")+', source)
    return [sum(len(part.replace("\\n", "n")) for part in re.findall(r'"((?:[^"\\]|\\.)*)"', one)) for one in found]


@pytest.mark.parametrize("op", TILES)
def test_a_string_is_short_enough(op: str, c_text: Callable[..., str]) -> None:
    arguments = "%x: memref<64xi32>, %w: memref<144xi32>, %y: memref<2x4x1023xi8>, %i: index"
    source = c_text(f"func.func @f({arguments}) {{\n  {op}\n  func.return\n}}")
    assert 1000 < max(_lengths(source)) <= MOST


@pytest.mark.parametrize(
    "runs",
    [
        "[0, 4000] 8 unroll 8 [4032]",
        "[0] 28 unroll 12 [4032]",
        "[] 0 unroll 0 singles [0, " + ", ".join(str(4000 + n) for n in range(31)) + "] [4032]",
    ],
)
def test_both_points_are_short_enough(runs: str, c_text: Callable[..., str]) -> None:
    op = f"simd.unpack_points unsigned %x[%i], %x[%j] {runs}, %lanes[%i]"
    arguments = "%x: memref<8192xi8>, %lanes: memref<128xi32>, %i: index, %j: index"
    types = "memref<8192xi8>, memref<8192xi8>, memref<128xi32>"
    source = c_text(f"func.func @f({arguments}) {{\n  {op} : {types}\n  func.return\n}}")
    assert 1000 < max(_lengths(source)) <= MOST


@pytest.mark.parametrize(("rows", "taps"), [(1, 25), (2, 24), (3, 24)])
@pytest.mark.parametrize(("ending", "record", "less"), [("signed unsigned", 3, 0), ("zero_point 5", 2, 1)])
def test_a_window_of_distant_taps_is_short_enough(
    rows: int, taps: int, ending: str, record: int, less: int, tmp_path: Path, c_text: Callable[..., str]
) -> None:
    taps -= less
    places = ", ".join(str(131072 * tap) for tap in range(taps))
    words = words_of_taps(taps)
    x, w, y = f"memref<{131072 * taps}xi8>", f"memref<{2 * words + 24}xi32>", "memref<8xi8>"
    below = [f"%below{row}" for row in range(1, rows)]
    owners = ", ".join(str(rows * tap // taps) for tap in range(taps))
    beside = f"beside {', '.join(below)} of [{owners}] : {', '.join([x] * len(below))}" if below else ""
    parameters = ", ".join(f"{one}: {x}" for one in ("%x", *below))
    source = c_text(f"""
func.func @f({parameters}, %w: {w}, %y: {y}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant {words + 4 * record} : index
  simd.windows %block = %c0 to %c2 step %c1 {{
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %size : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps unsigned %x[%c] [{places}] 5 [{131072 * taps - 8}],
      %w[%word], %sums : {x}, {w}, memref<4xi32> {beside}
    simd.scale_bytes {ending} %sums, %w[%word] {words}, %y[%c] : memref<4xi32>, {w}, {y}
  }}
  func.return
}}""")
    assert "  simd_windows_" in source
    gcc = shutil.which("arm-none-eabi-gcc")
    if gcc is None:
        pytest.skip("no arm-none-eabi-gcc")
    (tmp_path / "windows.c").write_text(source)
    # GCC itself does not check the lengths of assembly.
    floats = ["-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
    command = [gcc, "-mcpu=cortex-m4", *floats, "-std=c99", "-O2", "-E", "-P", "windows.c"]
    expanded = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert 3000 < max(_lengths(expanded[expanded.index(" simd_windows_") :])) <= MOST


@pytest.mark.parametrize("taps", [9, 25, 49])
def test_a_window_of_any_number_of_taps_is_short_enough(taps: int, c_text: Callable[..., str]) -> None:
    """The sums of one of 25 taps had 5,289 characters; one of more than fit is no operation."""
    source = c_text(
        f"""
"memref.global"() <{{sym_name = "w", type = memref<{taps}x8xi8>, sym_visibility = "private", constant,
  initial_value = dense<3> : tensor<{taps}x8xi8>}}> : () -> ()
"memref.global"() <{{sym_name = "b", type = memref<8xi32>, sym_visibility = "private", constant,
  initial_value = dense<7> : tensor<8xi32>}}> : () -> ()
func.func private @window(%x: memref<80x8xi8>, %w: memref<{taps}x8xi8>, %b: memref<8xi32>, %y: memref<20x8xi32>) {{
  task.nest space(i = 20, c = 8) fold(k = {taps}) where(at = i + k)
    start (%first = %b[c] : memref<8xi32>) {{
      task.yield %first : i32
    }}
    step (%one = %x[at, c] : memref<80x8xi8>, %other = %w[k, c] : memref<{taps}x8xi8>) into (%sum: i32) {{
      %0 = arith.extsi %one : i8 to i32
      %1 = arith.extsi %other : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %3 = arith.addi %sum, %2 overflow<nsw> : i32
      task.yield %3 : i32
    }}
    finish () of (%sum: i32) {{
      task.yield %sum : i32
    }}
    writes (%y[i, c] : memref<20x8xi32>)
    schedule <split c 4, jam c_i, words>
  func.return
}}
func.func @f(%x: memref<80x8xi8>, %y: memref<20x8xi32>) {{
  %w = memref.get_global @w : memref<{taps}x8xi8>
  %b = memref.get_global @b : memref<8xi32>
  func.call @window(%x, %w, %b, %y) : (memref<80x8xi8>, memref<{taps}x8xi8>, memref<8xi32>, memref<20x8xi32>) -> ()
  func.return
}}""",
        LowerTasksPass(),
    )
    assert (f"simd_sum_taps_{taps}_" in source) == (taps < 49)
    assert max(_lengths(source)) <= MOST

"""`index` is 32 bits wide in C and wraps around as two's complement does; compiled with and without optimisation."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

CText = Callable[[str], str]
_EDGES = (0, 1, -1, 2, 7, -100000, 100000, 2**31 - 1, -(2**31), 2**31 - 4, 46341, -46341, 65536)

TEXT = """
func.func @add(%x: index, %y: index) -> index {
  %r = arith.addi %x, %y : index
  func.return %r : index
}
func.func @sub(%x: index, %y: index) -> index {
  %r = arith.subi %x, %y : index
  func.return %r : index
}
func.func @mul(%x: index, %y: index) -> index {
  %r = arith.muli %x, %y : index
  func.return %r : index
}
func.func @next_is_less(%x: index, %y: index) -> i1 {
  %c1 = arith.constant 1 : index
  %next = arith.addi %x, %c1 : index
  %r = arith.cmpi slt, %next, %x : index
  func.return %r : i1
}
func.func @mixed(%x: index, %y: index) -> index {
  %k = arith.constant 100000 : index
  %a = arith.muli %x, %k : index
  %b = arith.subi %a, %y : index
  %c = arith.muli %b, %b : index
  %r = arith.addi %c, %x : index
  func.return %r : index
}
"""


def _wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


RULES: dict[str, Callable[[int, int], int]] = {
    "add": lambda x, y: _wrapped(x + y),
    "sub": lambda x, y: _wrapped(x - y),
    "mul": lambda x, y: _wrapped(x * y),
    "next_is_less": lambda x, y: int(_wrapped(x + 1) < x),
    "mixed": lambda x, y: _wrapped(_wrapped(x * 100000 - y) ** 2 + x),
}


def _library(text: str, folder: Path, *flags: str) -> ctypes.CDLL:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    source, library = folder / "index.c", folder / f"index{''.join(flags)}.so"
    source.write_text(text)
    warnings = "-Wall -Wextra -Wconversion -Wshadow -Werror -pedantic".split()
    command = ["gcc", "-std=c99", *warnings, *flags, "-shared", "-fPIC", "-o", str(library), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_arithmetic_wraps(c_text: CText, tmp_path: Path, level: str) -> None:
    trap = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"]
    library = _library(c_text(TEXT), tmp_path, level, *trap)
    for name, rule in RULES.items():
        got = {(x, y): getattr(library, name)(x, y) & 0xFFFFFFFF for x in _EDGES for y in _EDGES}
        assert got == {(x, y): rule(x, y) & 0xFFFFFFFF for x in _EDGES for y in _EDGES}, name


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops_end_where_the_counter_would_wrap(c_text: CText, tmp_path: Path, level: str) -> None:
    """The rounds of loops whose end lies less than a step before the largest index."""
    text = """
func.func @rounds(%lower: index, %upper: index, %step: index, %out: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.for %i = %lower to %upper step %step {
    %old = memref.load %out[%c0] : memref<2xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %out[%c0] : memref<2xi32>
    %last = arith.index_cast %i : index to i32
    memref.store %last, %out[%c1] : memref<2xi32>
  }
  func.return
}
"""
    trap = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"]
    library = _library(c_text(text), tmp_path, level, *trap)
    for lower, upper, step in (
        (0, 10, 3),
        (5, 5, 1),
        (6, 5, 1),
        (2**31 - 9, 2**31 - 1, 5),
        (-(2**31), 2**31 - 1, 2**30),
        (-(2**31), 2**31 - 1, 2**31 - 1),
        (-7, 7, 7),
    ):
        out = np.array([0, 99], np.int32)
        library.rounds(lower, upper, step, ctypes.c_void_p(out.ctypes.data))
        expected = range(lower, upper, step)
        assert out.tolist() == [len(expected), expected[-1] if expected else 99], (lower, upper, step)


def test_what_is_known_to_fit_is_plain(c_text: CText) -> None:
    text = """
func.func @plain(%x: memref<64xi8>, %n: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i8
  %any = arith.index_cast %n : i8 to index
  %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%at = %c0) -> (index) {
    %row = arith.muli %i, %c7 : index
    %far = arith.subi %row, %any : index
    %low = arith.maxsi %far, %c0 : index
    %high = arith.minsi %low, %c7 : index
    %half = arith.divsi %high, %c3 : index
    %place = arith.addi %half, %at : index
    memref.store %zero, %x[%place] : memref<64xi8>
    %next = arith.addi %at, %c7 : index
    scf.yield %next : index
  }
  func.return
}
"""
    assert "uint32_t" not in c_text(text)

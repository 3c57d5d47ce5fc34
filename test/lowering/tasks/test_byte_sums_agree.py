"""Sums and products of rescaled bytes as Cortex-M4 gets them, their portable C on the host: all pairs as defined."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path

import numpy as np
from libraries import STRICT, UBSAN, library

from stillpool.dialects.fx.fixed_point import rescale
from stillpool.transforms.tasks.byte_values import rescaled

CASES = 12
ROOM = 1 << 20


def factor(real: float) -> tuple[int, int]:
    """Multiplier and shift."""
    fraction, exponent = math.frexp(real)
    return round(fraction * 2**31), exponent


def test_many_numbers_are_rescaled_as_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        multiplier, shift = int(rng.integers(1 << 30, 1 << 31)), int(rng.integers(-31, 8))
        values = rng.integers(-(1 << 23), 1 << 23, 50)
        expected = [rescale(int(value), multiplier, shift) for value in values]
        assert rescaled(values, multiplier, shift).tolist() == expected


class Sum:
    """Random scales and zero points of a sum, as LiteRT rescales it."""

    def __init__(self, rng: np.random.Generator, *, unsigned: bool):
        scales = rng.uniform(0.01, 0.1, 2)
        out = rng.uniform(scales.max() * 0.5, scales.sum())
        self.unsigned = unsigned
        self.zeros = (rng.integers(-128, 128, 3) + 128 * unsigned).tolist()
        self.factors = [factor(scale / (2 * scales.max())) for scale in scales]
        self.factors.append(factor(2 * scales.max() / (ROOM * out)))
        self.least = (0 if unsigned else -128) + int(rng.integers(0, 3)) * 9
        self.most = 255 if unsigned else 127

    def expected(self) -> np.ndarray:
        """For all pairs of bytes in memory, from that of the lowest bits on."""
        stored = np.arange(256, dtype=np.int64)
        values = stored if self.unsigned else (stored ^ 0x80) - 0x80
        terms = [rescaled((values - z) * ROOM, *f) for z, f in zip(self.zeros[:2], self.factors[:2], strict=True)]
        total = rescaled(terms[0][:, None] + terms[1][None, :], *self.factors[2]) + self.zeros[2]
        return np.clip(total, self.least, self.most).astype(np.uint8)

    def function(self, name: str) -> str:
        widen = "extui" if self.unsigned else "extsi"
        numbers = {f"z{n}": zero for n, zero in enumerate(self.zeros)}
        numbers |= {f"m{n}": multiplier for n, (multiplier, _) in enumerate(self.factors)}
        numbers |= {f"s{n}": shift for n, (_, shift) in enumerate(self.factors)}
        numbers |= {"room": ROOM, "least": self.least, "most": self.most}
        constants = "\n".join(f"  %{key} = arith.constant {number} : i32" for key, number in numbers.items())
        terms = "\n".join(
            f"""
      %wide{n} = arith.{widen} %v{n} : i8 to i32
      %moved{n} = arith.subi %wide{n}, %z{n} : i32
      %room{n} = arith.muli %moved{n}, %room : i32
      %term{n} = fx.rescale %room{n}, %m{n}, %s{n}"""
            for n in range(2)
        )
        return f"""
func.func @{name}(%x: memref<65536xi8>, %y: memref<65536xi8>, %z: memref<65536xi8>) {{
{constants}
  task.nest space(i = 65536)
    finish (%v0 = %x[i] : memref<65536xi8>, %v1 = %y[i] : memref<65536xi8>) {{
{terms}
      %sum = arith.addi %term0, %term1 : i32
      %scaled = fx.rescale %sum, %m2, %s2
      %shifted = arith.addi %scaled, %z2 : i32
      %raised = arith.maxsi %shifted, %least : i32
      %limited = arith.minsi %raised, %most : i32
      %byte = arith.trunci %limited : i32 to i8
      task.yield %byte : i8
    }}
    writes (%z[i] : memref<65536xi8>)
  func.return
}}
"""


def test_sums_agree_for_all_pairs(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    cases = [Sum(rng, unsigned=bool(number % 2)) for number in range(CASES)]
    text = "".join(case.function(f"f{number}") for number, case in enumerate(cases))
    passes = "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4},scale-sums,lower-tasks,usmp,emit-c"
    functions, source = library(tmp_path, text, passes, (*STRICT, *UBSAN))
    assert source.count("simd_scale_high_add(") > 4 * CASES
    x, y = (each.astype(np.uint8).reshape(-1).copy() for each in np.meshgrid(*[np.arange(256)] * 2, indexing="ij"))
    for number, case in enumerate(cases):
        z = np.zeros(65536, np.uint8)
        getattr(functions, f"f{number}")(*(each.ctypes.data_as(ctypes.c_void_p) for each in (x, y, z)))
        assert (z.reshape(256, 256) == case.expected()).all(), number

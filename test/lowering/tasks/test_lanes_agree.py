"""Random convolutions with lanes of vectors, their portable C on the host, against numpy."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from random_convolutions import check, convolution

CASES = 24


def lanes(rng: np.random.Generator, channels: int, folds: str, depthwise: bool) -> str:
    steps = "jam c" if channels <= 4 else f"split c 4, order (oy, ox, c_o, c_i, {folds}), jam c_i"
    return f"{steps}, {rng.choice(['whole, lanes', 'lanes']) if depthwise else 'lanes 16'}"


def test_lanes_agree(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    rng = np.random.default_rng(55)
    cases = [convolution(rng, f"f{number}", depthwise=number % 3 == 0, schedule=lanes) for number in range(CASES)]
    (tmp_path / "all.mlir").write_text("".join(text for text, _, _ in cases))
    command = ["xdsl-opt", "-p", "lower-tasks,usmp,emit-c", "-t", "c", str(tmp_path / "all.mlir")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("simd_sum_products(") > CASES // 2
    (tmp_path / "all.c").write_text(done.stdout)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-pedantic", "-shared", "-fPIC"]
    checks = ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, *checks, "all.c", "-o", "all.so"], cwd=tmp_path, check=True)
    check(ctypes.CDLL(str(tmp_path / "all.so")), cases, 55)

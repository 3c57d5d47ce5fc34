"""`examples/mlir/sobel.mlir`, tasks with schedules written by hand, through stock `xdsl-opt`, against numpy."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

MODULE = Path(__file__).resolve().parents[2] / "examples" / "mlir" / "sobel.mlir"
FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
MAIN = """
#include <stdio.h>
int main(void) {
  static int8_t image[480], result[396], pool[480];
  if (fread(image, 1, sizeof image, stdin) != sizeof image) return 1;
  edges(image, result, pool);
  return fwrite(result, 1, sizeof result, stdout) != sizeof result;
}
"""


def edges(image: np.ndarray) -> np.ndarray:
    """What the module computes."""
    padded = np.pad(image.astype(np.int32), 1)
    ones = np.pad(np.ones_like(image, np.int32), 1)
    window = [(y, x) for y in range(3) for x in range(3)]
    sums = sum(padded[y : y + 20, x : x + 24] for y, x in window)
    counts = sum(ones[y : y + 20, x : x + 24] for y, x in window)
    soft = np.trunc(sums / counts).astype(np.int32)
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    horizontal = sum(across[y, x] * soft[y : y + 18, x : x + 22] for y, x in window)
    vertical = sum(across.T[y, x] * soft[y : y + 18, x : x + 22] for y, x in window)
    return np.minimum(np.abs(horizontal) + np.abs(vertical), 127).astype(np.int8)


def made_c(module: Path, passes: str) -> str:
    """What stock `xdsl-opt` makes of a module."""
    command = ["xdsl-opt", "-p", passes, "-t", "c", str(module)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(code: str, folder: Path) -> None:
    """Run the C on a random image, and compare."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    (folder / "sobel.c").write_text(code + MAIN)
    program = folder / "program"
    subprocess.run(["gcc", *FLAGS, "sobel.c", "-o", str(program)], cwd=folder, check=True)
    image = np.random.default_rng(0).integers(-128, 128, (20, 24), np.int8)
    result = subprocess.run([str(program)], input=image.tobytes(), capture_output=True, check=True).stdout
    np.testing.assert_array_equal(np.frombuffer(result, np.int8).reshape(18, 22), edges(image))


@pytest.mark.parametrize(
    "schedule",
    [None, "", "schedule <split x 8, split y 5, order (y_o, x_o, y_i, x_i, kx, ky), jam x_i, unroll ky, reverse y_o>"],
    ids=["by hand", "none", "another"],
)
def test_c_equals_numpy(tmp_path: Path, schedule: str | None) -> None:
    text = MODULE.read_text()
    if schedule is not None:
        # The first schedule is that of the blur, whose taps are clipped; the second one the Sobel operator's.
        head, tail = text.rsplit("schedule <", 1)
        text = head + schedule + tail[tail.index(">") + 1 :]
        assert len(re.findall("schedule <", text)) == (2 if schedule else 1)
    module = tmp_path / "sobel.mlir"
    module.write_text(text)
    check(made_c(module, "usmp,emit-c"), tmp_path)


@pytest.mark.parametrize("passes", ["split-rows,usmp,emit-c", "split-rows,usmp,roll-rows,emit-c"])
def test_row_by_row_three_rows_of_the_blur_are_enough(tmp_path: Path, passes: str) -> None:
    code = made_c(MODULE, passes)
    assert "pool workspace: 480 bytes" in made_c(MODULE, "usmp,emit-c")
    assert f"pool workspace: {3 * 24} bytes" in code
    check(code, tmp_path)

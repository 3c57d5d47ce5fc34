"""`examples/mlir/edges.mlir` through stock `xdsl-opt`: our C, and MLIR's C++ from the same emitc, against numpy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import compilers
import numpy as np
import pytest

MODULE = Path(__file__).resolve().parents[2] / "examples" / "mlir" / "edges.mlir"
WARNINGS = ["-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
SANITISERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# The pool has exactly the planned size: a byte beyond it stops the program.
MAIN = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static int8_t image[256], result[256];
  int8_t *pool = (int8_t *)aligned_alloc(16, 768);
  if (fread(image, 1, sizeof image, stdin) != sizeof image) return 1;
  edges(image, result, pool);
  free(pool);
  return fwrite(result, 1, sizeof result, stdout) != sizeof result;
}
"""


def xdsl_opt(*arguments: str) -> str:
    done = subprocess.run(["xdsl-opt", *arguments, str(MODULE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def edges(image: np.ndarray) -> np.ndarray:
    """The module's meaning: int8 16x16 less its 3x3 mean, which truncates; the border's mean is itself."""
    wide = image.astype(np.int32)
    sums = sum(wide[1 + y : 15 + y, 1 + x : 15 + x] for y in (-1, 0, 1) for x in (-1, 0, 1))
    mean = wide.copy()
    mean[1:15, 1:15] = np.trunc(sums / 9)
    return np.clip(wide - mean, -128, 127).astype(np.int8)


def computes_edges(folder: Path, command: list[str], name: str, text: str) -> None:
    """Compile a text with MAIN behind it, and compare."""
    (folder / name).write_text(text + MAIN)
    program = folder / "program"
    build = [*command, name, "-o", str(program), "-lm"]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    image = np.random.default_rng(0).integers(-128, 128, (16, 16), np.int8)
    done = subprocess.run([str(program)], input=image.tobytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    np.testing.assert_array_equal(np.frombuffer(done.stdout, np.int8).reshape(16, 16), edges(image))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_c(tmp_path: Path, compiler: str) -> None:
    compilers.need(compiler, ["-std=c11", *SANITISERS])
    text = xdsl_opt("-p", "usmp,emit-c", "-t", "c")
    assert "/* pool workspace: 768 bytes, aligned to 16 */" in text
    computes_edges(tmp_path, [compiler, "-std=c11", *WARNINGS, *SANITISERS], "edges.c", text)


def test_mlir_prints_the_same_program(tmp_path: Path) -> None:
    for tool in ("mlir-opt-22", "mlir-translate-22", "g++"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    emitc = tmp_path / "edges.mlir"
    emitc.write_text(xdsl_opt("-p", "usmp,emit-c"))
    accepted = subprocess.run(["mlir-opt-22", str(emitc)], capture_output=True, text=True, check=False)
    assert accepted.returncode == 0, accepted.stderr
    command = ["mlir-translate-22", "--mlir-to-cpp", str(emitc)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert printed.returncode == 0, printed.stderr
    computes_edges(tmp_path, ["g++", "-std=c++17", *SANITISERS], "edges.cpp", printed.stdout)

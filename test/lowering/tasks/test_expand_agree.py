"""Random convolutions with scalar expansion and dot products, with the instructions this machine has, against numpy."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sweeps
from random_convolutions import check, convolution, expected, image

CASES = [
    pytest.param((64, sweeps.size(10, long=15)), id="(64, 15)"),
    pytest.param((65, sweeps.size(8, long=36)), marks=pytest.mark.sweep, id="many"),
]
"""Seeds, and how many convolutions of each."""
STRICT = (
    *("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wshadow", "-Wcast-align"),
    *("-Wcast-qual", "-Wundef", "-pedantic", "-shared", "-fPIC"),
)
UBSAN = ("-fsanitize=undefined", "-fno-sanitize-recover=all")


def expand(rng: np.random.Generator, channels: int, folds: str, depthwise: bool) -> str:
    if not depthwise:
        # Dot products need blocks of sixteen channels, and here there are fewer.
        return "expand c dots"
    size = int(rng.integers(2, max(3, channels)))
    return "expand c" if rng.random() < 0.5 else f"split c {size}, order (oy, ox, c_o, c_i, {folds}), expand c_i"


@pytest.fixture(scope="module", params=CASES, ids=str)
def cases(request: pytest.FixtureRequest) -> list[tuple[str, dict[str, int], dict[str, np.ndarray]]]:
    seed, count = request.param
    rng = np.random.default_rng(seed)
    return [convolution(rng, f"f{number}", depthwise=number % 3 == 0, schedule=expand) for number in range(count)]


@pytest.fixture(scope="module")
def source(cases: list[tuple[str, dict[str, int], dict[str, np.ndarray]]]) -> str:
    text = "".join(text for text, _, _ in cases)
    command = ["xdsl-opt", "-p", "lower-tasks,usmp,emit-c", "-t", "c"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("simd_add_dot_products(") > len(cases) // 2
    return done.stdout


def runs_here(compiler: str, flags: tuple[str, ...], folder: Path) -> bool:
    """Whether this machine has the instructions that the flags choose."""
    if shutil.which(compiler) is None:
        return False
    (folder / "empty.c").write_text(
        "int main(void) { __builtin_cpu_init(); return !__builtin_cpu_supports(FEATURE); }\n"
    )
    feature = "avx512vnni" if "-mavx512vnni" in flags else "avx2"
    command = [compiler, f'-DFEATURE="{feature}"', "empty.c", "-o", "empty"]
    is_made = subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    return is_made and subprocess.run([folder / "empty"], check=False).returncode == 0


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "flags",
    [
        ("-O1", *UBSAN),
        ("-O3", "-march=native", "-DSTILLPOOL_PORTABLE"),
        ("-O3", "-mavx2"),
        ("-O3", "-mavx512f", "-mavx512vnni"),
        ("-O1", "-mavx512f", "-mavx512vnni", *UBSAN),
    ],
    ids=" ".join,
)
def test_expand_agrees(
    tmp_path: Path,
    cases: list[tuple[str, dict[str, int], dict[str, np.ndarray]]],
    source: str,
    compiler: str,
    flags: tuple[str, ...],
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    if compiler == "clang" and UBSAN[0] in flags:
        pytest.skip("clang has no sanitiser in shared libraries")
    if any(flag.startswith("-mavx") for flag in flags) and not runs_here(compiler, flags, tmp_path):
        pytest.skip("this machine lacks the instructions")
    (tmp_path / "all.c").write_text(source)
    subprocess.run([compiler, *STRICT, *flags, "all.c", "-o", "all.so"], cwd=tmp_path, check=True)
    check(ctypes.CDLL(str(tmp_path / "all.so")), cases, 64)


MAIN = """
#include <stdio.h>
int main(void) {{
  static int8_t workspace[4096], y[4096];
{calls}
  return 0;
}}
"""


@pytest.mark.parametrize("flags", [("-march=armv8.2-a+dotprod",), ()], ids=" ".join)
def test_expand_agrees_on_aarch64(
    tmp_path: Path, cases: list[tuple[str, dict[str, int], dict[str, np.ndarray]]], source: str, flags: tuple[str, ...]
) -> None:
    for program in ("aarch64-linux-gnu-gcc", "qemu-aarch64"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    rng, calls, wanted = np.random.default_rng(64), list[str](), list[int]()
    for number, (_, e, numbers) in enumerate(cases):
        x = image(rng, e)
        y = expected(x, e, numbers)
        declared = re.search(rf"void f{number}\([^)]*\)", source)
        assert declared is not None, "every function is public"
        # Operators without scratch have no pool.
        pool = ", workspace" if declared.group().count(",") == 2 else ""
        calls.append(
            f"  {{ static int8_t x[] = {{{', '.join(map(str, x.reshape(-1)))}}};\n"
            f"    f{number}(x, y{pool});\n"
            f'    for (int i = 0; i < {y.size}; i++) printf("%d ", y[i]); }}'
        )
        wanted += y.reshape(-1).tolist()
    (tmp_path / "all.c").write_text(source + MAIN.format(calls="\n".join(calls)))
    command = ["aarch64-linux-gnu-gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-pedantic"]
    subprocess.run([*command, "-O2", "-static", *flags, "all.c", "-o", "all"], cwd=tmp_path, check=True)
    done = subprocess.run(
        ["qemu-aarch64", "-cpu", "max", "all"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert list(map(int, done.stdout.split())) == wanted

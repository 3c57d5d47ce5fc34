"""Random legal schedules of random convolutions: emitted C against numpy; what a schedule must not change."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from stillpool.driver import pipeline

CASES = [8, pytest.param(24, marks=pytest.mark.sweep)]


def nest(rng: np.random.Generator, name: str) -> tuple[str, dict[str, int]]:
    """A function with one 1-D convolution over several channels, and its extents; clipped or not."""
    e = {key: int(rng.integers(1, 8)) for key in ("n", "o", "oc", "k", "ic")}
    stride, pad = int(rng.integers(1, 3)), int(rng.integers(0, 3))
    clip = bool(rng.integers(0, 2))
    width = (e["o"] - 1) * stride + e["k"] - (pad if clip else 0)
    width = max(1, width - int(rng.integers(0, 2))) if clip else width
    e |= {"stride": stride, "pad": pad if clip else 0, "width": width, "clip": clip}
    x, w, y = (
        f"memref<{'x'.join(map(str, shape))}xi32>"
        for shape in ((e["n"], width, e["ic"]), (e["oc"], e["k"], e["ic"]), (e["n"], e["o"], e["oc"]))
    )
    domain = f"space(n = {e['n']}, o = {e['o']}, oc = {e['oc']}) fold(k = {e['k']}, ic = {e['ic']})"
    text = f"""
func.func @{name}(%x: {x}, %w: {w}, %y: {y}) {{
  %zero = arith.constant 0 : i32
  task.nest {domain} where(i = o * {stride} + k - {e["pad"]})
    start () {{
      task.yield %zero : i32
    }}
    step (%v = {"clip " if clip else ""}%x[n, i, ic] : {x}, %u = %w[oc, k, ic] : {w}) into (%acc : i32) {{
      %p = arith.muli %v, %u : i32
      %next = arith.addi %acc, %p : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}
    writes (%y[n, o, oc] : {y})
    SCHEDULE
  func.return
}}
"""
    return text, e


def schedule(rng: np.random.Generator, extents: dict[str, int]) -> str:
    """Random steps; not all of them legal."""
    names = {name: extents[name] for name in ("n", "o", "oc", "k", "ic")}
    steps: list[str] = []
    for name, extent in list(names.items()):
        if extent > 2 and rng.integers(0, 2):
            size = int(rng.integers(2, extent + 1))
            clamped = bool(rng.integers(0, 3) == 0)
            steps.append(f"split {name} {size}" + " clamped" * clamped)
            del names[name]
            names |= {f"{name}_o": -(-extent // size) if clamped else extent // size, f"{name}_i": size}
    if rng.integers(0, 2):
        steps.append(f"order ({', '.join(rng.permutation(list(names)))})")
    for name in names:
        step = rng.choice(["", "", "jam", "unroll", "reverse"])
        steps += [f"{step} {name}"] if step else []
    if rng.integers(0, 2):
        steps.append("whole")
    if rng.integers(0, 2):
        steps.append("collect")
    return f"schedule <{', '.join(steps)}>"


def legal(rng: np.random.Generator, name: str) -> tuple[str, dict[str, int]]:
    """A convolution with a legal schedule of at least one step."""
    while True:
        text, extents = nest(rng, name)
        scheduled = text.replace("SCHEDULE", schedule(rng, extents))
        if "<>" not in scheduled and accepted(scheduled):
            return scheduled, extents


def accepted(text: str) -> bool:
    module = Parser(pipeline.context(), text).parse_module()
    try:
        module.verify()
    except VerifyException:
        return False
    return True


def expected(x: np.ndarray, w: np.ndarray, e: dict[str, int]) -> np.ndarray:
    y = np.zeros((e["n"], e["o"], e["oc"]), np.int64)
    for o in range(e["o"]):
        for k in range(e["k"]):
            i = o * e["stride"] + k - e["pad"]
            if 0 <= i < e["width"]:
                y[:, o] += x[:, i].astype(np.int64) @ w[:, k].T
    return y.astype(np.int32)


@pytest.mark.parametrize("count", CASES)
def test_results_do_not_depend_on_the_schedule(tmp_path: Path, count: int) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    rng = np.random.default_rng(7)
    cases = [legal(rng, f"f{number}") for number in range(count)]
    source = tmp_path / "all.mlir"
    source.write_text("".join(text for text, _ in cases))
    command = ["xdsl-opt", "-p", "lower-tasks,emit-c", "-t", "c", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (tmp_path / "all.c").write_text(done.stdout)
    flags = ["-std=c99", "-fwrapv", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "all.c", "-o", "all.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    for number, (text, e) in enumerate(cases):
        x = rng.integers(-99, 99, (e["n"], e["width"], e["ic"]), np.int32)
        w = rng.integers(-99, 99, (e["oc"], e["k"], e["ic"]), np.int32)
        y = np.full((e["n"], e["o"], e["oc"]), 12345, np.int32)
        getattr(library, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, w, y)))
        np.testing.assert_array_equal(y, expected(x, w, e), text)

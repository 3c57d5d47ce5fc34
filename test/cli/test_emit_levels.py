"""What `stillpool compile --emit LEVEL` prints is MLIR that stock tools read."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"


def tool(*arguments: str, text: str | None = None) -> str:
    """Standard output of a command that must succeed, without its last line feeds."""
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip()


@pytest.mark.parametrize("level", ["nn", "tasks", "memref", "pools", "emitc"])
def test_stock_xdsl_opt_reads_and_prints_every_level_unchanged(level: str) -> None:
    text = tool("stillpool", "compile", str(MODEL), "--emit", level)
    assert tool("xdsl-opt", text=text) == text


def test_each_level_goes_on_where_it_was_printed() -> None:
    memref = tool("stillpool", "compile", str(MODEL), "--emit", "memref")
    emitc = tool("stillpool", "compile", str(MODEL), "--emit", "emitc")
    assert tool("xdsl-opt", "-p", "usmp{io=all},emit-c", text=memref) == emitc
    assert tool("xdsl-opt", "-t", "c", text=emitc) == tool("stillpool", "compile", str(MODEL), "--emit", "c")


def test_tasks_with_schedules_go_on_to_the_same_c() -> None:
    target = ("--target", "cortex-m4", "--optimize", "speed")
    tasks = tool("stillpool", "compile", str(MODEL), *target, "--emit", "tasks")
    emitc = tool("xdsl-opt", "-p", "usmp{io=all},emit-c", text=tasks)
    assert "simd_tile_bytes" in emitc
    assert tool("xdsl-opt", "-t", "c", text=emitc) == tool("stillpool", "compile", str(MODEL), *target, "--emit", "c")


def test_mlir_reads_the_last_level() -> None:
    if shutil.which("mlir-opt-22") is None:
        pytest.skip("mlir-opt-22 is not installed (Debian: mlir-22-tools)")
    emitc = tool("stillpool", "compile", str(MODEL), "--emit", "emitc")
    assert "emitc.func @novelty" in tool("mlir-opt-22", text=emitc)

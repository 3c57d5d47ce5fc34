"""The wheel: built from a clean copy, installed into an empty environment elsewhere, does the main work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from installing import environment, run

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples" / "digits"
ROOMS = (
    "cli",
    "driver",
    "report",
    "run",
    "frontends",
    "dialects",
    "lowering",
    "transforms",
    "machines",
    "planner",
    "targets",
    "tune",
)
FILES = (
    "__init__.py",
    "__main__.py",
    "console.py",
    "documents.py",
    "errors.py",
    "late_methods.py",
    "outside.py",
    "plugins.py",
    "progress.py",
    "universe.py",
    "version.py",
    "py.typed",
)

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a new environment that has the wheel, and what it depends on, installed."""
    folder = tmp_path_factory.mktemp("environment")
    return environment(folder, wheel)


def test_wheel_holds_the_rooms_and_nothing_else(wheel: Path) -> None:
    expected = set(FILES) | {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = set(zipfile.ZipFile(wheel).namelist())
    information = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert {name.removeprefix("stillpool/") for name in names - information} == expected
    assert any(name.endswith("licenses/LICENSE") for name in information)


def test_run_scores_a_sample_as_the_reference_did(programs: Path, tmp_path: Path) -> None:
    shutil.copy(DIGITS / "digits.tflite", tmp_path)
    analysis = tmp_path / "project"
    run(programs / "stillpool", "compile", "digits.tflite", "-o", analysis, cwd=tmp_path)
    (image,) = json.loads((analysis / "manifest.json").read_text())["inputs"]
    with np.load(DIGITS / "samples.npz") as samples:
        level = np.floor(samples["pixels"][:1] / np.float32(16) / np.float32(image["scale"][0]) + np.float32(0.5))
        np.save(tmp_path / "image.npy", (level + image["zero_point"][0]).astype(np.int8))
        expected = samples["scores"][:1]
    arguments = ("run", "digits.tflite", "--input", "image.npy", "--output-dir", "out", "--json")
    document = json.loads(run(programs / "stillpool", *arguments, cwd=tmp_path))
    assert document["outputs"][0]["name"] == "scores"
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "output_0.npy"), expected)


def test_stock_xdsl_opt_finds_the_plugin(programs: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "mlir" / "edges.mlir", tmp_path)
    emitc = run(programs / "xdsl-opt", "-p", "usmp,emit-c", "edges.mlir", cwd=tmp_path)
    assert "emitc.func @edges" in emitc
    text = run(programs / "xdsl-opt", "-p", "usmp,emit-c", "-t", "c", "edges.mlir", cwd=tmp_path)
    (tmp_path / "edges.c").write_text(text)
    run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "edges.c", cwd=tmp_path)


def test_without_the_extras_verify_says_what_to_install(programs: Path, tmp_path: Path) -> None:
    command = [str(programs / "stillpool"), "verify", str(DIGITS / "digits.tflite")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    # What was installed from a file is completed from that file.
    assert re.search(r"python -m pip install '\S+\.whl\[verify\]'", done.stderr)
    assert "Traceback" not in done.stderr

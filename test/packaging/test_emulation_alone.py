"""`pip install stillpool[emulate]` and nothing else: models run on every emulated processor.

The environment has no compiler, no linker and no emulator but those of the extra.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from installing import environment, run

import stillpool
from stillpool.run.samples import random_inputs

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT.parent / "shared" / "models"
MODELS = {"digits": ROOT / "examples/digits/digits.tflite"} | {
    name: PUBLIC / f"{name}.tflite" for name in ("kws_int8", "resnet8_int8")
}
TARGETS = ("cortex-m0plus", "cortex-m4", "rv32imc")
SECONDS = 300
"""After which a run counts as hung; the first one fills the compiler's caches."""

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`stillpool` in an environment with the extra."""
    folder = tmp_path_factory.mktemp("emulation")
    return environment(folder, f"{wheel}[emulate]", timeout=600) / "stillpool"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the compiler's caches go: empty at first."""
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_outputs_are_the_references(name: str, target: str, program: Path, home: Path, tmp_path: Path) -> None:
    pytest.importorskip("tflite_micro")
    if not MODELS[name].exists():
        pytest.skip(f"../shared/models/{name}.tflite is not here")
    shutil.copy(MODELS[name], tmp_path)
    artifact = stillpool.compile([stillpool.load(MODELS[name])])
    stacked = random_inputs(artifact.description, 1, 7)
    (tensor,) = artifact.description.inputs
    np.save(tmp_path / "input.npy", stacked[tensor.name][0])
    (tmp_path / "no programs").mkdir()
    arguments = ("run", f"{name}.tflite", "--target", target, "--input", "input.npy", "--output-dir", "out", "--json")
    bare = {"PATH": str(tmp_path / "no programs"), "HOME": str(home)}
    document = json.loads(run(program, *arguments, cwd=tmp_path, environment=bare, timeout=SECONDS))
    expected = artifact.reference([stacked[tensor.name]]).outputs[0]
    got = np.load(tmp_path / "out" / "output_0.npy")
    np.testing.assert_array_equal(got.ravel(), expected.ravel())
    figures = document["runtime"]
    assert figures["compiler"].startswith("zig ")
    assert figures["emulator"] == "unicorn"
    assert figures["instructions"] > 1000
    assert 0 < figures["stack_bytes"] <= figures["worst_case_stack_bytes"]

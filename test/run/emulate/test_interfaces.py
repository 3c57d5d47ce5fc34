"""Firmware calls a model through the interface that it is compiled with."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.emulator import emulate
from stillpool.run.emulate.qemu_session import qemu_available
from stillpool.run.emulate.self_test import run_program


@pytest.mark.parametrize("style", ["tvm", "ai", "x-cube-ai"])
def test_firmware_of_an_interface(style: str, digits: Artifact, images: np.ndarray, arm_gcc: str) -> None:
    pytest.importorskip("unicorn")
    made = stillpool.compile(digits.model, interface=style, pools=["sram"], workspace_io="all")
    result = emulate(made, get_cpu("cortex-m4"), {"image": images}, cc=arm_gcc)
    np.testing.assert_array_equal(result.outputs["scores"], digits.execute({"image": images}).outputs["scores"])


EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
APPLICATIONS = {
    "x_cube_ai": ("x-cube-ai", "network"),
    "st_firmware": ("x-cube-ai", "network"),
    "tvm_u1": ("tvm", "default"),
    "tvm_platform": ("tvm", "default"),
}
"""Applications of the examples: the interface that they are written for, and the model's name there."""


def _answers(scores: np.ndarray) -> int:
    """What an application prints for all its answers: FNV-1a."""
    number = 2166136261
    for byte in scores.astype(np.int8).tobytes():
        number = (number ^ byte) * 16777619 % 2**32
    return number


@pytest.mark.parametrize("case", APPLICATIONS)
def test_an_application_on_a_cortex_m4_gives_the_scores_of_tflite(case: str, arm_gcc: str) -> None:
    if not qemu_available():
        pytest.skip("QEMU for Arm is not installed")
    sys.path.insert(0, str(EXAMPLES / "digits"))
    from samples_header import header  # pyright: ignore[reportMissingImports]

    with np.load(EXAMPLES / "digits" / "samples.npz") as samples:
        scores, shared = samples["scores"], header(samples["pixels"], samples["labels"])
    style, name = APPLICATIONS[case]
    made = stillpool.compile(stillpool.load(EXAMPLES / "digits" / "digits.tflite", name=name), interface=style)
    program = {file: (EXAMPLES / "interfaces" / file).read_text() for file in (f"{case}.c", "answers.h")}
    run = run_program(made, {**program, "samples.h": shared}, get_cpu("cortex-m4"), cc=arm_gcc)
    assert (run.passed, run.text) == (True, f"digits {_answers(scores):08x}\n")

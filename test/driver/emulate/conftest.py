"""The shipped example compiled once, and its images; everything here needs the emulator's packages."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.driver.artifact import Artifact

sys.path.insert(0, str(Path(__file__).parents[1]))
DIGITS = Path(__file__).resolve().parents[3] / "examples/digits"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs the extra."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.extra("emulate"))


@pytest.fixture(scope="session")
def digits() -> Artifact:
    return stillpool.compile([stillpool.load(DIGITS / "digits.tflite")])


@pytest.fixture(scope="session")
def images() -> np.ndarray:
    pixels = np.load(DIGITS / "samples.npz")["pixels"][:4]
    return np.clip(pixels.astype(np.int32) * 16 - 128, -128, 127).astype(np.int8)[:, np.newaxis]


@pytest.fixture
def arm_gcc() -> str:
    """The GNU compiler for Arm."""
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not installed")
    return "gcc"


@pytest.fixture(params=["gcc", "zig"])
def arm_compiler(request: pytest.FixtureRequest) -> str:
    """Each compiler for Arm that is installed."""
    program, package = shutil.which("arm-none-eabi-gcc"), importlib.util.find_spec("ziglang")
    if (program if request.param == "gcc" else package) is None:
        pytest.skip(f"{request.param} for Arm is not installed")
    return request.param

"""The shipped example compiled once, and its images; everything here needs the emulator's packages."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.toolchain import find_toolchain

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "conformance")]
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
    if not _is_usable("gcc"):
        pytest.skip("arm-none-eabi-gcc with newlib is not installed")
    return "gcc"


@pytest.fixture(params=["gcc", "zig"])
def arm_compiler(request: pytest.FixtureRequest) -> str:
    """Each compiler for Arm that is installed."""
    if not _is_usable(request.param):
        pytest.skip(f"{request.param} for Arm is not installed")
    return request.param


def _is_usable(compiler: str) -> bool:
    try:
        find_toolchain(get_cpu("cortex-m4"), compiler)
    except UsageError:
        return False
    return True

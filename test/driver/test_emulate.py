"""The shipped example on emulated processors: the same bits as on this machine, counted exactly, fenced in."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.driver.artifact import Artifact
from stillpool.driver.emulate.emulator import emulate
from stillpool.errors import UsageError, VerificationError
from stillpool.targets.cpus import cpu_names, get_cpu

DIGITS = Path(__file__).resolve().parents[2] / "examples/digits"
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("unicorn") is None or importlib.util.find_spec("elftools") is None,
    reason="unicorn and pyelftools are not installed",
)
CPUS = [name for name in cpu_names() if get_cpu(name).unicorn_model is not None]


@pytest.fixture(scope="module")
def digits() -> Artifact:
    return stillpool.compile([stillpool.load(DIGITS / "digits.tflite")])


@pytest.fixture(scope="module")
def images() -> np.ndarray:
    pixels = np.load(DIGITS / "samples.npz")["pixels"][:4]
    return np.clip(pixels.astype(np.int32) * 16 - 128, -128, 127).astype(np.int8)[:, np.newaxis]


@pytest.mark.parametrize("name", CPUS)
def test_same_bits_as_the_host(name: str, digits: Artifact, images: np.ndarray) -> None:
    try:
        result = emulate(digits, get_cpu(name), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))
    np.testing.assert_array_equal(result.outputs["scores"], digits.execute({"image": images}).outputs["scores"])
    macs = sum(operator.macs for operator in digits.description.operators)
    assert macs < result.instructions < 60 * macs
    assert 0 < result.stack_bytes < 1024


def test_a_pool_too_small_is_caught(digits: Artifact, images: np.ndarray) -> None:
    """The firmware gives the model 16 bytes less than it was planned for."""
    model = digits.description
    (pool,) = model.pools
    smaller = replace(digits.native, model=replace(model, pools=(replace(pool, bytes=pool.bytes - 16),)))
    try:
        find = emulate(digits, get_cpu("cortex-m4"), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))
    assert find.instructions
    with pytest.raises(VerificationError, match="left its memory"):
        emulate(replace(digits, native=smaller), get_cpu("cortex-m4"), {"image": images})

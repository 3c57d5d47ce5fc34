"""Firmware calls a model through the interface that it is compiled with."""

from __future__ import annotations

import numpy as np
import pytest

import stillpool
from stillpool.driver.artifact import Artifact
from stillpool.driver.emulate.emulator import emulate
from stillpool.machines.cpus import get_cpu


@pytest.mark.parametrize("style", ["tvm", "ai", "x-cube-ai"])
def test_firmware_of_an_interface(style: str, digits: Artifact, images: np.ndarray, arm_gcc: str) -> None:
    pytest.importorskip("unicorn")
    made = stillpool.compile(digits.model, interface=style, pools=["sram"], workspace_io="all")
    result = emulate(made, get_cpu("cortex-m4"), {"image": images}, cc=arm_gcc)
    np.testing.assert_array_equal(result.outputs["scores"], digits.execute({"image": images}).outputs["scores"])

"""Poisoned builds of all public models, under the sanitisers: the same bits as the plain build, and whole pool ends.

What is read after the plan gave its bytes away reads the pattern instead, so a wrong plan shows in the outputs.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import models
import numpy as np
import pytest
import toolchain

import stillpool
from stillpool.errors import UnsupportedError
from stillpool.run.host import HostProgram
from stillpool.run.samples import random_inputs

# A network for images of 224 x 224 takes minutes under the sanitisers.
SMALL = ("hello_world_int8", "kws_int8", "micro_speech_quantized", "trained_lstm_int8")


CASES = [
    pytest.param(path, id=path.stem, marks=() if path.stem in SMALL else pytest.mark.sweep)
    for path in sorted(models.PUBLIC.glob("*.tflite"))
    if "224" not in path.stem
]


@pytest.mark.parametrize("path", CASES)
def test_a_poisoned_build_computes_the_same(path: Path) -> None:
    try:
        plain = stillpool.compile(path)
    except UnsupportedError as error:
        pytest.skip(f"{path.name}: {error}")
    poisoned = stillpool.compile(path, poison=True)
    inputs = random_inputs(plain.description, 2, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        program = HostProgram(poisoned.interface, poisoned.code, flags=("-O1", *toolchain.SANITISERS))
        found, expected = program.run(inputs).outputs, plain.execute(inputs).outputs
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name].view(np.uint8), values.view(np.uint8), err_msg=name)

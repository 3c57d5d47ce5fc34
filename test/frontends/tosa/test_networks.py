"""Small networks against what the TOSA reference model computes of them: integers are equal, floats nearly."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool

sys.path.insert(0, str(Path(__file__).parent))

from networks import NETWORKS, RECORDED, SAMPLES, inputs_of


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_a_network(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.mlir"
    file.write_text(NETWORKS[name]())
    artifact = stillpool.compile(stillpool.load(file))
    tensors = artifact.description.inputs
    given = inputs_of(name, [(tensor.dtype, tensor.shape) for tensor in tensors])
    outputs = artifact.execute({tensor.name: array for tensor, array in zip(tensors, given, strict=True)}).outputs
    with np.load(RECORDED) as recorded:
        wanted = [recorded[f"{name}/{number}"] for number in range(len(outputs))]
    made = {tuple(np.asarray(array)[sample].tobytes() for array in outputs.values()) for sample in range(SAMPLES)}
    assert len(made) == SAMPLES, "no two samples have equal results"
    for array, expected in zip(outputs.values(), wanted, strict=True):
        assert array.dtype == expected.dtype
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(array, expected, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(array, expected)

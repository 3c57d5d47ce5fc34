"""Values that no reference interpreter takes, where others will do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tflite_build import Operator, Tensor, options, write_model

import stillpool
from stillpool.errors import InputError

pytestmark = pytest.mark.extra("verify")


def test_a_division_by_the_zero_point(tmp_path: Path) -> None:
    tensors = [Tensor((4,), "uint8", (0.5,), (3,), name=name) for name in "abc"]
    operators = [Operator("DIV", (0, 1), (2,), options("Div"))]
    (tmp_path / "net.tflite").write_bytes(write_model(tensors, operators, (0, 1), (2,)))
    artifact = stillpool.compile(tmp_path / "net.tflite")
    by = np.array([[3, 4, 5, 6]], np.uint8)
    with pytest.raises(InputError, match=r"runs operator 0 DIV .*; other values may do: give some with --input$"):
        artifact.reference([by, by])
    assert artifact.reference([by, by + 1]).outputs

"""Small networks that once could not be compiled: they do, and compute what the reference does."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import stillpool
from stillpool.errors import InputError
from stillpool.run.verify import verify

NETWORKS = Path(__file__).parent / "networks"

CASES: dict[str, dict[str, Any]] = {
    # Nests without dimensions.
    "size_internal_cat1": {"target": "cortex-m4", "optimize": "size"},
    "size_internal_fc_sigmoid": {"target": "cortex-m0plus", "optimize": "size"},
    "size_internal_sigmoid1": {"target": "cortex-m55", "optimize": "size"},
    # A constant among what is concatenated, of no whole number of vectors.
    "m55_concat_a": {"target": "cortex-m55"},
    # Windows of several rows over maps of width 1, each row a buffer.
    "m55_rows_w1": {"target": "cortex-m55", "rows": "on"},
    # What is concatenated with what comes row by row.
    "stream_concat_mean": {"stream_input": "t0"},
    # A state of zeros with the scale 0.
    "mul_zero_scale": {},
}


@pytest.mark.skipif(importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed")
@pytest.mark.parametrize("name", CASES)
def test_compiles_and_agrees(name: str) -> None:
    verdict = verify(stillpool.compile(NETWORKS / f"{name}.tflite", **CASES[name]), samples=3)
    assert verdict.exact, verdict


def test_says_which_shapes_are_open() -> None:
    with pytest.raises(InputError) as caught:
        stillpool.compile(NETWORKS / "bigdyn_float.tflite")
    message = str(caught.value)
    assert "malformed" not in message
    assert "leaves the shapes of its inputs open, and cannot be compiled with 'keras_tensor' of [1, 1, 1, 3]" in message
    assert message.endswith("give --input-shape keras_tensor=N,N,N,3 with a number for each N")
    assert stillpool.compile(NETWORKS / "bigdyn_float.tflite", input_shapes={"keras_tensor": (1, 8, 8, 3)})

"""Networks too large to be looked at element by element compile in seconds, and little ones the same way."""

from __future__ import annotations

import time

import numpy as np
import pytest
from branched_graphs import branched_graph
from tflite_build import SAME, Tensor, constant, one_operator, options

from stillpool import compile
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.transforms.usmp.check import timed_run

SECONDS = 20
"""Processor time; what took minutes took gigabytes, too."""


def model(data: bytes) -> Model:
    """What to compile."""
    return Model("m", "m.tflite", import_tflite(data, "m"), data)


@pytest.mark.parametrize("extent", [8192, 16384])
def test_a_convolution_of_a_large_image(extent: int) -> None:
    image = Tensor((1, extent, extent, 1), "int8", (0.5,), (0,))
    filters = constant(np.ones((1, 3, 3, 1), np.int8), (0.01,))
    bias = Tensor((1,), "int32", (0.005,), (0,), data=np.zeros(1, np.int32))
    made = options("Conv2D", strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1, padding=SAME)
    start = time.process_time()
    artifact = compile(model(one_operator("CONV_2D", made, [image, filters, bias], image)))
    assert "test/test_m.c" in artifact.files
    assert time.process_time() - start < SECONDS
    (pool,) = artifact.description.workspace_pools
    # The output stays some rows behind the input.
    assert extent * extent < pool.bytes <= extent * (extent + 4)


def test_plans_are_accepted_in_ranges_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_run, "MOST_ELEMENTS", -1)
    for seed in range(6):
        prepare(model(branched_graph(seed).model)).module("pools")

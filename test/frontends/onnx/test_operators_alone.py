"""Quantised operators, each from its own input, against onnxruntime running the file as it is written.

Without optimisations it computes products in float32 and rounds ties the other way now and then; all else is equal.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx_graphs import Graph

import stillpool

pytestmark = pytest.mark.extra("onnx")

SAMPLES, SCALE = 40, 0.051713
WEIGHTS = np.random.default_rng(4)


def _bytes(*shape: int) -> np.ndarray:
    return WEIGHTS.integers(-127, 128, shape).astype(np.int8)


def _scales(count: int) -> np.ndarray:
    return WEIGHTS.uniform(0.002, 0.02, count).astype(np.float32)


Operator = Callable[[Graph, str, str], str]
PRODUCTS: dict[str, tuple[Operator, float]] = {
    "Conv": (lambda g, x, y: g.op("Conv", x, g.weights(_bytes(8, 6, 3, 3), _scales(8)), pads=[1] * 4), 0.1093),
    "Conv, depthwise": (
        lambda g, x, y: g.op("Conv", x, g.weights(_bytes(6, 1, 3, 3), _scales(6)), group=6, pads=[1] * 4),
        0.0541,
    ),
    "ConvTranspose": (lambda g, x, y: g.op("ConvTranspose", x, g.weights(_bytes(6, 8, 3, 3), 0.0093)), 0.1093),
    "Gemm": (
        lambda g, x, y: g.op("Gemm", g.op("Flatten", x), g.weights(_bytes(40, 384), _scales(40)), transB=1),
        0.4127,
    ),
    "MatMul": (lambda g, x, y: g.op("MatMul", x, g.weights(_bytes(8, 8), 0.013347)), 0.0611),
    "MatMul of two": (lambda g, x, y: g.op("MatMul", x, y), 0.31271),
}
"""What multiplies and sums, and the scale of its results."""
OTHERS: dict[str, tuple[Operator, float]] = {
    "Add": (lambda g, x, y: g.op("Add", x, y), 0.07),
    "Sub": (lambda g, x, y: g.op("Sub", x, y), 0.07),
    "Mul": (lambda g, x, y: g.op("Mul", x, y), 0.09),
    "Sigmoid": (lambda g, x, y: g.op("Sigmoid", x), 1 / 256),
    "Tanh": (lambda g, x, y: g.op("Tanh", x), 1 / 128),
    "LeakyRelu": (lambda g, x, y: g.op("LeakyRelu", x, alpha=0.3), 0.04),
    "HardSigmoid": (lambda g, x, y: g.op("HardSigmoid", x), 1 / 256),
    "Relu": (lambda g, x, y: g.op("Relu", x), 0.03),
    "MaxPool": (lambda g, x, y: g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), SCALE),
    "AveragePool": (lambda g, x, y: g.op("AveragePool", x, kernel_shape=[3, 3], pads=[1] * 4), 0.02),
    "GlobalAveragePool": (lambda g, x, y: g.op("GlobalAveragePool", x), 0.01),
    "Concat": (lambda g, x, y: g.op("Concat", x, y, axis=1), 0.06),
    "Transpose": (lambda g, x, y: g.op("Transpose", x, perm=[0, 2, 3, 1]), SCALE),
}
"""All but the last are as in onnxruntime, bit for bit."""
SOFTMAX: dict[str, tuple[Operator, float]] = {"Softmax": (lambda g, x, y: g.op("Softmax", x), 1 / 256)}


@pytest.mark.sweep
def test_each_operator_alone(tmp_path: Path) -> None:
    from onnx import load_model_from_string

    from stillpool.run.oracles.onnx import session_of

    g, named = Graph(), {**PRODUCTS, **OTHERS, **SOFTMAX}
    first, second = (g.input(1, 6, 8, 8) for _ in range(2))
    for operator, scale in named.values():
        # Scales without a common measure: few sums lie at halves, as in networks.
        operands = g.quantised(first, SCALE, 3), g.quantised(second, 0.048291, -20)
        g.outputs.append(g.quantised(operator(g, *operands), scale, -7))
    (tmp_path / "model.onnx").write_bytes(g.model())
    artifact = stillpool.compile(stillpool.load(tmp_path / "model.onnx"))
    inputs = np.random.default_rng(5).normal(size=(2, SAMPLES, 1, 6, 8, 8)).astype(np.float32) * 3
    outputs = artifact.execute({"input0": inputs[0], "input1": inputs[1]}).outputs.values()
    session = session_of(load_model_from_string(g.model()), "model.onnx")
    runs = [session.run(None, {"input0": a, "input1": b}) for a, b in zip(*inputs, strict=True)]
    elements = differing = 0
    for (name, (_, scale)), given, wanted in zip(named.items(), outputs, zip(*runs, strict=True), strict=True):
        steps = np.rint(np.abs(given.reshape(SAMPLES, -1) - np.stack(wanted).reshape(SAMPLES, -1)) / scale)
        assert len({sample.tobytes() for sample in given}) == SAMPLES, name
        if name in OTHERS:
            assert steps.max() == 0, name
        assert steps.max() <= 1, name
        if name in PRODUCTS:
            elements, differing = elements + steps.size, differing + int(steps.sum())
    assert elements > 30_000
    assert differing <= elements / 10_000, f"{differing} of {elements}"

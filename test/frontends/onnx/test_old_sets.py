"""Operators as old operator sets write them, many in one model, against onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from onnx_graphs import Compare, Graph

pytestmark = [pytest.mark.extra("onnx"), pytest.mark.sweep]

REDUCTIONS = ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2")


def outputs(g: Graph, x: str, square: str, rows: str) -> Sequence[str]:
    """Operators whose attributes became inputs, or got another meaning, after the model's operator set."""
    rng = np.random.default_rng(g.opset)

    def real(*shape: int) -> str:
        return g.constant(rng.normal(size=shape).astype(np.float32))

    def number(value: float) -> str:
        return g.constant(np.float32(value))

    old = g.opset
    made = [g.op(kind, x, axes=[1, 3], keepdims=keep) for kind in REDUCTIONS for keep in (0, 1)]
    made += [g.op(kind, x, axis=axis) for kind in ("Softmax", "LogSoftmax", "Hardmax") for axis in (1, 2, 3)]
    made.append(g.op("Clip", x, min=-0.5, max=0.7) if old < 11 else g.op("Clip", x, number(-0.5), number(0.7)))
    made.append(g.op("Dropout", x, ratio=0.3) if old < 12 else g.op("Dropout", x))
    made.append(g.op("Unsqueeze", g.op("Squeeze", x, axes=[0]), axes=[1, 4]))
    if old < 10:
        made.append(g.op("Slice", x, axes=[2, 3], starts=[1, -4], ends=[3, 2**31 - 1]))
    if old < 11:
        pads = [0, 0, 1, 2, 0, 0, 3, 1]
        made.append(g.op("Pad", x, pads=pads, value=0.5))
        made += [g.op("Pad", x, pads=pads, mode=mode) for mode in ("reflect", "edge")]
    scale, variance = real(4), g.constant(np.arange(1, 5, dtype=np.float32))
    made.append(g.op("BatchNormalization", x, scale, real(4), real(4), variance, epsilon=1e-3))
    made.append(g.op("InstanceNormalization", x, scale, real(4), epsilon=1e-3))
    made.append(g.op("LRN", x, size=3, alpha=0.3))
    made.append(g.op("PRelu", x, real(4, 1, 1)))
    made.append(g.op("Sum", x, real(4, 1, 1), x) if old > 7 else g.op("Sum", x, x))
    for place in ("SAME_UPPER", "SAME_LOWER"):
        made.append(g.op("AveragePool", x, kernel_shape=[3, 3], strides=[2, 2], auto_pad=place, count_include_pad=1))
        made.append(g.op("ConvTranspose", x, real(4, 2, 3, 3), strides=[2, 2], auto_pad=place, group=2))
    made.append(g.op("ConvTranspose", x, real(4, 2, 3, 3), strides=[2, 2], output_shape=[11, 13]))
    made.append(g.op("Gemm", square, real(5, 4), real(4), alpha=0.5, beta=2.0, transA=1))
    made.append(g.op("Flatten", x, axis=2))
    made.append(g.op("Elu", g.op("Selu", g.op("HardSigmoid", x, alpha=0.25)), alpha=0.7))
    gates = [real(2, 12, 3), real(2, 12, 4), real(2, 24)]
    made.append(g.op("GRU", rows, *gates, hidden_size=4, direction="bidirectional"))
    return made


@pytest.mark.parametrize("opset", [7, 9, 10, 12])
def test_what_old_sets_write(compared: Compare, opset: int) -> None:
    g = Graph(opset)
    x, square, rows = g.input(1, 4, 6, 7), g.input(5, 3), g.input(3, 1, 3)
    g.outputs = [*outputs(g, x, square, rows)]
    rng = np.random.default_rng(1)
    inputs = [rng.normal(size=(3, *shape)).astype(np.float32) for shape in ((1, 4, 6, 7), (5, 3), (3, 1, 3))]
    for name, (given, wanted) in zip(g.outputs, compared(g.model(), inputs), strict=True):
        np.testing.assert_allclose(given, wanted, rtol=1e-4, atol=1e-5, err_msg=name)

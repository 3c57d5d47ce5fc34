"""Five small networks of floats, and what `quantize_static` of onnxruntime makes of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx_graphs import Graph

STYLES = {"s8s8": ("QInt8", "QInt8"), "u8s8": ("QUInt8", "QInt8"), "u8u8": ("QUInt8", "QUInt8")}
"""Types of activations and weights."""
WIDE = {"s16s8": ("QInt16", "QInt8"), "u16u8": ("QUInt16", "QUInt8")}
"""Those with activations of 16 bits."""


class Layers:
    """Builds a network layer by layer with random weights."""

    def __init__(self, seed: int):
        self.g, self.rng = Graph(17), np.random.default_rng(seed)

    def weights(self, *shape: int) -> str:
        """Random numbers, smaller where more of them are summed."""
        depth = max(int(np.prod(shape[1:])), 1)
        return self.g.constant((self.rng.normal(size=shape) / np.sqrt(depth)).astype(np.float32))

    def conv(
        self, value: str, channels: int, depth: int, *, size: int = 3, relu: bool = True, **attributes: Any
    ) -> str:
        """A convolution with a bias, and Relu."""
        pads = [size // 2] * 4
        inputs = value, self.weights(channels, depth, size, size), self.weights(channels)
        made = self.g.op("Conv", *inputs, pads=pads, **attributes)
        return self.g.op("Relu", made) if relu else made

    def dense(self, value: str, depth: int, units: int) -> str:
        """A product and a bias."""
        return self.g.op("Gemm", value, self.weights(depth, units), self.weights(units))

    def ints(self, *values: int) -> str:
        """A constant of shapes and axes."""
        return self.g.constant(np.array(values, np.int64))


def cnn(n: Layers) -> tuple[int, ...]:
    """Convolutions, pools, a dense layer, softmax."""
    x = n.g.input(1, 3, 12, 12)
    value = n.g.op("MaxPool", n.conv(x, 8, 3), kernel_shape=[2, 2], strides=[2, 2])
    value = n.conv(value, 12, 8, strides=[2, 2])
    value = n.g.op("Flatten", value)
    n.g.outputs = [n.g.op("Softmax", n.dense(value, 108, 6))]
    return 1, 3, 12, 12


def depthwise(n: Layers) -> tuple[int, ...]:
    """Separable convolutions with Relu6, global pooling."""
    x = n.g.input(1, 2, 10, 10)
    value = n.conv(x, 8, 2, strides=[2, 2])
    for depth, channels in ((8, 12), (12, 16)):
        value = n.conv(value, depth, 1, group=depth, relu=False)
        value = n.g.op("Clip", value, n.g.constant(np.float32(0)), n.g.constant(np.float32(6)))
        value = n.conv(value, channels, depth, size=1)
    value = n.g.op("Flatten", n.g.op("GlobalAveragePool", value))
    n.g.outputs = [n.dense(value, 16, 5)]
    return 1, 2, 10, 10


def residual(n: Layers) -> tuple[int, ...]:
    """Sums with what goes around, and a join."""
    x = n.g.input(1, 3, 8, 8)
    value = n.conv(x, 8, 3)
    for _ in range(2):
        inner = n.conv(n.conv(value, 8, 8), 8, 8, relu=False)
        value = n.g.op("Relu", n.g.op("Add", value, inner))
    other = n.conv(value, 4, 8, size=1)
    value = n.g.op("Concat", value, other, axis=1)
    value = n.g.op("AveragePool", value, kernel_shape=[2, 2], strides=[2, 2])
    n.g.outputs = [n.dense(n.g.op("Flatten", value), 192, 4)]
    return 1, 3, 8, 8


def gru(n: Layers) -> tuple[int, ...]:
    """A convolution over time, a GRU that stays in floats, a dense layer."""
    x = n.g.input(1, 4, 12)
    value = n.g.op("Conv", x, n.weights(6, 4, 3), n.weights(6), pads=[1, 1])
    value = n.g.op("Transpose", n.g.op("Relu", value), perm=[2, 0, 1])
    weights = n.weights(1, 24, 6), n.weights(1, 24, 8), n.weights(1, 48)
    value = n.g.op("GRU", value, *weights, hidden_size=8, linear_before_reset=1)
    value = n.g.op("Squeeze", value, n.ints(1))
    last = n.g.op("Slice", value, n.ints(11), n.ints(12), n.ints(0))
    n.g.outputs = [n.dense(n.g.op("Squeeze", last, n.ints(0)), 8, 5)]
    return 1, 4, 12


def transformer(n: Layers) -> tuple[int, ...]:
    """Attention over rows, normalisation, two dense layers with GELU's parts."""
    x, width, rows = n.g.input(1, 6, 16), 16, 6
    heads = []
    for _ in range(3):
        value = n.g.op("MatMul", x, n.weights(width, width))
        heads.append(n.g.op("Reshape", value, n.ints(1, rows, 2, 8)))
    query, value = (n.g.op("Transpose", each, perm=[0, 2, 1, 3]) for each in (heads[0], heads[2]))
    key = n.g.op("Transpose", heads[1], perm=[0, 2, 3, 1])
    scores = n.g.op("Mul", n.g.op("MatMul", query, key), n.g.constant(np.float32(0.35)))
    mixed = n.g.op("MatMul", n.g.op("Softmax", scores, axis=-1), value)
    mixed = n.g.op("Reshape", n.g.op("Transpose", mixed, perm=[0, 2, 1, 3]), n.ints(1, rows, width))
    total = n.g.op("Add", x, n.g.op("MatMul", mixed, n.weights(width, width)))
    scale = n.g.constant(np.ones(width, np.float32))
    normal = n.g.op("LayerNormalization", total, scale, n.weights(width), axis=-1)
    inner = n.g.op("Sigmoid", n.g.op("MatMul", normal, n.weights(width, 24)))
    n.g.outputs = [n.g.op("Add", total, n.g.op("MatMul", inner, n.weights(24, width)))]
    return 1, rows, width


NETWORKS: tuple[Callable[[Layers], tuple[int, ...]], ...] = (cnn, depthwise, residual, gru, transformer)


def quantised(
    network: Callable[[Layers], tuple[int, ...]], style: str, *, per_channel: bool
) -> tuple[bytes, tuple[int, ...]]:
    """A network in QDQ form, and the shape of its input."""
    layers = Layers(sum(map(ord, network.__name__)))
    shape = network(layers)
    return in_integers(layers.g.model(), {"input0": shape}, style, per_channel=per_channel), shape


def of_file(file: Path) -> bytes:
    """A network of floats in a file, of any operator set, in QDQ form."""
    import onnx
    from onnx import version_converter

    model = version_converter.convert_version(onnx.load(file), 17)
    known = {tensor.name for tensor in model.graph.initializer}
    shapes = {
        value.name: tuple(dim.dim_value for dim in value.type.tensor_type.shape.dim)
        for value in model.graph.input
        if value.name not in known
    }
    return in_integers(model.SerializeToString(), shapes, "s8s8", per_channel=True)


def in_integers(data: bytes, shapes: Mapping[str, tuple[int, ...]], style: str, *, per_channel: bool) -> bytes:
    """A network of floats in QDQ form, calibrated by random inputs."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):
        def __init__(self) -> None:
            rng = np.random.default_rng(5)
            made = [{name: rng.normal(size=shape) for name, shape in shapes.items()} for _ in range(8)]
            self._given = iter([{name: array.astype(np.float32) for name, array in each.items()} for each in made])

        def get_next(self) -> Any:
            return next(self._given, None)

    types = [getattr(QuantType, name) for name in {**STYLES, **WIDE}[style]]
    with tempfile.TemporaryDirectory() as name:
        before, inferred, after = (Path(name) / f"{step}.onnx" for step in ("float", "inferred", "quantised"))
        before.write_bytes(data)
        quant_pre_process(before, inferred, skip_symbolic_shape=True)
        quantize_static(
            inferred,
            after,
            Reader(),
            quant_format=QuantFormat.QDQ,
            activation_type=types[0],
            weight_type=types[1],
            per_channel=per_channel,
        )
        return after.read_bytes()

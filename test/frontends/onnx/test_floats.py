"""Operators on floats against onnxruntime, many in one model."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from onnx_graphs import Compare, Compared, Graph

pytestmark = pytest.mark.extra("onnx")


def _ints(g: Graph, *values: int) -> str:
    return g.constant(np.array(values, np.int64))


def _near(outputs: Compared) -> None:
    for given, wanted in outputs:
        assert given.shape == wanted.shape
        np.testing.assert_allclose(given, wanted, rtol=1e-4, atol=2e-5)


def test_elements_and_rows(compared: Compare) -> None:
    rng, g = np.random.default_rng(5), Graph(20)
    x = g.input(2, 3, 4)
    positive = g.op("Abs", x)
    kinds = "Relu Sigmoid Tanh Exp Neg Floor Ceil HardSwish HardSigmoid Elu LeakyRelu Gelu Identity Sign Sin Cos Round"
    g.outputs = [g.op(kind, x) for kind in kinds.split()]
    g.outputs += [g.op("Sqrt", positive), g.op("Pow", positive, g.constant(np.float32(1.5)))]
    g.outputs += [g.op("Gelu", x, approximate="tanh"), g.op("Clip", x, g.constant(np.float32(-0.5)))]
    g.outputs += [g.op("Softmax", x, axis=axis) for axis in (0, 1, -1)]
    g.outputs += [g.op("LogSoftmax", x), g.op("PRelu", x, g.constant(np.array([[0.1], [0.2], [-0.3]], np.float32)))]
    g.outputs += [
        g.op(kind, x, g.constant(rng.normal(size=(3, 1)).astype(np.float32)))
        for kind in ("Add", "Sub", "Mul", "Div", "Max", "Min")
    ]
    g.outputs += [
        g.op("ReduceMax", x, _ints(g, 1)),
        g.op("ReduceSum", x, _ints(g, 0, 2), keepdims=0),
        g.op("ReduceMean", x),
    ]
    _near(compared(g.model(), [rng.normal(size=(3, 2, 3, 4)).astype(np.float32)]))


def test_extremes_of_infinities_are_infinite(compared: Compare) -> None:
    g = Graph(20)
    x = g.input(2, 3)
    g.outputs = [g.op(kind, x, _ints(g, 1)) for kind in ("ReduceMax", "ReduceMin")]
    rows = np.array([[[-np.inf] * 3, [np.inf] * 3], [[-np.inf, 1, np.inf], [-np.inf, -np.inf, 0]]], np.float32)
    for given, wanted in compared(g.model(), [rows]):
        np.testing.assert_array_equal(given, wanted)


def test_movement(compared: Compare) -> None:
    rng, g = np.random.default_rng(6), Graph()
    x = g.input(2, 3, 4)
    g.outputs = [
        g.op("Transpose", x, perm=[2, 0, 1]),
        g.op("Reshape", g.op("Transpose", x), _ints(g, 0, -1)),
        g.op("Flatten", x, axis=2),
        g.op("Unsqueeze", x, _ints(g, 0, -1)),
        g.op("Slice", x, _ints(g, 3, 0), _ints(g, -9, 2), _ints(g, 2, 1), _ints(g, -2, 1)),
        g.op("Gather", x, g.constant(np.array([[0, -1], [1, 1]])), axis=1),
        g.op("Pad", x, _ints(g, 0, 1, 2, 1, 0, 0), g.constant(np.float32(1.5))),
        g.op("Pad", x, _ints(g, 0, 1, 2, 0, 1, 1), mode="reflect"),
        g.op("Tile", x, _ints(g, 1, 2, 3)),
        g.op("Expand", g.op("Slice", x, _ints(g, 0), _ints(g, 1), _ints(g, 1)), _ints(g, 2, 3, 4)),
        g.op("Concat", x, x, axis=-1),
        g.op(
            "Reshape",
            x,
            g.op("Concat", g.op("Slice", g.op("Shape", x), _ints(g, 0), _ints(g, 1)), _ints(g, -1), axis=0),
        ),
    ]
    for given, wanted in compared(g.model(), [rng.normal(size=(2, 2, 3, 4)).astype(np.float32)]):
        np.testing.assert_array_equal(given, wanted)


def test_rows_that_do_not_lie_one_after_the_other(compared: Compare) -> None:
    """What is flattened may be stored with another dimension first."""
    rng, g = np.random.default_rng(17), Graph()
    x = g.input(2, 3, 4)
    matrix = g.constant(rng.normal(size=(8, 5)).astype(np.float32))
    rows = g.op("Reshape", g.op("Transpose", x, perm=[1, 0, 2]), _ints(g, 3, 8))
    g.outputs = [g.op("MatMul", rows, matrix), g.op("Gemm", rows, matrix)]
    _near(compared(g.model(), [rng.normal(size=(2, 2, 3, 4)).astype(np.float32)]))


def test_images(compared: Compare) -> None:
    rng, g = np.random.default_rng(7), Graph(18)

    def real(*shape: int) -> str:
        return g.constant(rng.normal(size=shape).astype(np.float32))

    x = g.input(1, 4, 6, 6)
    conv = g.op("Conv", x, real(5, 4, 3, 3), real(5), strides=[2, 1], pads=[1, 0, 2, 1])
    scale = g.constant(rng.uniform(0.5, 2, 4).astype(np.float32))
    g.outputs = [
        conv,
        g.op("Conv", x, real(8, 2, 3, 3), group=2, dilations=[2, 2]),
        g.op("Conv", x, real(8, 1, 2, 2), group=4, auto_pad="SAME_LOWER"),
        g.op("BatchNormalization", x, scale, real(4), real(4), scale),
        g.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
        g.op("AveragePool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        g.op("AveragePool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
        g.op("GlobalAveragePool", x),
        g.op("GlobalMaxPool", x),
        g.op("InstanceNormalization", x, real(4), real(4), epsilon=1e-3),
        g.op("DepthToSpace", x, blocksize=2),
        g.op("DepthToSpace", x, blocksize=2, mode="CRD"),
        g.op("SpaceToDepth", x, blocksize=3),
        g.op("Gemm", g.op("Flatten", g.op("Relu", conv)), real(100, 7), real(7), alpha=0.5, beta=2.0),
    ]
    for centres in ("half_pixel", "asymmetric", "align_corners"):
        sizes = _ints(g, 1, 4, 9, 12)
        g.outputs.append(g.op("Resize", x, "", "", sizes, mode="linear", coordinate_transformation_mode=centres))
        g.outputs.append(g.op("Resize", x, "", "", sizes, mode="nearest", coordinate_transformation_mode=centres))
    _near(compared(g.model(), [rng.normal(size=(2, 1, 4, 6, 6)).astype(np.float32)]))


@pytest.mark.parametrize("taps", [{}, {"dilations": [2, 2]}], ids=["side by side", "apart"])
def test_windows_that_reach_beyond_the_image(compared: Compare, taps: dict[str, object]) -> None:
    """The number of windows is rounded up, so that there is one."""
    g = Graph(19)
    x = g.input(1, 2, 4, 1)
    window = {"kernel_shape": [3, 2], "strides": [2, 4], "ceil_mode": 1, **taps}
    g.outputs = [g.op(kind, x, **window) for kind in ("MaxPool", "AveragePool")]
    g.outputs.append(g.op("AveragePool", x, **window, pads=[1, 0, 0, 0], count_include_pad=1))
    _near(compared(g.model(), [np.random.default_rng(10).normal(size=(3, 1, 2, 4, 1)).astype(np.float32)]))


def test_slopes_lie_along_the_last_dimensions(compared: Compare) -> None:
    """Also where there are as many as channels."""
    rng, g = np.random.default_rng(11), Graph()
    x, y = g.input(1, 3, 4, 3), g.input(1, 3, 3, 4)
    slopes = [rng.normal(size=shape).astype(np.float32) for shape in ((3,), (3, 1), (3, 1, 1))]
    g.outputs = [g.op("PRelu", value, g.constant(slope)) for value, slope in zip((x, y, y), slopes, strict=True)]
    shapes = (1, 3, 4, 3), (1, 3, 3, 4)
    _near(compared(g.model(), [rng.normal(size=(3, *shape)).astype(np.float32) for shape in shapes]))


def test_images_are_resized_as_sets_11_and_12_do(compared: Compare) -> None:
    g = Graph(11)
    x, empty = g.input(1, 2, 4, 6), g.constant(np.zeros(0, np.float32))
    for mode, scales in itertools.product(("nearest", "linear", "cubic"), ((1.5, 2), (0.5, 0.7))):
        factors = g.constant(np.array([1, 1, *scales], np.float32))
        where = {"mode": mode, "coordinate_transformation_mode": "tf_half_pixel_for_nn"}
        g.outputs.append(g.op("Resize", x, empty, factors, **where))
    _near(compared(g.model(), [np.random.default_rng(8).normal(size=(2, 1, 2, 4, 6)).astype(np.float32)]))


@pytest.mark.parametrize("opset", [7, 9, 10])
def test_images_are_resized_as_old_operator_sets_do(compared: Compare, opset: int) -> None:
    """They have no attributes for where elements lie; fewer elements are those behind."""
    rng, g = np.random.default_rng(9), Graph(opset)
    x, kind = g.input(1, 3, 6, 8), "Resize" if opset == 10 else "Upsample"
    factors = [(2, 2), (1.5, 3)] + ([(0.5, 0.75), (0.7, 1.7)] if opset == 10 else [])
    for mode in ("nearest", "linear"):
        for scales in ([1.0, 1.0, *each] for each in factors):
            if opset == 7:
                g.outputs.append(g.op(kind, x, mode=mode, scales=scales))
            else:
                g.outputs.append(g.op(kind, x, g.constant(np.array(scales, np.float32)), mode=mode))
    _near(compared(g.model(), [rng.normal(size=(2, 1, 3, 6, 8)).astype(np.float32)]))


def test_a_constant_chooses_a_branch(compared: Compare) -> None:
    from onnx import helper

    g = Graph()
    x = g.input(2, 3)
    branches = {
        name: helper.make_graph(
            [helper.make_node(kind, [x], [name])], name, [], [helper.make_empty_tensor_value_info(name)]
        )
        for name, kind in (("then_branch", "Relu"), ("else_branch", "Neg"))
    }
    chosen = g.op("Equal", g.op("Size", x), g.constant(np.array(6)))
    g.outputs = [g.op("If", chosen, **branches)]
    _near(compared(g.model(), [np.array([[[1, -2, 3], [4, 5, -6]]], np.float32)]))


def test_transposed_convolutions(compared: Compare) -> None:
    rng, g = np.random.default_rng(8), Graph(18)

    def conv(value: str, channels: int, *kernel: int, bias: int = 0, **attributes: Any) -> str:
        depth = 4 if value == x else 3
        arrays = [rng.normal(size=(depth, channels, *kernel))] + ([rng.normal(size=bias)] if bias else [])
        return g.op("ConvTranspose", value, *(g.constant(a.astype(np.float32)) for a in arrays), **attributes)

    x, row = g.input(1, 4, 5, 6), g.input(2, 3, 7)
    g.outputs = [
        conv(x, 3, 3, 2, bias=3, strides=[2, 1], pads=[1, 0, 0, 1]),
        conv(x, 2, 3, 3, bias=4, strides=[2, 2], group=2, output_padding=[1, 1], pads=[1, 1, 1, 1]),
        conv(x, 3, 2, 3, dilations=[2, 3]),
        conv(x, 3, 3, 3, strides=[2, 2], auto_pad="SAME_UPPER"),
        conv(x, 3, 3, 3, strides=[3, 2], output_shape=[14, 13]),
        conv(row, 4, 3, strides=[2], pads=[1, 1], output_padding=[1]),
    ]
    _near(compared(g.model(), [rng.normal(size=(2, *shape)).astype(np.float32) for shape in ((1, 4, 5, 6), (2, 3, 7))]))

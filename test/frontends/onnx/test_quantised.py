"""Quantised networks against onnxruntime with integer products: every element is equal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_graphs import Compare, Graph

import stillpool
from stillpool.errors import InputError

pytestmark = pytest.mark.extra("onnx")

STYLES = (("int8", "int8"), ("uint8", "int8"), ("uint8", "uint8"))


def _random(rng: np.random.Generator, dtype: str, *shape: int) -> np.ndarray:
    ends = np.iinfo(dtype)
    return rng.integers(ends.min, ends.max + 1, shape).astype(dtype)


@pytest.mark.parametrize(("activations", "kind"), STYLES)
@pytest.mark.parametrize("per_channel", [False, True])
def test_a_network(compared: Compare, activations: str, kind: str, per_channel: bool) -> None:
    """Convolutions, a residual, pools, a table, a join and a product, with a flattening that moves nothing."""
    rng, g = np.random.default_rng(1), Graph()
    least = np.iinfo(activations).min
    middle = {"int8": 3, "uint8": 131}[activations]
    weight_zero = 0 if kind == "int8" else 125

    def conv(value: str, scale: float, filters: int, depth: int, to: float, **attributes: Any) -> str:
        shape = (filters, depth, 3, 3)
        scales = rng.uniform(0.002, 0.02, filters).astype(np.float32) if per_channel else np.float32(0.011)
        weights = g.weights(_random(rng, kind, *shape), scales, weight_zero)
        bias = rng.integers(-2000, 2000, filters).astype(np.int32)
        summed = np.float32(scale) * np.broadcast_to(scales, filters).astype(np.float32)
        bias_scale = summed if per_channel else summed[0]
        known = g.weights(bias, bias_scale)
        return g.quantised(g.op("Conv", value, weights, known, **attributes), to, middle, activations)

    x = g.quantised(g.input(1, 3, 8, 8), 0.021, middle, activations)
    first = conv(x, 0.021, 6, 3, 0.05, pads=[1, 1, 1, 1])
    depthwise = conv(first, 0.05, 6, 1, 0.06, pads=[1, 1, 1, 1], group=6)
    total = g.quantised(g.op("Add", first, depthwise), 0.07, middle, activations)
    product = g.quantised(g.op("Mul", total, g.op("Sigmoid", total)), 0.04, middle, activations)
    largest = g.op("MaxPool", total, kernel_shape=[2, 2], strides=[2, 2])
    mean = g.quantised(g.op("AveragePool", product, kernel_shape=[2, 2], strides=[2, 2]), 0.03, middle, activations)
    joined = g.quantised(g.op("Concat", largest, mean, axis=1), 0.05, least, activations)
    strided = conv(joined, 0.05, 4, 12, 0.4, strides=[2, 2])
    rows = g.op("Flatten", g.op("Relu", strided))
    matrix = g.weights(_random(rng, kind, 4, 5), 0.012, weight_zero)
    result = g.quantised(g.op("MatMul", rows, matrix), 1.5, middle, activations)
    g.outputs = [result, total]
    inputs = [rng.normal(size=(12, 1, 3, 8, 8)).astype(np.float32) * 2]
    outputs = compared(g.model(), inputs)
    made = {tuple(given[sample].tobytes() for given, _ in outputs) for sample in range(12)}
    assert len(made) == 12, "no two samples have equal results"
    for given, wanted in outputs:
        np.testing.assert_array_equal(given, wanted)


def test_zero_points_may_be_left_out(compared: Compare) -> None:
    """Of weights, which are symmetric then, and of activations, which are bytes without sign."""
    rng, g = np.random.default_rng(12), Graph()

    def weights(scale: Any, *shape: int, **axis: int) -> str:
        return g.op("DequantizeLinear", g.constant(_random(rng, "int8", *shape)), g.constant(np.float32(scale)), **axis)

    def bare(value: str, scale: float) -> str:
        number = g.constant(np.float32(scale))
        return g.op("DequantizeLinear", g.op("QuantizeLinear", value, number), number)

    x = g.quantised(g.input(1, 4, 6, 6), 0.03, -5)
    conv = bare(g.op("Conv", x, weights(rng.uniform(0.01, 0.03, 5), 5, 4, 3, 3, axis=0)), 0.02)
    wide = bare(g.op("ConvTranspose", conv, weights(0.02, 5, 3, 2, 2), strides=[2, 2]), 0.05)
    g.outputs = [conv, wide, bare(g.op("MatMul", wide, weights(0.013, 8, 7)), 0.1)]
    g.outputs.append(g.quantised(g.op("MatMul", weights(0.017, 6, 8), wide), 0.1, 128, "uint8"))
    for given, wanted in compared(g.model(), [rng.normal(size=(10, 1, 4, 6, 6)).astype(np.float32) * 2]):
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("more", [{"beta": 0.0}, {"alpha": -1.5}, {"alpha": 0.5, "beta": 2.0}])
def test_factors_of_a_product_and_of_its_bias(compared: Compare, more: dict[str, float]) -> None:
    """The sum is one of reals, in the reference, too."""
    rng, g = np.random.default_rng(13), Graph()
    x = g.quantised(g.input(3, 8), 0.03, -5)
    weights, bias = g.weights(_random(rng, "int8", 8, 6), 0.0125), rng.integers(-2000, 2000, 6).astype(np.int32)
    known = g.weights(bias, np.float32(0.03) * np.float32(0.0125))
    g.outputs = [g.quantised(g.op("Gemm", x, weights, known, **more), 0.0731, 3)]
    other = g.weights(bias, 0.0005)
    g.outputs.append(g.quantised(g.op("Gemm", x, weights, other), 0.0731, 3))
    for given, wanted in compared(g.model(), [rng.normal(size=(10, 3, 8)).astype(np.float32) * 2]):
        np.testing.assert_array_equal(given, wanted)


def test_a_grouped_convolution_of_one_dimension_and_a_matrix_product(compared: Compare) -> None:
    rng, g = np.random.default_rng(2), Graph()
    x = g.quantised(g.input(1, 4, 12), 0.03, -5)
    weights = g.weights(_random(rng, "int8", 6, 2, 3), rng.uniform(0.01, 0.03, 6))
    conv = g.quantised(g.op("Conv", x, weights, group=2, dilations=[2], pads=[2, 2]), 0.1, 7)
    swapped = g.op("Transpose", conv, perm=[0, 2, 1])
    product = g.quantised(g.op("MatMul", swapped, conv), 0.9, -3)
    gemm_weights = g.weights(_random(rng, "int8", 7, 12), rng.uniform(0.01, 0.03, 7))
    row = g.op("Slice", product, *(g.constant(np.array(n)) for n in ([0], [1], [1])))
    part = g.op("Reshape", row, g.constant(np.array([1, 12])))
    g.outputs = [product, g.quantised(g.op("Gemm", part, gemm_weights, transB=1), 0.5, 1)]
    for given, wanted in compared(g.model(), [rng.normal(size=(10, 1, 4, 12)).astype(np.float32) * 2]):
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("opset", [13, 19])
def test_means_of_windows_that_are_rounded_up(compared: Compare, opset: int) -> None:
    """Ties are frequent with four taps of one scale: the order of the sums decides them."""
    rng, g = np.random.default_rng(12), Graph(opset)
    for extents, kernel, pads in (((6, 6), 2, 0), ((7, 7), 2, 0), ((8, 7), 3, 1)):
        x = g.quantised(g.input(1, 4, *extents), 0.037, 3)
        for counted in (0, 1):
            window = {"kernel_shape": [kernel] * 2, "strides": [2, 2], "pads": [pads] * 4, "count_include_pad": counted}
            g.outputs += [g.quantised(g.op("AveragePool", x, ceil_mode=up, **window), 0.037, -5) for up in (0, 1)]
    inputs = [rng.normal(size=(20, 1, 4, *e)).astype(np.float32) for e in ((6, 6), (7, 7), (8, 7))]
    for given, wanted in compared(g.model(), inputs):
        np.testing.assert_array_equal(given, wanted)


def test_integers_at_the_border(compared: Compare) -> None:
    """Bytes without a sign come in and go out as they are; a part that nobody quantises stays in floats."""
    rng, g = np.random.default_rng(3), Graph()
    x = g.input(1, 8, type=2)
    numbers = g.constant(np.float32(0.05)), g.constant(np.array(120, np.uint8))
    real = g.op("DequantizeLinear", x, *numbers)
    weights = g.weights(_random(rng, "int8", 8, 8), 0.01)
    product = g.op("MatMul", real, weights)
    g.outputs = [g.op("QuantizeLinear", product, *numbers), g.op("Softmax", g.op("Tanh", real))]
    (given, wanted), (soft, exact) = compared(g.model(), [_random(rng, "uint8", 20, 1, 8)])
    assert given.dtype == np.uint8
    np.testing.assert_array_equal(given, wanted)
    np.testing.assert_allclose(soft, exact, atol=1e-6)


def test_several_widths(compared: Compare) -> None:
    """A product whose operand and result differ in width is one of floats, and so is one whose sums leave int32."""
    rng, g = np.random.default_rng(6), Graph(21)
    x = g.quantised(g.input(1, 900), 0.02, 3)
    matrix = g.weights(_random(rng, "int8", 900, 6), 0.01)
    wide = g.quantised(g.op("Relu", g.op("MatMul", x, matrix)), 0.0007, -30000, "int16")
    other = g.quantised(g.input(1, 900), 0.0001, 32700, "uint16")
    large = g.quantised(g.op("Relu", g.op("MatMul", other, matrix)), 0.0009, 7, "uint16")
    joined = g.quantised(g.op("Relu", g.op("Concat", wide, large, axis=1)), 0.0009, 100, "int16")
    narrow = g.quantised(g.op("MatMul", joined, g.weights(_random(rng, "int8", 12, 4), 0.01)), 0.3, 5)
    numbers = (_random(rng, "int16", 1, 12), np.float32(0.0002), np.array(0, np.int16))
    constant = g.op("DequantizeLinear", *map(g.constant, numbers))
    product = g.quantised(g.op("Mul", joined, constant), 0.006, 0, "int16")
    g.outputs = [wide, large, joined, narrow, product]
    inputs = [rng.normal(size=(10, 1, 900)).astype(np.float32) for _ in range(2)]
    for (given, wanted), step in zip(compared(g.model(), inputs), (0.0007, 0.0009, 0.0009, 0.3, 0.006), strict=True):
        # Floats are summed in another order.
        assert np.abs(np.rint((given - wanted) / step)).max() <= 1


@pytest.mark.parametrize("activations", ["int8", "uint8"])
def test_operators_on_integers(compared: Compare, activations: str) -> None:
    """The QOperator form: scales are inputs of the operators."""
    rng, g = np.random.default_rng(4), Graph()
    zero = {"int8": -4, "uint8": 122}[activations]

    def numbers(scale: float, kind: str = activations, value: int = zero) -> tuple[str, str]:
        return g.constant(np.float32(scale)), g.constant(np.array(value, kind))

    x = g.op("QuantizeLinear", g.input(1, 3, 6, 6), *numbers(0.03))
    filter = g.constant(_random(rng, "int8", 4, 3, 3, 3))
    per_channel = g.constant(rng.uniform(0.01, 0.02, 4).astype(np.float32)), g.constant(np.zeros(4, np.int8))
    bias = g.constant(rng.integers(-900, 900, 4).astype(np.int32))
    conv = g.op("QLinearConv", x, *numbers(0.03), filter, *per_channel, *numbers(0.06), bias, pads=[1, 1, 1, 1])
    rows = g.op("Flatten", conv)
    matrix = g.constant(_random(rng, "int8", 144, 5))
    given = rows, *numbers(0.06), matrix, *numbers(0.01, "int8", 0)
    product = g.op("QLinearMatMul", *given, *numbers(0.4))
    condition, others = g.constant(np.array([[1, 0, 0, 1, 0]], bool)), g.constant(_random(rng, activations, 1, 5))
    parts = condition, product, *numbers(0.4), others, *numbers(0.3, value=zero + 5), *numbers(0.27)
    chosen = g.op("QLinearWhere", *parts, domain="com.microsoft")
    g.outputs = [g.op("DequantizeLinear", product, *numbers(0.4)), g.op("DequantizeLinear", chosen, *numbers(0.27))]
    for made, wanted in compared(g.model(), [rng.normal(size=(10, 1, 3, 6, 6)).astype(np.float32) * 2]):
        np.testing.assert_array_equal(made, wanted)


def test_scales_without_an_end(tmp_path: Path) -> None:
    """Quantisers make one of a mask that holds minus infinity: the message says so."""
    g = Graph()
    g.outputs = [g.quantised(g.input(1, 4), np.inf, 0)]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    with pytest.raises(InputError, match="the scale is inf, which quantisers make of a mask of -inf"):
        stillpool.load(file)


@pytest.mark.parametrize(("activations", "kind"), STYLES)
def test_transposed_convolutions(compared: Compare, activations: str, kind: str) -> None:
    """Each result is rounded once; sums are taken apart for the reference, which has no such operator on integers."""
    rng, g = np.random.default_rng(9), Graph()
    zero = 0 if kind == "int8" else 120
    middle = {"int8": -6, "uint8": 122}[activations]
    x = g.quantised(g.input(1, 4, 5, 5), 0.02, middle, activations)
    for scales, axis, groups in (np.float32(0.01), 0, 1), (rng.uniform(0.01, 0.02, 3), 1, 1), (np.float32(0.01), 0, 2):
        filters = _random(rng, kind, 4, 3, 3, 3)
        weights = g.weights(filters, scales, zero, axis)
        bias = g.weights(rng.integers(-900, 900, 3 * groups).astype(np.int32), np.float32(0.02) * np.float32(scales))
        product = g.op("ConvTranspose", x, weights, bias, strides=[2, 2], pads=[1, 1, 0, 0], group=groups)
        # A step of 128 products of steps: many sums lie at halves.
        g.outputs.append(g.quantised(product, 0.02 * 0.01 * 128, middle, activations))
    rows = g.quantised(g.input(1, 4, 9), 0.02, middle, activations)
    weights = g.weights(_random(rng, kind, 4, 3, 4), 0.01, zero)
    g.outputs.append(g.quantised(g.op("ConvTranspose", rows, weights, strides=[3]), 0.0317, middle, activations))
    inputs = [rng.normal(size=(20, 1, 4, *space)).astype(np.float32) for space in ((5, 5), (9,))]
    for given, wanted in compared(g.model(), inputs):
        assert len(np.unique(wanted)) > 50
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_sums_of_integers(compared: Compare, kind: str) -> None:
    """Dynamic quantisation: scales and zero points come at run time, sums are int32."""
    rng, g = np.random.default_rng(10), Graph()
    image, rows = g.input(1, 3, 6, 6), g.input(4, 8)
    filter, matrix = _random(rng, kind, 4, 3, 3, 3), _random(rng, kind, 8, 5)
    zero = g.constant(np.array(0 if kind == "int8" else 117, kind))
    for value, weights, product in (image, filter, "ConvInteger"), (rows, matrix, "MatMulInteger"):
        from onnx import helper

        names = [f"{product}_{each}" for each in ("steps", "scale", "zero")]
        g.nodes.append(helper.make_node("DynamicQuantizeLinear", [value], names))
        sums = g.op(product, names[0], g.constant(weights), names[2], zero)
        scale = g.op("Mul", names[1], g.constant(np.float32(0.01)))
        g.outputs += [names[0], names[1], names[2], sums, g.op("Mul", g.op("Cast", sums, to=1), scale)]
        if value == image:
            weights = g.constant(weights)
            g.outputs.append(g.op(product, names[0], weights, names[2], zero, pads=[1, 2, 0, 1], strides=[2, 1]))
            row = g.op("Reshape", names[0], g.constant(np.array([1, 3, 36])))
            narrow = g.constant(_random(rng, kind, 6, 1, 5))
            g.outputs.append(g.op(product, row, narrow, names[2], zero, pads=[3, 1], dilations=[2], group=3))
        else:
            several = g.constant(np.array([-128, 127, 0, 9, 1] if kind == "int8" else [0, 255, 128, 9, 1], kind))
            g.outputs.append(g.op(product, names[0], g.constant(weights), names[2], several))
    byte = g.input(1, 3, 6, 6, type=2)
    margin = g.constant(np.array(31, np.uint8))
    depthwise = g.constant(_random(rng, kind, 6, 1, 3, 3))
    g.outputs.append(g.op("ConvInteger", byte, g.constant(filter), margin, zero, pads=[1, 1, 1, 1]))
    g.outputs.append(g.op("ConvInteger", byte, depthwise, margin, zero, pads=[0, 1, 0, 1], group=3))
    inputs = [rng.normal(size=(6, *shape)).astype(np.float32) for shape in ((1, 3, 6, 6), (4, 8))]
    inputs[1][0] = 0
    for number, (given, wanted) in enumerate(compared(g.model(), [*inputs, _random(rng, "uint8", 6, 1, 3, 6, 6)])):
        assert given.dtype == wanted.dtype
        np.testing.assert_array_equal(given, wanted, err_msg=g.outputs[number])


@pytest.mark.parametrize("opset", [17, 18, 19, 22])
def test_means_are_added_in_the_reference_s_order(compared: Compare, opset: int) -> None:
    """Sums of columns, of every fourth element of a whole image, or row by row, as the operator set wants it."""
    g = Graph(opset)
    for size, kernel, stride, margin in (8, 2, 2, 0), (9, 3, 2, 1), (9, 3, 3, 0), (5, 5, 1, 0), (6, 6, 6, 0):
        value = g.quantised(g.input(1, 3, size, size), 0.0213, 3)
        attributes: dict[str, Any] = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [margin] * 4}
        g.outputs.append(g.quantised(g.op("AveragePool", value, **attributes), 0.0057, -2))
    g.outputs.append(g.quantised(g.op("GlobalAveragePool", value), 0.0057, -2))
    axes = {"axes": [2, 3]} if opset < 18 else {}
    wide = [g.constant(np.array([2, 3]))] if opset >= 18 else []
    g.outputs.append(g.quantised(g.op("ReduceMean", value, *wide, **axes), 0.0057, -2))
    rng = np.random.default_rng(11)
    inputs = [rng.normal(size=(40, 1, 3, size, size)).astype(np.float32) for size in (8, 9, 9, 5, 6)]
    for given, wanted in compared(g.model(), inputs):
        np.testing.assert_array_equal(given, wanted)


MEANS = (
    ((3, 7, 7), (2, 3)),
    ((3, 5, 4), (2, 3)),
    ((2, 3, 2), (2, 3)),
    ((5, 17), (2,)),
    ((5, 26), (2,)),
    ((7, 12), (2,)),
    ((3, 2, 33), (3,)),
    ((29,), (1,)),
    ((13, 6), (1,)),
    ((3, 11, 5), (2,)),
    ((2, 6, 3, 4), (2, 3)),
    ((4, 3, 3), (1, 2, 3)),
)
"""Shapes of one image, and axes of means."""


@pytest.mark.parametrize(("shape", "axes"), MEANS)
@pytest.mark.parametrize("keep", [0, 1])
def test_means_along_axes_are_added_in_the_reference_s_order(
    compared: Compare, shape: tuple[int, ...], axes: tuple[int, ...], keep: int
) -> None:
    """Half of the means lie between two steps, so that the last place of the sum decides.

    Elements that lie side by side are added in four lanes from a multiple of 16 bytes on, others by fours.
    """
    g, count = Graph(18), int(np.prod([(1, *shape)[axis] for axis in axes]))
    for scale, zero in (0.0213, 3), (0.0371, -40):
        value = g.quantised(g.input(1, *shape), scale, zero)
        mean = g.op("ReduceMean", value, g.constant(np.array(axes)), keepdims=keep)
        g.outputs.append(g.quantised(mean, scale * 2 / count, -2, "int16" if count > 250 else "int8"))
    rng = np.random.default_rng(11)
    inputs = [(rng.normal(size=(60, 1, *shape)) * scale / count**0.5 * 40).astype(np.float32) for scale in (0.02, 0.04)]
    for given, wanted in compared(g.model(), inputs):
        assert len(np.unique(wanted)) > 20
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("opset", [11, 19])
def test_means_of_resized_images(compared: Compare, opset: int) -> None:
    """In float32 in the reference's order between scales; of integers the fractions are dropped."""
    g = Graph(opset)
    shapes = [(1, 3, 5, 7), (1, 3, 8, 8)]
    none = g.constant(np.zeros(0, np.float32))
    for shape, to in zip(shapes, ((13, 9), (5, 3)), strict=True):
        x, sizes = g.input(*shape), g.constant(np.array([1, 3, *to]))
        for centres in ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"):
            how = {"mode": "linear", "coordinate_transformation_mode": centres}
            for dtype, zero in (("int8", 3), ("uint8", 100)):
                steps = g.quantised(x, 0.0213, zero, dtype)
                g.outputs.append(g.quantised(g.op("Resize", steps, none, none, sizes, **how), 0.0157, zero, dtype))
                numbers = g.constant(np.float32(0.0213)), g.constant(np.array(zero, dtype))
                integers = g.op("Resize", g.op("QuantizeLinear", x, *numbers), none, none, sizes, **how)
                g.outputs.append(g.op("DequantizeLinear", integers, *numbers))
            g.outputs.append(g.op("Resize", x, none, none, sizes, **how))
    rng = np.random.default_rng(12)
    for given, wanted in compared(g.model(), [rng.normal(size=(20, *shape)).astype(np.float32) for shape in shapes]):
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("opset", [13, 21])
def test_products_of_matrices_with_a_constant(compared: Compare, opset: int) -> None:
    """On the left, on the right, and with a scale for each row, which is a product of floats."""
    rng, g = np.random.default_rng(13), Graph(opset)
    x = g.quantised(g.input(2, 6, 5), 0.02, -7)
    left = g.weights(_random(rng, "int8", 2, 9, 6), 0.013)
    rows = g.weights(_random(rng, "int8", 2, 9, 6), rng.uniform(0.01, 0.02, 9), axis=1)
    matrix = g.weights(_random(rng, "int8", 5, 4), 0.012)
    columns = g.weights(_random(rng, "int8", 5, 4), rng.uniform(0.01, 0.02, 4), axis=1)
    for product in (left, x), (x, matrix), (x, columns):
        g.outputs.append(g.quantised(g.op("MatMul", *product), 0.21, 4))
    g.outputs.append(g.op("MatMul", rows, x))
    *exact, (given, wanted) = compared(g.model(), [rng.normal(size=(20, 2, 6, 5)).astype(np.float32)])
    np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-5)
    for given, wanted in exact:
        np.testing.assert_array_equal(given, wanted)


def _numbers(g: Graph, scale: float, zero_point: int) -> tuple[str, str]:
    return g.constant(np.float32(scale)), g.constant(np.array(zero_point, np.int8))


def test_pools_of_images_with_their_channels_last(compared: Compare) -> None:
    g = Graph()
    x = g.op("QuantizeLinear", g.input(1, 4, 6, 3), *_numbers(g, 0.03, 7))
    inputs, last = (x, *_numbers(g, 0.03, 7), *_numbers(g, 0.02, 9)), {"channels_last": 1, "domain": "com.microsoft"}
    pools = [g.op("QLinearGlobalAveragePool", *inputs, **last)]
    pools.append(g.op("QLinearAveragePool", *inputs, **last, kernel_shape=[3, 2], strides=[1, 2]))
    g.outputs = [g.op("DequantizeLinear", pool, *_numbers(g, 0.02, 9)) for pool in pools]
    for given, wanted in compared(
        g.model(), [np.random.default_rng(14).normal(size=(9, 1, 4, 6, 3)).astype(np.float32)]
    ):
        assert given.shape == wanted.shape
        # onnxruntime's integer operator is off by one now and then.
        assert np.abs(given - wanted).max() < 0.03
        assert len(np.unique(given)) > 9


def test_softmax_of_integers_is_that_of_the_set_it_names(compared: Compare) -> None:
    """Before set 13 all dimensions from the axis on are one."""
    g = Graph()
    x = g.op("QuantizeLinear", g.input(2, 3, 4), *_numbers(g, 0.03, 7))
    for more in ({"axis": 0}, {"axis": 1}, {"axis": 2}, {}):
        for opset in (11, 13):
            inputs = x, *_numbers(g, 0.03, 7), *_numbers(g, 1 / 256, -128)
            made = g.op("QLinearSoftmax", *inputs, domain="com.microsoft", opset=opset, **more)
            g.outputs.append(g.op("DequantizeLinear", made, *_numbers(g, 1 / 256, -128)))
    for given, wanted in compared(g.model(), [np.random.default_rng(15).normal(size=(9, 2, 3, 4)).astype(np.float32)]):
        assert np.abs(given - wanted).max() <= 1 / 256


def test_the_bias_of_a_product_of_integers_has_its_factor(compared: Compare) -> None:
    rng, g = np.random.default_rng(16), Graph()
    x = g.op("QuantizeLinear", g.input(3, 8), *_numbers(g, 0.03, 7))
    weights, bias = g.constant(_random(rng, "int8", 8, 5)), g.constant(rng.integers(-5000, 5000, 5).astype(np.int32))
    inputs = x, *_numbers(g, 0.03, 7), weights, *_numbers(g, 0.0125, 0), bias, *_numbers(g, 0.0731, 3)
    made = g.op("QGemm", *inputs, domain="com.microsoft", alpha=0.5)
    g.outputs = [g.op("DequantizeLinear", made, *_numbers(g, 0.0731, 3))]
    for given, wanted in compared(g.model(), [rng.normal(size=(9, 3, 8)).astype(np.float32)]):
        np.testing.assert_array_equal(given, wanted)

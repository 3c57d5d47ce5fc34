"""Operators that are written in others, where ONNX has no definition: results are onnxruntime's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx_graphs import Compare, Graph

import stillpool
from stillpool.errors import UnsupportedError

pytestmark = pytest.mark.extra("onnx")


def _ints(g: Graph, *values: int) -> str:
    return g.constant(np.array(values, np.int64))


def test_normalisations(compared: Compare) -> None:
    """Across channels, along an axis (of zeros, too), and of each image."""
    g = Graph(21)
    x = g.input(2, 6, 4, 5)
    g.outputs = [
        g.op("LRN", x, size=3),
        g.op("LRN", x, size=5, alpha=0.3, beta=0.5, bias=2.0),
        g.op("LpNormalization", x, axis=1),
        g.op("LpNormalization", x, p=1),
        g.op("LpNormalization", x, axis=-2, p=2),
    ]
    rows = np.random.default_rng(1).normal(size=(5, 2, 6, 4, 5)).astype(np.float32) * 3
    rows[0, 0, :, 1] = 0
    for given, wanted in compared(g.model(), [rows]):
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


def test_which_elements(compared: Compare) -> None:
    """What is no number or infinite, the largest, and halves of matrices."""
    g = Graph(20)
    x, y, places = g.input(3, 4), g.input(3, 4), g.input(2, 5, 3, type=7)
    g.outputs = [g.op("IsNaN", x), g.op("IsInf", x), g.op("IsInf", x, detect_negative=0)]
    g.outputs += [g.op("IsInf", x, detect_positive=0), g.op("IsInf", x, detect_positive=0, detect_negative=0)]
    g.outputs += [g.op("Hardmax", y), g.op("Hardmax", y, axis=0)]
    g.outputs += [g.op("Trilu", y), g.op("Trilu", y, _ints(g, -1), upper=0), g.op("Trilu", places, _ints(g, 1))]
    truths = g.op("Greater", y, g.constant(np.float32(0))), g.op("IsNaN", x)
    g.outputs += [g.op(kind, *truths) for kind in ("Xor", "Equal", "And", "Or")]
    rng = np.random.default_rng(2)
    odd = rng.normal(size=(6, 3, 4)).astype(np.float32)
    for value in (np.nan, np.inf, -np.inf):
        odd[rng.random(odd.shape) < 0.2] = value
    equals = rng.integers(-2, 3, (6, 3, 4)).astype(np.float32)
    inputs = [odd, equals, rng.integers(-9, 9, (6, 2, 5, 3))]
    for number, (given, wanted) in enumerate(compared(g.model(), inputs)):
        np.testing.assert_array_equal(given, wanted, err_msg=g.outputs[number])
        assert len(np.unique(wanted)) > 1 or number == 4


def test_norms_of_windows(compared: Compare) -> None:
    g = Graph(18)
    x, row = g.input(1, 3, 7, 6), g.input(2, 3, 9)
    window: dict[str, object] = {"kernel_shape": [3, 2], "strides": [2, 1]}
    g.outputs = [
        g.op("LpPool", x, **window),
        g.op("LpPool", x, **window, p=1, pads=[1, 0, 1, 1]),
        g.op("LpPool", x, **window, p=3, auto_pad="SAME_UPPER"),
        g.op("LpPool", x, **window, dilations=[2, 3], ceil_mode=1),
        g.op("LpPool", row, kernel_shape=[4]),
    ]
    rng = np.random.default_rng(4)
    inputs = [rng.normal(size=(5, *shape)).astype(np.float32) for shape in ((1, 3, 7, 6), (2, 3, 9))]
    for given, wanted in compared(g.model(), inputs):
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("opset", [7, 11, 12])
@pytest.mark.parametrize("kind", ["Hardmax", "Softmax", "LogSoftmax"])
def test_rows_of_old_sets_have_all_dimensions_from_the_axis_on(compared: Compare, kind: str, opset: int) -> None:
    """ONNX's converter keeps Hardmax as it is, which then means another thing."""
    g = Graph(opset)
    x = g.input(2, 3, 4, 5)
    g.outputs = [g.op(kind, x), *(g.op(kind, x, axis=axis) for axis in range(1, 4))]
    rows = np.random.default_rng(3).normal(size=(4, 2, 3, 4, 5)).astype(np.float32)
    for given, wanted in compared(g.model(), [rows]):
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize("ceil", [0, 1])
def test_pools_with_taps_that_lie_apart(compared: Compare, kind: str, ceil: int) -> None:
    g = Graph(19)
    x, row = g.input(1, 3, 11, 9), g.input(2, 4, 13)
    same = {"kernel_shape": [3, 2], "dilations": [2, 3], "ceil_mode": ceil}
    g.outputs = [g.op(kind, x, **same), g.op(kind, x, **same, pads=[2, 1, 1, 1], strides=[2, 2])]
    g.outputs.append(g.op(kind, row, kernel_shape=[3], dilations=[3], strides=[2], pads=[1, 2], ceil_mode=ceil))
    if kind == "AveragePool":
        g.outputs.append(g.op(kind, x, **same, pads=[2, 1, 1, 1], strides=[2, 2], count_include_pad=1))
    rng = np.random.default_rng(3)
    inputs = [rng.normal(size=(4, *shape)).astype(np.float32) for shape in ((1, 3, 11, 9), (2, 4, 13))]
    for number, (given, wanted) in enumerate(compared(g.model(), inputs)):
        assert given.shape == wanted.shape, number
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6, err_msg=str(number))


def test_places_of_dimensions_that_go_together(compared: Compare) -> None:
    g = Graph(17)
    x, places = g.input(2, 3, 4, 5), g.input(2, 3, 6, 1, type=7)
    g.outputs = [
        g.op("GatherND", x, places, batch_dims=2),
        g.op("GatherND", x, g.constant(np.array([[[1, 2], [2, -1]], [[0, 0], [1, 3]]])), batch_dims=1),
    ]
    rng = np.random.default_rng(4)
    inputs = [rng.normal(size=(4, 2, 3, 4, 5)).astype(np.float32), rng.integers(-4, 4, (4, 2, 3, 6, 1))]
    for given, wanted in compared(g.model(), inputs):
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_samples_of_a_grid(compared: Compare, mode: str, padding: str) -> None:
    """Places inside, in the margin, and far outside of the image.

    Cubic samples take long: with both places of the corners where these change the taps, else with one.
    """
    corners = (0, 1) if mode != "cubic" or padding == "reflection" else (int(padding == "border"),)
    g = Graph(20)
    x, grid = g.input(2, 3, 5, 4), g.input(2, 6, 7, 2)
    g.outputs = [g.op("GridSample", x, grid, mode=mode, padding_mode=padding, align_corners=k) for k in corners]
    rng = np.random.default_rng(5)
    inputs = [rng.normal(size=(6, 2, 3, 5, 4)), rng.uniform(-1.6, 1.6, (6, 2, 6, 7, 2))]
    inputs[1][5] *= 4
    for given, wanted in compared(g.model(), [each.astype(np.float32) for each in inputs]):
        np.testing.assert_allclose(given, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "more",
    [{}, {"cubic_coeff_a": -0.5}, {"exclude_outside": 1}, {"coordinate_transformation_mode": "align_corners"}],
    ids=["plain", "curve", "inside", "corners"],
)
def test_images_are_resized_by_cubic(compared: Compare, more: dict[str, object]) -> None:
    g = Graph(18)
    x = g.input(1, 3, 7, 6)
    for scales in ((1, 1, 2, 2), (1, 1, 2, 1), (1, 1, 0.6, 1.7)):
        factors = g.constant(np.array(scales, np.float32))
        if "coordinate_transformation_mode" not in more or scales[2] == 2:
            g.outputs.append(g.op("Resize", x, "", factors, mode="cubic", **more))
    g.outputs.append(g.op("Resize", x, "", "", _ints(g, 1, 3, 4, 13), mode="cubic", **more))
    images = np.random.default_rng(6).normal(size=(5, 1, 3, 7, 6)).astype(np.float32)
    for given, wanted in compared(g.model(), [images]):
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
def test_sizes_that_keep_the_aspect_ratio(compared: Compare, policy: str) -> None:
    g = Graph(19)
    x = g.input(1, 2, 5, 8)
    same = {"keep_aspect_ratio_policy": policy, "axes": [2, 3]}
    g.outputs = [g.op("Resize", x, "", "", _ints(g, *size), mode="linear", **same) for size in ((7, 9), (12, 6))]
    images = np.random.default_rng(7).normal(size=(3, 1, 2, 5, 8)).astype(np.float32)
    for given, wanted in compared(g.model(), [images]):
        assert given.shape == wanted.shape
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


def test_equations(compared: Compare) -> None:
    """Diagonals, any number of tensors, an ellipsis, and constants."""
    rng, g = np.random.default_rng(8), Graph(17)
    x, y, z = g.input(2, 3, 3), g.input(2, 3, 4), g.input(4, 5)
    weights = g.constant(rng.normal(size=(3, 3, 4)).astype(np.float32))
    one = g.constant(rng.normal(size=(1, 4, 5)).astype(np.float32))
    equations: list[tuple[str, *tuple[str, ...]]] = [
        ("bii->bi", x),
        ("...ii->...", x),
        ("bii->ib", x),
        ("bij,bjk,kl->bil", x, y, z),
        ("bij,bjk,kl", x, y, z),
        ("...ij,...jk->...ik", x, y),
        ("...ij,...jk", y, one),
        ("bij,iij,bik->bk", y, weights, x),
        ("bjk,kl->lb", y, z),
        ("i...->...", x),
    ]
    g.outputs = [g.op("Einsum", *inputs, equation=equation) for equation, *inputs in equations]
    inputs = [rng.normal(size=(4, *shape)).astype(np.float32) for shape in ((2, 3, 3), (2, 3, 4), (4, 5))]
    for number, (given, wanted) in enumerate(compared(g.model(), inputs)):
        assert given.shape == wanted.shape, equations[number]
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-5, err_msg=equations[number][0])


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_blocks_become_channels_in_both_orders(tmp_path: Path, mode: str) -> None:
    """The mode came with operator set 28; ONNX's own reference is asked, as onnxruntime has it later."""
    from onnx.reference import ReferenceEvaluator

    g = Graph(28)
    g.outputs = [g.op("SpaceToDepth", g.input(1, 3, 4, 6), blocksize=2, mode=mode)]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    given = {"input0": np.arange(72, dtype=np.float32).reshape(1, 3, 4, 6)}
    (made,) = stillpool.compile(stillpool.load(file)).run(given).values()
    np.testing.assert_array_equal(made, ReferenceEvaluator(str(file)).run(None, given)[0])


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_corners_that_do_not_meet(tmp_path: Path, mode: str) -> None:
    """What onnxruntime and ONNX's definition do differs where scales leave a part of an element."""
    g = Graph(18)
    factors = g.constant(np.array([1, 1, 0.8, 0.8], np.float32))
    same = {"mode": mode, "coordinate_transformation_mode": "align_corners"}
    g.outputs = [g.op("Resize", g.input(1, 1, 4, 4), "", factors, **same)]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    with pytest.raises(UnsupportedError, match="align_corners with scales that leave a part of an element"):
        stillpool.load(file)

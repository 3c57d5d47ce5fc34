"""Operators that read elements at places, and those that follow from others, against onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper
from onnx_graphs import Compare, Compared, Graph

import stillpool
from stillpool.run.samples import random_inputs

pytestmark = pytest.mark.extra("onnx")

F32, U8, I32, I64 = 1, 2, 6, 7


def _near(outputs: Compared) -> None:
    for given, wanted in outputs:
        assert (given.shape, given.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-5)


def _ints(g: Graph, *values: int) -> str:
    return g.constant(np.array(values, np.int64))


def _reals(g: Graph, *shape: int) -> str:
    return g.constant(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


def test_places_at_run_time(compared: Compare) -> None:
    """Negative ones count from the back; integers of a dequantised table stay integers."""
    rng, g = np.random.default_rng(1), Graph()
    indices, narrow, data = g.input(2, 4, type=I64), g.input(3, type=I32), g.input(4, 5, 3)
    rows = g.op("Reshape", indices, _ints(g, 4, 2))
    table = g.weights(rng.integers(-127, 128, (4, 6)).astype(np.int8), 0.03)
    g.outputs = [
        g.op("Gather", _reals(g, 4, 6), indices),
        g.quantised(g.op("Gather", table, indices), 0.03, 0),
        g.op("Gather", data, narrow, axis=-1),
        g.op("GatherElements", data, g.op("Reshape", indices, _ints(g, 2, 4, 1)), axis=1),
        g.op("GatherND", data, rows),
        g.op("OneHot", indices, _ints(g, 5), g.constant(np.array([-1, 2], np.float32)), axis=1),
        g.op("CumSum", data, _ints(g, 1), exclusive=1),
        g.op("CumSum", indices, _ints(g, -1), reverse=1),
    ]
    for number, (axis, largest) in enumerate(((-1, 1), (0, 0))):
        names = [f"values{number}", f"places{number}"]
        g.nodes.append(helper.make_node("TopK", [data, _ints(g, 2)], names, axis=axis, largest=largest))
        g.outputs += names
    places = rng.integers(-4, 4, (3, 2, 4)), rng.integers(-3, 3, (3, 3)).astype(np.int32)
    _near(compared(g.model(), [*places, rng.normal(size=(3, 4, 5, 3)).astype(np.float32)]))


def test_margins_of_its_own_elements(compared: Compare) -> None:
    rng, g = np.random.default_rng(2), Graph(19)
    x = g.input(1, 3, 5, 6)
    inside = g.op("MaxPool", x, kernel_shape=[1, 1])
    margins = (0, 1, 2, 1, 0, 0, 0, 3), (0, 0, -2, 1, 0, 0, 1, -3)
    modes = ("edge", "wrap", "reflect", "constant")
    g.outputs = [
        g.op("Pad", value, _ints(g, *m), mode=mode) for m in margins for mode in modes for value in (x, inside)
    ]
    _near(compared(g.model(), [rng.normal(size=(2, 1, 3, 5, 6)).astype(np.float32)]))


def test_rows_are_resized(compared: Compare) -> None:
    rng, g = np.random.default_rng(3), Graph()
    x = g.input(1, 3, 7)
    doubled = g.constant(np.array([1, 1, 2], np.float32))
    g.outputs = [
        g.op("Resize", x, "", doubled, mode="nearest"),
        g.op("Resize", x, "", doubled, mode="linear"),
        g.op("Resize", g.op("Conv", x, _reals(g, 4, 3, 3)), "", "", _ints(g, 1, 4, 11), mode="nearest"),
    ]
    _near(compared(g.model(), [rng.normal(size=(2, 1, 3, 7)).astype(np.float32)]))


def test_products_of_vectors_and_of_matrices_at_run_time(compared: Compare) -> None:
    rng, g = np.random.default_rng(4), Graph()
    a, b, v = g.input(4, 3), g.input(3, 5), g.input(4)
    g.outputs = [
        g.op("Gemm", a, b, _reals(g, 4, 5)),
        g.op("Gemm", b, a, _reals(g, 5, 1), transA=1, transB=1, alpha=0.5, beta=2.0),
        g.op("Gemm", a, _reals(g, 3, 5), _reals(g, 4, 5), alpha=2.0),
        g.op("Gemm", a, _reals(g, 3, 4), v),
        g.op("MatMul", v, _reals(g, 4, 5)),
        g.op("MatMul", v, a),
        g.op("MatMul", v, v),
        g.op("MatMul", b, _reals(g, 5)),
        g.op("MatMul", _reals(g, 2, 2, 4), a),
    ]
    shapes = (4, 3), (3, 5), (4,)
    _near(compared(g.model(), [rng.normal(size=(3, *shape)).astype(np.float32) for shape in shapes]))


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("bhid,bhjd->bhij", [(1, 2, 3, 4), (1, 2, 5, 4)]),
        ("bhij,bhjd->bihd", [(1, 2, 3, 5), (1, 2, 5, 4)]),
        ("bchw,bdhw->bcd", [(1, 3, 2, 4), (1, 5, 2, 4)]),
        ("abc,b->a", [(2, 3, 4), (3,)]),
        ("ij,jk", [(3, 4), (4, 2)]),
        ("ijk->ki", [(2, 3, 4)]),
    ],
)
def test_sums_by_an_equation(compared: Compare, equation: str, shapes: list[tuple[int, ...]]) -> None:
    rng, g = np.random.default_rng(5), Graph()
    names = [g.input(*shape) for shape in shapes]
    g.outputs = [g.op("Einsum", *names, equation=equation)]
    if len(shapes) == 2:
        g.outputs.append(g.op("Einsum", names[0], _reals(g, *shapes[1]), equation=equation))
    _near(compared(g.model(), [rng.normal(size=(2, *shape)).astype(np.float32) for shape in shapes]))


def test_integers_and_casts(compared: Compare) -> None:
    rng, g = np.random.default_rng(6), Graph()
    x, wide, bytes_ = g.input(3, 4, type=I32), g.input(3, 4, type=I64), g.input(3, 4, type=U8)
    real = g.op("Cast", bytes_, to=F32)
    scaled = g.op("Div", real, g.constant(np.float32(255)))
    g.outputs = [
        *(g.op(kind, x) for kind in ("Abs", "Neg", "Sign")),
        g.op("Neg", wide),
        g.op("Mod", wide, g.constant(np.array([3, -4, 5, 2]))),
        g.op("Clip", wide, g.constant(np.array(-2)), g.constant(np.array(5))),
        g.op("Cast", bytes_, to=I64),
        g.op("Cast", wide, to=U8),
        g.op("Cast", real, to=U8),
        g.quantised(scaled, 1 / 255, -128),
    ]
    given: list[Any] = [rng.integers(-9, 9, (2, 3, 4)), rng.integers(-9, 9, (2, 3, 4)), rng.integers(0, 256, (2, 3, 4))]
    _near(compared(g.model(), [a.astype(t) for a, t in zip(given, (np.int32, np.int64, np.uint8), strict=True)]))


def test_bounds_of_integers_are_as_far_as_they_reach(compared: Compare) -> None:
    g, ends = Graph(), np.iinfo(np.int64)
    x = g.input(6, type=I64)
    for bounds in ((0, ends.max), (ends.min, 3), (2**53 + 1, ends.max), (ends.min, ends.max)):
        g.outputs.append(g.op("Clip", x, *(g.constant(np.array(bound)) for bound in bounds)))
    given = np.array([[ends.min, -5, 0, 7, 2**53, ends.max]])
    for made, wanted in compared(g.model(), [given]):
        np.testing.assert_array_equal(made, wanted)


def test_margins_of_integers_are_as_large_as_they_are(compared: Compare) -> None:
    g, ends = Graph(), np.iinfo(np.int64)
    x, pads = g.input(3, type=I64), g.constant(np.array([1, 2]))
    g.outputs = [g.op("Pad", x, pads, g.constant(np.array(value))) for value in (-7, 2**53 + 1, ends.max, ends.min)]
    for made, wanted in compared(g.model(), [np.array([[1, 2, 3]])]):
        np.testing.assert_array_equal(made, wanted)


def test_functions_of_large_reals_and_reductions_that_do_nothing(compared: Compare) -> None:
    rng, g = np.random.default_rng(7), Graph(18)
    x = g.input(2, 3, 4)
    g.outputs = [g.op(kind, x) for kind in ("Softplus", "Mish", "ReduceLogSumExp")]
    g.outputs += [g.op("ReduceLogSumExp", x, _ints(g, -1), keepdims=0)]
    g.outputs += [g.op("ReduceSum", x, *more, noop_with_empty_axes=1) for more in ([], [_ints(g)])]
    _near(compared(g.model(), [rng.normal(size=(3, 2, 3, 4)).astype(np.float32) * 90]))


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_elements_are_put_at_places(compared: Compare, reduction: str) -> None:
    """Places at run time and constant ones, from the front and from the back, some of them twice."""
    rng, g = np.random.default_rng(9), Graph(18)
    x, more, slices = g.input(4, 5, 3), g.input(4, 2, 3), g.input(2, 5, 3)
    at, numbers = g.input(4, 2, 3, type=I64), g.input(4, 5, 3, type=I64)
    rows = g.op("Reshape", g.op("Slice", at, _ints(g, 0), _ints(g, 2), _ints(g, 0)), _ints(g, 4, 3))
    once, known = g.constant(np.array([[3], [-3]])), g.constant(np.tile(np.array([[[-1], [2]]]), (4, 1, 3)))
    same = {} if reduction == "none" else {"reduction": reduction}
    g.outputs = [
        g.op("ScatterND", x, once, slices, **same),
        g.op("ScatterElements", x, known, more, axis=1, **same),
        g.op("ScatterElements", numbers, known, at, axis=-2, **same),
    ]
    if reduction != "none":
        # Of several updates of an element onnxruntime may take any one.
        g.outputs.append(g.op("ScatterElements", x, at, more, axis=1, **same))
        g.outputs.append(g.op("ScatterND", x, rows, g.constant(rng.normal(size=4).astype(np.float32)), **same))
    inputs = [rng.normal(size=(3, *shape)).astype(np.float32) for shape in ((4, 5, 3), (4, 2, 3), (2, 5, 3))]
    _near(compared(g.model(), [*inputs, rng.integers(-3, 3, (3, 4, 2, 3)), rng.integers(-9, 9, (3, 4, 5, 3))]))


def test_places_outside_change_nothing(tmp_path: Path) -> None:
    """What ONNX leaves open: nothing beside the result is written."""
    g = Graph(18)
    x, at, more = g.input(4), g.input(3, 1, type=I64), g.input(3)
    g.outputs = [g.op("ScatterND", x, at, more)]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    given = {x: np.arange(4, dtype=np.float32), at: np.array([[4], [-5], [1]]), more: np.float32([7, 8, 9])}
    (made,) = stillpool.compile(stillpool.load(file)).run(given).values()
    np.testing.assert_array_equal(made, [0, 9, 2, 3])


def test_inputs_that_are_places_say_which_ones_there_are(tmp_path: Path) -> None:
    """Random ones keep inside: onnxruntime refuses others, as of an embedding that is verified."""
    g = Graph(18)
    rows, along, at, free = (g.input(2, 3, type=I64) for _ in range(4))
    table = _reals(g, 7, 3)
    g.outputs = [g.op("Gather", table, rows), g.op("GatherElements", table, along)]
    pairs = g.op("Reshape", at, _ints(g, 6, 1))
    g.outputs += [g.op("ScatterND", table, pairs, _reals(g, 6, 3)), g.op("CumSum", free, _ints(g, 0))]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    artifact = stillpool.compile(stillpool.load(file))
    assert [tensor.limits for tensor in artifact.description.inputs] == [(0, 6), (0, 6), (0, 6), ()]
    assert artifact.reference(list(random_inputs(artifact.description, 20, seed=1).values())).outputs[0].shape[0] == 20

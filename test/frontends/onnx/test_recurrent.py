"""Recurrent layers and choices at run time against onnxruntime, many in one model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_graphs import Compare, Graph

pytestmark = pytest.mark.extra("onnx")

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def _layer(
    g: Graph, rng: np.random.Generator, kind: str, value: str, *more: str, units: int = 4, **attributes: Any
) -> str:
    """The hidden states of a layer with random weights; `more` are the inputs behind the biases."""
    from onnx import helper

    count, depth = 2 if attributes.get("direction") == "bidirectional" else 1, 3
    shapes = (count, GATES[kind] * units, depth), (count, GATES[kind] * units, units), (count, 2 * GATES[kind] * units)
    weights = [g.constant(rng.normal(size=shape).astype(np.float32)) for shape in shapes]
    names = [f"{kind}{len(g.nodes)}_{each}" for each in ("all", "last", "cell")[: 3 if kind == "LSTM" else 2]]
    g.nodes.append(helper.make_node(kind, [value, *weights, *more], names, hidden_size=units, **attributes))
    return names[0]


@pytest.mark.parametrize("steps", [1, 5])
def test_layers(compared: Compare, steps: int) -> None:
    """Both directions, states that are given, peepholes, clipping, coupled gates; what is not read is not computed."""
    rng, g = np.random.default_rng(steps), Graph()
    x, hidden = g.input(steps, 2, 3), g.input(2, 2, 4)
    one = g.op("Slice", hidden, *(g.constant(np.array([n])) for n in (0, 1, 0)))
    peepholes = g.constant(rng.normal(size=(1, 12)).astype(np.float32))
    lengths = g.constant(np.array([steps, steps], np.int32))
    for kind in GATES:
        g.outputs.append(_layer(g, rng, kind, x))
        g.outputs.append(_layer(g, rng, kind, x, lengths, hidden, direction="bidirectional"))
        g.outputs.append(f"{kind}{len(g.nodes) - 1}_last")
    g.outputs.append(_layer(g, rng, "GRU", x, "", one, linear_before_reset=1, direction="reverse"))
    g.outputs.append(_layer(g, rng, "GRU", x, linear_before_reset=1, clip=0.5, activations=["HardSigmoid", "Relu"]))
    _layer(g, rng, "LSTM", x, "", one, one, peepholes)
    g.outputs.append(f"LSTM{len(g.nodes) - 1}_cell")
    g.outputs.append(_layer(g, rng, "LSTM", x, "", hidden, hidden, direction="bidirectional"))
    numbers: dict[str, Any] = {
        "activation_alpha": [1.2],
        "activation_beta": [0.7],
        "activations": ["Sigmoid", "Tanh", "ScaledTanh"],
    }
    g.outputs.append(_layer(g, rng, "LSTM", x, input_forget=1, **numbers))
    # onnxruntime limits what gates are given, and not the cell.
    for more, limited in (((), {}), (("", "", "", peepholes), {}), ((), {"input_forget": 1})):
        _layer(g, rng, "LSTM", x, *more, clip=0.3, **limited)
        g.outputs += [f"LSTM{len(g.nodes) - 1}_{each}" for each in ("last", "cell")]
    g.outputs.append(_layer(g, rng, "RNN", x, clip=0.3))
    inputs = [rng.normal(size=(3, *shape)).astype(np.float32) for shape in ((steps, 2, 3), (2, 2, 4))]
    for given, wanted in compared(g.model(), inputs):
        assert given.shape == wanted.shape
        np.testing.assert_allclose(given, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("by_channel", [False, True])
@pytest.mark.parametrize("unsigned", [False, True])
def test_layers_whose_weights_are_integers(compared: Compare, tmp_path: Path, by_channel: bool, unsigned: bool) -> None:
    """What `quantize_dynamic` makes of LSTM, with batches: all rows of a step have one scale."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    rng, g = np.random.default_rng(2), Graph()
    x, one, hidden = g.input(6, 2, 3), g.input(1, 2, 3), g.input(2, 2, 4)
    peepholes = g.constant(rng.normal(size=(1, 12)).astype(np.float32))
    cases: list[tuple[str, Sequence[str], dict[str, Any]]] = [
        (x, (), {"direction": "reverse"}),
        (x, ("", hidden, hidden), {"direction": "bidirectional"}),
        (x, ("", "", "", peepholes), {"clip": 1.5}),
        (one, ("", hidden, hidden), {"direction": "bidirectional"}),
        (x, (), {"input_forget": 1}),
    ]
    for value, more, options in cases:
        _layer(g, rng, "LSTM", value, *more, **options)
        g.outputs += [f"LSTM{len(g.nodes) - 1}_{each}" for each in ("all", "last", "cell")]
    (tmp_path / "floats.onnx").write_bytes(g.model())
    kind = QuantType.QUInt8 if unsigned else QuantType.QInt8
    made = tmp_path / "integers.onnx"
    quantize_dynamic(tmp_path / "floats.onnx", made, per_channel=by_channel, weight_type=kind)
    assert made.read_bytes().count(b"DynamicQuantizeLSTM") == 5
    inputs = [rng.normal(size=(3, *shape)).astype(np.float32) for shape in ((6, 2, 3), (1, 2, 3), (2, 2, 4))]
    for given, wanted in compared(made.read_bytes(), inputs):
        assert given.shape == wanted.shape
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-6)


def test_a_branch_chosen_at_run_time(compared: Compare) -> None:
    """Both branches read what is outside, which is computed once; comparisons choose elements."""
    from onnx import helper

    g = Graph()
    x, limit = g.input(2, 3), g.input(1)
    doubled = g.op("Mul", x, g.constant(np.float32(2)))
    branches = {
        name: helper.make_graph(
            [helper.make_node(kind, [doubled], [name])], name, [], [helper.make_empty_tensor_value_info(name)]
        )
        for name, kind in (("then_branch", "Relu"), ("else_branch", "Neg"))
    }
    above = g.op("Greater", limit, g.constant(np.float32(0.5)))
    chosen = g.op("If", above, **branches)
    outside = g.op("Or", g.op("Less", x, g.constant(np.float32(-0.5))), g.op("Not", above))
    g.outputs = [chosen, g.op("Where", outside, x, g.op("Add", doubled, chosen)), outside]
    rng = np.random.default_rng(3)
    inputs = [rng.normal(size=(4, 2, 3)).astype(np.float32), np.array([[0], [1], [0.5], [2]], np.float32)]
    for given, wanted in compared(g.model(), inputs):
        np.testing.assert_array_equal(given, wanted)


def test_what_is_refused(tmp_path: Path) -> None:
    import stillpool
    from stillpool.errors import UnsupportedError

    rng, g = np.random.default_rng(0), Graph()
    x, lengths = g.input(5, 2, 3), g.constant(np.array([5, 3], np.int32))
    g.outputs = [_layer(g, rng, "GRU", x, lengths), _layer(g, rng, "RNN", x, activations=["Softplus"])]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    with pytest.raises(UnsupportedError) as refused:
        stillpool.compile(stillpool.load(file))
    assert "GRU: sequences of several lengths cannot be compiled" in str(refused.value)
    assert "the activation Softplus cannot be compiled" in str(refused.value)


GOOD = (np.ones(1, np.float32), np.zeros(1, np.uint8))


@pytest.mark.parametrize(
    ("numbers", "units", "words"),
    [
        ((np.ones(1, np.float32), np.full(1, 3, np.uint8)), 4, "further than a byte from their zero point"),
        ((np.ones((1, 3), np.float32), GOOD[1]), 4, r"input 8 of shape \[1, 3\] does not fit 16 rows of weights"),
        ((GOOD[0], np.zeros((1, 3), np.uint8)), 4, r"input 9 of shape \[1, 3\] does not fit 16 rows of weights"),
        ((np.full(1, np.nan, np.float32), GOOD[1]), 4, "a scale of weights is not positive and finite"),
        (GOOD, 0, "the weights have no elements"),
    ],
    ids=["zero point", "scales", "zero points", "nan", "nothing"],
)
def test_integer_weights_that_are_refused(
    tmp_path: Path, numbers: tuple[np.ndarray, np.ndarray], units: int, words: str
) -> None:
    from onnx import helper

    import stillpool
    from stillpool.errors import InputError, UnsupportedError

    g = Graph()
    weights = [g.constant(np.full((1, depth, 4 * units), 255, np.uint8)) for depth in (3, units)]
    ways = [g.constant(each) for each in numbers]
    names = [g.input(5, 1, 3), *weights, "", "", "", "", "", *ways, *ways]
    node = helper.make_node("DynamicQuantizeLSTM", names, ["all"], domain="com.microsoft", hidden_size=units)
    g.nodes.append(node)
    g.outputs = ["all"]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    with pytest.raises((InputError, UnsupportedError), match=words):
        stillpool.compile(stillpool.load(file))


def test_a_layer_without_units_is_refused(tmp_path: Path) -> None:
    import stillpool
    from stillpool.errors import InputError

    g = Graph()
    g.outputs = [_layer(g, np.random.default_rng(0), "GRU", g.input(5, 1, 3), units=0)]
    file = tmp_path / "model.onnx"
    file.write_bytes(g.model())
    with pytest.raises(InputError, match="weights do not fit 0 units"):
        stillpool.compile(stillpool.load(file))

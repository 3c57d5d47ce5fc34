"""Sums that lie at halves: products are rounded once, whatever stands between them and QuantizeLinear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx_graphs import Graph

import stillpool

pytestmark = pytest.mark.extra("onnx")

STEP = 0.05
"""Of inputs and results; with weights of 0.01 every hundredth sum lies at a half."""


def _network(*chain: tuple[str, dict[str, object]], zero: int = -128, twice: bool = False, most: float = 6.0) -> bytes:
    """A convolution whose result goes through operators before it is quantised, for one reader or for two."""
    rng, g = np.random.default_rng(6), Graph()
    value = g.quantised(g.input(1, 3, 12, 12), STEP, 0)
    weights = g.weights(rng.integers(-100, 100, (16, 3, 3, 3)).astype(np.int8), 0.01)
    value = g.op("Conv", value, weights, pads=[1] * 4)
    for kind, attributes in chain:
        limits = [g.constant(np.float32(end)) for end in (0.0, most)] if kind == "Clip" else []
        value = g.op(kind, value, *limits, **attributes)
    g.outputs = [g.quantised(value, STEP, zero) for _ in range(1 + twice)]
    return g.model()


def _with_constants_as_nodes(data: bytes) -> bytes:
    """As PyTorch writes scales and zero points."""
    from onnx import helper, load_model_from_string

    model = load_model_from_string(data)
    nodes = [helper.make_node("Constant", [], [each.name], value=each) for each in model.graph.initializer]
    nodes += list(model.graph.node)
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.node.extend(nodes)
    return model.SerializeToString()


CHAINS = {
    "Relu, constants as nodes": _with_constants_as_nodes(_network(("Relu", {}))),
    "Relu": _network(("Relu", {})),
    "Clip": _network(("Clip", {})),
    "Clip, as far as bytes reach": _network(("Clip", {}), most=12.75),
    "Relu, two readers": _network(("Relu", {}), twice=True),
    "MaxPool, Transpose": _network(
        ("MaxPool", {"kernel_shape": [2, 2]}), ("Transpose", {"perm": [0, 2, 3, 1]}), zero=3
    ),
    "nothing, two readers": _network(zero=3, twice=True),
}


def _samples() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(30, 1, 3, 12, 12)).astype(np.float32) * 3


@pytest.mark.parametrize("model", CHAINS.values(), ids=CHAINS)
def test_the_reference_rounds_once(tmp_path: Path, model: bytes) -> None:
    (tmp_path / "model.onnx").write_bytes(model)
    artifact = stillpool.compile(stillpool.load(tmp_path / "model.onnx"))
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    made = artifact.execute({name: _samples()}).outputs.values()
    for given, wanted in zip(made, artifact.reference([_samples()]).outputs, strict=True):
        np.testing.assert_array_equal(np.asarray(given), wanted)


@pytest.mark.parametrize("kind", ["Relu", "Clip, as far as bytes reach"])
def test_onnxruntime_rounds_once_when_it_optimises(tmp_path: Path, kind: str) -> None:
    import onnxruntime

    (tmp_path / "model.onnx").write_bytes(CHAINS[kind])
    artifact = stillpool.compile(stillpool.load(tmp_path / "model.onnx"))
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    made = np.asarray(next(iter(artifact.execute({name: _samples()}).outputs.values())))
    found: list[bool] = []
    for level in ("ORT_ENABLE_ALL", "ORT_DISABLE_ALL"):
        options = onnxruntime.SessionOptions()
        # Where processors have no VNNI, sums of two products saturate at 16 bits without it.
        options.add_session_config_entry("session.x64quantprecision", "1")
        options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
        session = onnxruntime.InferenceSession(tmp_path / "model.onnx", options, providers=["CPUExecutionProvider"])
        runs = [np.asarray(session.run(None, {"input0": each})[0]) for each in _samples()]
        found.append(np.array_equal(made.reshape(-1), np.stack(runs).reshape(-1)))
    assert found == [True, False], "without optimisations it computes in float32, and turns ties"


def test_what_is_read_as_reals_too_stays_as_it_is_written() -> None:
    from stillpool.run.oracles.onnx import integer_products

    g = Graph()
    value = g.quantised(g.input(1, 4), STEP, 0)
    value = g.op("Relu", g.op("MatMul", value, g.weights(np.eye(4, dtype=np.int8), 0.01)))
    g.outputs = [g.quantised(value, STEP, 0), g.op("Neg", value)]
    kinds = [node.op_type for node in integer_products(g.model()).graph.node]
    assert kinds.count("MatMul") == 1
    assert "QLinearMatMul" not in kinds

"""The reference of a network that no interpreter runs whole: each operator by whoever has it."""

from __future__ import annotations

import math
from pathlib import Path

import litert_worker  # pyright: ignore[reportMissingImports]
import numpy as np
import pytest
import tflm_worker  # pyright: ignore[reportMissingImports]
from handmade_networks import activation, counter_network, dense, gelu_network, tile_network
from tflite_build import Operator, one_operator, options, write_model  # pyright: ignore[reportMissingImports]

import stillpool
from stillpool.errors import InputError
from stillpool.run.oracles.oracle import Reference
from stillpool.run.samples import Array, random_inputs
from stillpool.run.verify import JudgedOperator, Judges, verify

LITERT, BUILTIN = "LiteRT reference kernels", "LiteRT kernels without delegates"


def answer(model: bytes, folder: Path, samples: int = 4) -> tuple[list[Array], Reference]:
    """Random inputs of a model, and what its oracle says."""
    (folder / "net.tflite").write_bytes(model)
    artifact = stillpool.compile(folder / "net.tflite")
    given = random_inputs(artifact.description, samples, 1)
    inputs = [given[tensor.name] for tensor in artifact.description.inputs]
    return inputs, artifact.reference(inputs)


def test_each_operator_is_computed_from_the_values_before_it(tmp_path: Path) -> None:
    inputs, got = answer(gelu_network(), tmp_path, 32)
    assert [(one.index, one.operator, one.oracle) for one in got.judged] == [
        (0, "FULLY_CONNECTED", "TFLite Micro"),
        (1, "GELU", LITERT),
        (2, "FULLY_CONNECTED", "TFLite Micro"),
    ]
    assert got.words == f"TFLite Micro; {LITERT} for GELU"
    layer = one_operator("FULLY_CONNECTED", options("FullyConnected"), (activation("x"), *dense()), activation("y"))
    gelu = one_operator("GELU", options("Gelu", approximate=True), (activation("x"),), activation("y"))
    (first,) = tflm_worker.run(layer, inputs, 1)
    (second,) = litert_worker.run(gelu, [first], 1)
    (third,) = tflm_worker.run(layer, [second], 1)
    np.testing.assert_array_equal(got.outputs[0], third)


def test_verify_does_not_call_tflite_micros_rounding_wrong(tmp_path: Path) -> None:
    """LiteRT alone, which has every operator of it, rounds FULLY_CONNECTED otherwise."""
    (tmp_path / "net.tflite").write_bytes(gelu_network())
    artifact = stillpool.compile(tmp_path / "net.tflite")
    verdict = verify(artifact, samples=64)
    assert verdict.exact
    assert [(judges.oracle, len(judges.operators)) for judges in verdict.oracles] == [("TFLite Micro", 2), (LITERT, 1)]
    (minor,) = verdict.minor_oracles
    assert minor.words == f"{LITERT}: GELU (index 1)"
    inputs = random_inputs(artifact.description, 64, 0)
    (whole,) = litert_worker.run(gelu_network(), [inputs["a"]], 1)
    assert (whole != artifact.execute(inputs).outputs["d"]).any()


def test_what_the_reference_kernels_lack_the_usual_ones_compute(tmp_path: Path) -> None:
    inputs, got = answer(tile_network(), tmp_path)
    assert [(one.operator, one.oracle) for one in got.judged] == [("TILE", BUILTIN), ("RESHAPE", "TFLite Micro")]
    np.testing.assert_array_equal(got.outputs[0], np.repeat(inputs[0], 2, axis=2).reshape(4, 1, 96))


def test_a_state_stays_between_the_operators_that_share_it(tmp_path: Path) -> None:
    inputs, got = answer(counter_network(), tmp_path)
    assert got.judged[0].operator == "NEG"
    assert {one.oracle for one in got.judged[1:5]} == {got.judged[1].oracle}
    sums = -np.cumsum(inputs[0], axis=0)
    np.testing.assert_allclose(got.outputs[0], sums * (1 + np.vectorize(math.erf)(sums / np.sqrt(2))) / 2, atol=1e-5)


def test_the_operator_that_nobody_runs_is_named(tmp_path: Path) -> None:
    tensors = [activation("a"), activation("b"), activation("c")]
    operators = [Operator("RELU", (0,), (1,)), Operator("CUSTOM mystery", (1,), (2,), b"")]
    (tmp_path / "net.tflite").write_bytes(write_model(tensors, operators, (0,), (2,)))
    artifact = stillpool.compile(stillpool.load(tmp_path / "net.tflite", custom={"mystery": "mystery"}))
    with pytest.raises(InputError, match=r"interpreter knows operator 1 CUSTOM 'mystery' \(output 'c'\)$"):
        artifact.reference([np.zeros((1, *activation("a").shape), np.int8)])


def test_inner_tensors_are_given_where_operators_are_run_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "net.tflite").write_bytes(gelu_network())
    artifact = stillpool.compile(tmp_path / "net.tflite")
    inputs = random_inputs(artifact.description, 3, 1)["a"]
    got = artifact.reference([inputs], further=["b", "c", "no such tensor"])
    assert list(got.further) == ["b", "c"]
    alone = artifact.reference([inputs])
    np.testing.assert_array_equal(got.outputs[0], alone.outputs[0])
    assert got.further["c"].shape == (3, *activation("c").shape)


def test_many_operators_of_an_oracle_are_counted() -> None:
    judges = Judges("LiteRT", tuple(JudgedOperator(index, "EXP", "x") for index in range(8)))
    assert judges.words.endswith("EXP (index 5) and 2 more")

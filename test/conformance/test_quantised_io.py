"""`--quantised-io`: integers in place of reals at the edges, equal bit for bit to what the file makes of the reals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tflite_build import Operator, Tensor, constant, options, write_model

import stillpool
from stillpool.run.samples import random_inputs
from stillpool.run.verify import verify

SCALE, ZERO_POINT = 0.0372, -3


def dense(size: int, bias: str = "int32") -> tuple[Tensor, Tensor]:
    """Weights and bias of a FULLY_CONNECTED."""
    rng = np.random.default_rng(3)
    weights = constant(rng.integers(-127, 128, (size, size)).astype(np.int8), (0.013,))
    return weights, constant(rng.integers(-500, 500, size).astype(bias), (0.013 * SCALE,))


def network(dtype: str = "int8") -> bytes:
    """QUANTIZE, FULLY_CONNECTED, DEQUANTIZE, and an output of reals that something else makes."""
    size = 48
    reals = (1, size)
    zero_point = ZERO_POINT if dtype == "int8" else 0
    tensors = [
        Tensor(reals, "float32", name="x"),
        Tensor(reals, dtype, (SCALE,), (zero_point,), name="q"),
        *dense(size, "int64" if dtype == "int16" else "int32"),
        Tensor(reals, dtype, (0.05,), (zero_point,), name="r"),
        Tensor(reals, "float32", name="y"),
        Tensor(reals, "float32", name="z"),
    ]
    operators = [
        Operator("QUANTIZE", (0,), (1,), options("Quantize")),
        Operator("FULLY_CONNECTED", (1, 2, 3), (4,), options("FullyConnected")),
        Operator("DEQUANTIZE", (4,), (5,), options("Dequantize")),
        Operator("SOFTMAX", (5,), (6,), options("Softmax", beta=1.0)),
    ]
    return write_model(tensors, operators, (0,), (5, 6))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The network of int8."""
    path = tmp_path / "net.tflite"
    path.write_bytes(network())
    return path


def test_outputs_are_those_of_the_reals(file: Path) -> None:
    """Also those of the C without the option, on what the integers stand for."""
    made, before = stillpool.compile(file, quantised_io=True), stillpool.compile(file)
    assert verify(made, samples=200).passed
    given = random_inputs(made.description, 20, 3)["x"]
    assert given.dtype == np.int8
    reals = (given.astype(np.float32) - np.float32(ZERO_POINT)) * np.float32(SCALE)
    outputs, wanted = made.execute({"x": given}).outputs, before.execute({"x": reals}).outputs
    assert outputs["y"].dtype == np.int8
    np.testing.assert_array_equal((outputs["y"].astype(np.float32) - ZERO_POINT) * np.float32(0.05), wanted["y"])
    np.testing.assert_array_equal(outputs["z"], wanted["z"])


def test_header_manifest_and_self_test_have_integers(file: Path) -> None:
    made = stillpool.compile(file, quantised_io=True)
    files = made.tree()
    manifest = json.loads(files["manifest.json"])
    (x,), (y, z) = manifest["inputs"], manifest["outputs"]
    assert (x["dtype"], x["bytes"], x["zero_point"]) == ("int8", 48, [ZERO_POINT])
    assert x["scale"] == pytest.approx([SCALE])
    assert [(one["dtype"], one["zero_point"]) for one in (y, z)] == [("int8", [ZERO_POINT]), ("float32", [])]
    assert manifest["source"]["options"] == ["--quantised-io"]
    header = files["include/net.h"].decode()
    assert "#define NET_INPUT_X_SCALE 0.0372" in header
    assert f"#define NET_INPUT_X_ZERO_POINT ({ZERO_POINT})" in header
    assert "int8_t *x;" in header
    assert "golden" in files["test/test_net.c"].decode().lower()


def test_sixteen_bits(tmp_path: Path) -> None:
    (tmp_path / "wide.tflite").write_bytes(network("int16"))
    made = stillpool.compile(tmp_path / "wide.tflite", quantised_io=True)
    assert [tensor.dtype for tensor in made.description.inputs] == ["int16"]
    assert verify(made, samples=200).passed


def test_one_of_several_models_is_enough(file: Path, tmp_path: Path) -> None:
    tensors = [Tensor((1, 48), "int8", (SCALE,), (0,), name=name) for name in ("a", "b")]
    tensors[1:1] = dense(48)
    operators = [Operator("FULLY_CONNECTED", (0, 1, 2), (3,), options("FullyConnected"))]
    (tmp_path / "ints.tflite").write_bytes(write_model(tensors, operators, (0,), (3,)))
    made = stillpool.compile([file, tmp_path / "ints.tflite"], quantised_io=True)
    assert [[tensor.dtype for tensor in one.inputs] for one in made.descriptions] == [["int8"], ["int8"]]

"""Small networks against what the TOSA reference model computes of them: integers are equal, floats nearly."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import stillpool
from stillpool.driver.models.model import Model

sys.path.insert(0, str(Path(__file__).parent))

from networks import FILES, GIVEN, NETWORKS, RECORDED, SAMPLES, inputs_of
from tosa_text import Text


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_a_network(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.mlir"
    file.write_text(NETWORKS[name]())
    _equals_recorded(name, file)


@pytest.mark.parametrize("name", FILES)
def test_the_same_as_a_flatbuffer(name: str, tmp_path: Path) -> None:
    """The operators are those of the text, but for the names of tensors."""
    text, file = tmp_path / f"{name}.mlir", RECORDED.with_name(f"{name}.tosa")
    text.write_text(NETWORKS[name]())
    assert _operators(stillpool.load(file)) == _operators(stillpool.load(text))


@pytest.mark.parametrize("name", ["control", *GIVEN])
def test_a_flatbuffer_computes_the_same(name: str) -> None:
    """Also one of ExecuTorch, whose constants are padded to 16 bytes."""
    _equals_recorded(name, RECORDED.with_name(f"{name}.tosa"))


def _operators(model: Model) -> list[str]:
    """Every operation without names."""
    copy = model.nn.clone()
    for op in copy.walk():
        for key in [key for key in op.attributes if key.startswith("nn.")]:
            del op.attributes[key]
        for value in (*op.results, *(argument for region in op.regions for b in region.blocks for argument in b.args)):
            value.name_hint = None
        if isinstance(op, FuncOp):
            del op.properties["arg_attrs"], op.properties["res_attrs"]
    return str(copy).splitlines()


def _equals_recorded(name: str, file: Path) -> None:
    artifact = stillpool.compile(stillpool.load(file))
    tensors = artifact.description.inputs
    given = inputs_of(name, [(tensor.dtype, tensor.shape) for tensor in tensors])
    outputs = artifact.execute({tensor.name: array for tensor, array in zip(tensors, given, strict=True)}).outputs
    with np.load(RECORDED) as recorded:
        wanted = [recorded[f"{name}/{number}"] for number in range(len(outputs))]
    made = {tuple(np.asarray(array)[sample].tobytes() for array in outputs.values()) for sample in range(SAMPLES)}
    assert len(made) == SAMPLES, "no two samples have equal results"
    for array, expected in zip(outputs.values(), wanted, strict=True):
        assert array.dtype == expected.dtype
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(array, expected, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(array, expected)


def test_inputs_that_are_places_say_which_ones_there_are(tmp_path: Path) -> None:
    t = Text()
    rows, some, others = t.input("int8", 1, 9, 2), t.input("int32", 1, 4), t.input("int32", 1, 3)
    found = t.op("gather", [rows, some], "int8", (1, 4, 2))
    made = t.op("scatter", [rows, others, t.input("int8", 1, 3, 2)], "int8", (1, 9, 2))
    file = tmp_path / "places.mlir"
    file.write_text(t.module(found, made))
    inputs = stillpool.compile(stillpool.load(file)).description.inputs
    assert [tensor.limits for tensor in inputs] == [(), (0, 8), (0, 8), ()]

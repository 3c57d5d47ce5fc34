"""Inputs that are indices or divisors say which ones make sense."""

from __future__ import annotations

import numpy as np
import pytest
from tflite_build import Operator, Tensor, constant, one_operator, options, write_model

from stillpool import compile
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.run.samples import random_inputs

TABLE = constant(np.zeros((7, 2), np.float32))


def test_rows_of_a_table() -> None:
    indices, rows = Tensor((3, 4), "int32", name="indices"), Tensor((3, 4, 2), "float32")
    data = one_operator("GATHER", options("Gather"), (TABLE, indices), rows)
    module = import_tflite(data, "net")
    assert "nn.limits = array<i64: 0, 6>" in str(module)
    description = compile(Model("net", "net.tflite", module, data)).description
    assert description.inputs[0].limits == (0, 6)
    drawn = random_inputs(description, 20, 0)["indices"]
    assert set(drawn.flat) == set(range(7))


def test_the_smallest_of_several_dimensions() -> None:
    indices, places = Tensor((4, 2), "int32"), Tensor((4,), "float32")
    module = import_tflite(one_operator("GATHER_ND", options("GatherNd"), (TABLE, indices), places), "net")
    assert "nn.limits = array<i64: 0, 1>" in str(module)


def test_other_integers_have_none() -> None:
    pair = Tensor((4,), "int32")
    module = import_tflite(one_operator("ADD", options("Add"), (pair, pair), pair), "net")
    assert "nn.limits" not in str(module)


def test_indices_that_are_floats_at_first() -> None:
    floats, cast = Tensor((1, 4), "float32", name="words"), Tensor((1, 4), "int32")
    turned, rows = Tensor((4, 1), "int32"), Tensor((4, 1, 2), "float32")
    order = constant(np.array([1, 0], np.int32))
    operators = [
        Operator("CAST", (0,), (1,), options("Cast", inDataType=0, outDataType=2)),
        Operator("TRANSPOSE", (1, 2), (3,), options("Transpose")),
        Operator("GATHER", (4, 3), (5,), options("Gather")),
    ]
    data = write_model([floats, cast, order, turned, TABLE, rows], operators, (0,), (5,))
    module = import_tflite(data, "net")
    assert "nn.limits = array<i64: 0, 6>" in str(module)
    description = compile(Model("net", "net.tflite", module, data)).description
    drawn = random_inputs(description, 20, 0)["words"]
    assert drawn.dtype == np.float32
    assert set(drawn.flat) == set(range(7))


@pytest.mark.parametrize(
    ("operator", "dtype", "zero", "limits"),
    [
        ("DIV", "uint8", 120, (121, 255)),
        ("DIV", "int8", 5, (-128, 4)),
        ("DIV", "int32", None, (1, 2**31 - 1)),
        ("FLOOR_DIV", "int16", None, (1, 2**15 - 1)),
        ("FLOOR_MOD", "int32", None, (1, 2**31 - 1)),
    ],
)
def test_divisors_are_not_zero(operator: str, dtype: str, zero: int | None, limits: tuple[int, int]) -> None:
    """The reference interpreters end where one is, and nothing would be compared."""
    scaled = ((), ()) if zero is None else ((0.5,), (zero,))
    pair = [Tensor((3,), dtype, *scaled, name=name) for name in ("above", "below")]
    table = options({"DIV": "Div", "FLOOR_DIV": "FloorDiv", "FLOOR_MOD": "FloorMod"}[operator])
    module = import_tflite(one_operator(operator, table, pair, Tensor((3,), dtype, *scaled)), "net")
    assert str(module).count("nn.limits") == 1
    assert f"nn.limits = array<i64: {limits[0]}, {limits[1]}>" in str(module)


def test_what_is_divided_may_be_zero() -> None:
    floats = Tensor((3,), "float32")
    module = import_tflite(one_operator("DIV", options("Div"), [floats, floats], floats), "net")
    assert "nn.limits" not in str(module)

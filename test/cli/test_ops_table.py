"""`stillpool ops`: the table, and what a model uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stillpool.cli import main

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT.parent / "shared" / "models"


def operators(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    result = CliRunner().invoke(main, ["ops", *arguments, "--json"])
    assert result.exit_code == code, result.stderr
    return json.loads(result.stdout)["operators"]


def test_the_table_names_operators_and_types() -> None:
    table = {entry["op"]: entry["types"] for entry in operators()}
    assert list(table) == sorted(table)
    assert {"float32", "int8"} <= set(table["CONV_2D"])
    assert {"float32 to int8", "int16 to int8"} <= set(table["QUANTIZE"])


@pytest.mark.parametrize(
    ("kind", "known"), [("tosa", "CONV2D"), pytest.param("onnx", "QLinearConv", marks=pytest.mark.extra("onnx"))]
)
def test_other_kinds_have_a_list(kind: str, known: str) -> None:
    names = [entry["op"] for entry in operators("--kind", kind)]
    assert names == sorted(names)
    assert known in names
    text = CliRunner().invoke(main, ["ops", "--kind", kind]).stdout
    assert text.replace("\n", " ").rstrip().split(", ") == names
    assert max(map(len, text.splitlines())) <= 100


def test_a_model_uses_supported_operators() -> None:
    used = operators(str(ROOT / "examples" / "digits" / "digits.tflite"))
    assert all(entry["supported"] for entry in used)
    assert {"CONV_2D", "SOFTMAX"} <= {entry["op"] for entry in used}


def test_other_kinds_of_files_name_their_operators() -> None:
    used = operators(str(ROOT / "test" / "frontends" / "tosa" / "moves.tosa"))
    assert all(entry["supported"] and entry["count"] > 0 for entry in used)
    assert {"CONCAT", "PAD"} <= {entry["op"] for entry in used}
    loops = CliRunner().invoke(main, ["ops", str(ROOT / "examples" / "mlir" / "sobel.mlir")])
    assert loops.exit_code == 1
    assert "names no operators" in loops.stderr


def test_hybrid_operators_are_not_float_operators() -> None:
    path = PUBLIC / "kws_hybrid.tflite"
    if not path.exists():
        pytest.skip("../shared/models/kws_hybrid.tflite is not here")
    entries = {entry["op"]: (entry["types"], entry["supported"]) for entry in operators(str(path))}
    assert entries["CONV_2D"] == ("float32 x int8 to float32", True)
    assert entries["SOFTMAX"] == ("float32", True)


def test_a_model_without_subgraphs_is_malformed() -> None:
    path = PUBLIC / "ops" / "0_subgraphs.tflite"
    if not path.exists():
        pytest.skip("../shared/models/ops is not here")
    result = CliRunner().invoke(main, ["ops", str(path)])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)


def test_operators_of_branches_and_bodies_count() -> None:
    path = PUBLIC / "ops" / "nested_while.tflite"
    if not path.exists():
        pytest.skip("../shared/models/ops is not here")
    counts = {entry["op"]: entry["count"] for entry in operators(str(path))}
    assert counts == {"WHILE": 2, "EQUAL": 2, "MUL": 2, "ADD": 1}


@pytest.mark.parametrize("case", ["nested_if_20", "while_reshape_as_output"])
def test_control_flow_passes_on_tensors_of_several_types(case: str) -> None:
    """What compiles is not called unsupported."""
    path = PUBLIC.parent / "cases" / f"{case}.tflite"
    if not path.exists():
        pytest.skip("../shared/cases is not here")
    assert all(entry["supported"] for entry in operators(str(path)))

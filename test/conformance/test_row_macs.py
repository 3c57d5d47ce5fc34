"""No row is made twice: the points of all tasks, counted in the IR, are as many by rows as whole."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import sweeps
from branched_graphs import branched_graph
from streaming_graphs import streaming_graph
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp

from stillpool.dialects import nn_keys
from stillpool.dialects.task import NestOp
from stillpool.driver.compile.prepare import prepare
from stillpool.transforms.usmp.analysis.structure import entries, functions

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("cifar10", "kws_int8", "micro_speech_quantized", "person_detect", "resnet8_int8", "strww_int8", "vww_int8")
EVERY_DAY = ("cifar10", "kws_int8", "micro_speech_quantized", "strww_int8")
MODELS = [
    ROOT / "examples/digits/digits.tflite",
    *(
        pytest.param(path, marks=() if name in EVERY_DAY else pytest.mark.sweep)
        for name in NAMES
        if (path := ROOT.parent / f"shared/models/{name}.tflite").is_file()
    ),
]


def products_of(module: ModuleOp) -> Counter[int]:
    """Points at which products are summed, by the index of the operator in the model."""
    table, found = functions(module), Counter[int]()
    for call in (op for entry in entries(module) for op in entry.walk() if isinstance(op, func.CallOp)):
        origin = nn_keys.ORIGIN.get(call.attributes)
        for nest in (op for op in table[call.callee.string_value()].walk() if isinstance(op, NestOp)):
            multiplies = any(isinstance(op, arith.MuliOp | arith.MulfOp) for op in nest.step.walk())
            if origin is not None and nest.fold.data and multiplies:
                found[origin.index.data] += math.prod(nest.extents)
    return found


def counted(path: Path) -> tuple[Counter[int], Counter[int]]:
    """The products of each operator whole and by rows, whether or not a plan would take them."""
    made = prepare(path)
    ways = [replace(made, plan=replace(made.plan, rows=rows)) for rows in ("off", "split")]
    whole, by_rows = (products_of(way.module("tasks")) for way in ways)
    return whole, by_rows


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_networks_multiply_as_often_by_rows(path: Path) -> None:
    whole, by_rows = counted(path)
    assert whole.total()
    assert by_rows == whole


def check_graph(model: bytes, path: Path) -> None:
    """Where a window that reaches over an edge is cut off, an operator may have fewer products; none has more."""
    path.write_bytes(model)
    whole, by_rows = counted(path)
    assert by_rows.keys() == whole.keys()
    assert all(by_rows[index] <= whole[index] for index in whole), (whole, by_rows)


@pytest.mark.parametrize("seed", range(sweeps.size(6, long=60)))
def test_random_graphs_multiply_no_more_by_rows(seed: int, tmp_path: Path) -> None:
    check_graph(streaming_graph(seed).model, tmp_path / "image.tflite")
    check_graph(branched_graph(seed).model, tmp_path / "branched.tflite")

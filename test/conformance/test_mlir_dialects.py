"""Loops of every kind of operator, for every processor, have operations that MLIR's own tools know: they judge them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kinds import KINDS
from varied import examples

import stillpool
from stillpool.driver import pipeline
from stillpool.lowering.fx.lower_fx import LowerFxPass
from stillpool.lowering.simd import LowerSimdPass
from stillpool.machines.cpus import cpu_names

KNOWN = {"arith", "builtin", "func", "math", "memref", "scf", "vector"}
EVERY_DAY = ("CONV_2D int8", "FLOOR_MOD float32", "LOGISTIC int16", "SVDF int8")


@pytest.mark.parametrize(
    ("kind", "cpu"),
    [
        pytest.param(kind, cpu_names()[number % len(cpu_names())], marks=() if kind in EVERY_DAY else pytest.mark.sweep)
        for number, kind in enumerate(KINDS)
    ],
)
def test_operations_are_those_of_mlir(kind: str, cpu: str, tmp_path: Path) -> None:
    (one,) = examples(KINDS[kind], 1, f"MLIR {kind}")
    (tmp_path / "m.tflite").write_bytes(one.case().model)
    module = stillpool.load(tmp_path / "m.tflite").nn.clone()
    plan = pipeline.Plan(scheduled_for=cpu)
    passes = (*pipeline.to_tasks(plan), *pipeline.to_memref(), LowerSimdPass(), LowerFxPass())
    pipeline.apply(module, passes, where=kind)
    assert {op.name.partition(".")[0] for op in module.walk()} <= KNOWN

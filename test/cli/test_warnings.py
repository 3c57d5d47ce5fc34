"""What a user is told that ends nothing: schedules that are left out, self-tests without golden outputs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import stillpool
from stillpool.cli import main
from stillpool.dialects.task import NestOp
from stillpool.driver.compile.prepare import prepare
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule.known.database import Database, Record
from stillpool.lowering.schedule.known.known import Known
from stillpool.lowering.schedule.known.task_key import task_key
from stillpool.progress import warned
from stillpool.run import artifact

NOVELTY = Path(__file__).parents[2] / "examples/novelty/novelty.tflite"


def test_a_self_test_without_golden_outputs_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, "MOST_GOLDEN_MACS", 1000)
    done = CliRunner().invoke(main, ["compile", str(NOVELTY), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.stderr
    said = "note: the self-test of 'novelty' has no golden outputs: 3 samples take more than 1,000 multiplications\n"
    assert done.stderr.count(said) == 1
    assert CliRunner().invoke(main, ["compile", str(NOVELTY), "-q", "-o", str(tmp_path / "quiet")]).stderr == ""


def test_a_schedule_that_is_not_legal_is_named() -> None:
    module = prepare(NOVELTY).module("tasks")
    nest = next(op for op in module.walk() if isinstance(op, NestOp) and op.fold.names)
    constants, steps, said = Constants(module), "split d0 7, unroll d0_i", list[str]()
    digest, target = task_key(nest, constants), "cortex-m4"
    record = Record(digest, "a task", target, "instructions", "nobody", steps, 1, stillpool.__version__)
    with warned(said.append):
        for _ in range(2):
            assert Known(target, Database([record])).steps(nest, constants, None) is None
    assert len(said) == 1
    assert said[0].startswith(f"the schedule '{steps}' that was measured is left out, as its task does not allow it: ")

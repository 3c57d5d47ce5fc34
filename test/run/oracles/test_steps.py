"""The process of the interpreters may die or hang: the next interpreter is asked, or the search is left."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from handmade_networks import activation
from tflite_build import one_operator

from stillpool.errors import InputError
from stillpool.run.oracles import steps
from stillpool.run.oracles.steps import Step, take

RELU = one_operator("RELU", None, (activation("x"),), activation("y"))
GIVEN = {0: np.arange(-48, 48, dtype=np.int8).reshape(2, 1, 48)}


def chain(oracles: tuple[str, ...]) -> list[Step]:
    """RELU of RELU."""
    return [Step(RELU, (0,), (1,), oracles), Step(RELU, (1,), (2,), oracles)]


def test_what_no_later_step_reads_is_freed(tmp_path: Path) -> None:
    taken, found = take(tmp_path, chain(("tflm",)), GIVEN, [2], 2, 60)
    assert [one.oracle for one in taken] == ["tflm", "tflm"]
    np.testing.assert_array_equal(found[2], np.maximum(GIVEN[0], -3))
    assert [path.name for path in tmp_path.glob("*.npy")] == ["2.npy"]


def test_after_a_death_the_next_interpreter_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreters abort the process on some files."""
    runs: list[int] = []
    call = steps.call

    def dying(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        runs.append(len(runs))
        if len(runs) > 1:
            return call(command, **options)  # pyright: ignore[reportArgumentType]
        line = {"step": 0, "oracle": "tflm", "state": "trying", "reason": ""}
        (Path(command[-1]) / "journal.jsonl").write_text(json.dumps(line) + "\n")
        return subprocess.CompletedProcess(command, -signal.SIGABRT, b"", b"")

    monkeypatch.setattr(steps, "call", dying)
    taken, found = take(tmp_path, chain(("tflm", "litert")), GIVEN, [2], 2, 60)
    assert [one.oracle for one in taken] == ["litert", "tflm"]
    assert taken[0].refusals == {"tflm": "died of SIGABRT"}
    np.testing.assert_array_equal(found[2], np.maximum(GIVEN[0], -3))


def test_a_step_without_an_answer_ends_it(tmp_path: Path) -> None:
    broken = [Step(b"no model", (0,), (1,), ("tflm", "litert")), *chain(("tflm",))[1:]]
    taken, found = take(tmp_path, broken, GIVEN, [2], 2, 60)
    assert (len(taken), taken[0].oracle, found) == (1, None, {})
    assert set(taken[0].refusals) == {"tflm", "litert"}


def test_an_interpreter_that_takes_too_long_is_the_last_one_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def slow(command: list[str], **_: object) -> None:
        asked.append(command[-1])
        line = {"step": 0, "oracle": "tflm", "state": "trying", "reason": ""}
        (Path(command[-1]) / "journal.jsonl").write_text(json.dumps(line) + "\n")
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(steps, "call", slow)
    with pytest.raises(InputError, match="no answer from a reference interpreter: TFLite Micro took longer than 1 s"):
        take(tmp_path, chain(("tflm", "litert")), GIVEN, [2], 2, 1)
    assert asked == [str(tmp_path)]


def test_a_worker_that_dies_between_two_tries_is_no_interpreters_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dead(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, 9, b"", b"")

    monkeypatch.setattr(steps, "call", dead)
    with pytest.raises(InputError, match="the process of the reference interpreters died with exit code 9"):
        take(tmp_path, chain(("tflm",)), GIVEN, [2], 2, 60)

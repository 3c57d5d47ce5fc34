"""`stillpool tune`: measured in the emulator, kept in a file, taken by `compile`."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
import sweeps
from click.testing import CliRunner
from pretending import NOVELTY, network

from stillpool.cli import main
from stillpool.lowering.schedule.known.database import read_database

pytestmark = pytest.mark.extra("emulate")


def invoke(*arguments: str | Path | int) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(map(str, arguments)))
    return done.exit_code, done.stdout, done.stderr


def tuned(model: Path, path: Path, *arguments: str | Path) -> dict[str, Any]:
    code, out, err = invoke(
        "tune", model, "--target", "cortex-m4", "--schedules", path, "--trials", 4, "--json", *arguments
    )
    assert code == 0, err
    return json.loads(out)


def instructions(model: Path, *options: str | Path) -> int:
    code, out, err = invoke("run", model, "--target", "cortex-m4", "--optimize", "speed", "--json", *options)
    assert code == 0, err
    return json.loads(out)["runtime"]["instructions"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is tuned."""
    return network(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def found(model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The file, and what was printed."""
    path = tmp_path_factory.mktemp("tuned") / "s.jsonl"
    return path, tuned(model, path, "--jobs", "1")


def test_compile_takes_what_was_found(model: Path, found: tuple[Path, dict[str, Any]]) -> None:
    path, document = found
    total = document["search"]["total"]
    assert total["best"] <= total["speed"] < total["plain"]
    assert instructions(model, "--schedules", path) <= instructions(model)
    speed = ("--target", "cortex-m4", "--optimize", "speed", "--emit", "tasks")
    code, out, _ = invoke("compile", model, *speed, "--schedules", path)
    assert code == 0
    for one in document["search"]["tasks"]:
        # Dimensions have other names there.
        assert f"{one['best']['schedule'].rpartition(', ')[2]}>" in out


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["hello_world_int8", "hello_world_float"][: sweeps.size(1, long=2)])
def test_search_gains_three_percent(name: str, tmp_path: Path) -> None:
    model = Path(__file__).resolve().parents[3] / "shared" / "models" / f"{name}.tflite"
    if not model.exists():
        pytest.skip(f"../shared/models/{name}.tflite is not here")
    here = ("--schedules", tmp_path / "s.jsonl", "--jobs", 1)
    code, out, err = invoke("tune", model, "--target", "cortex-m4", "--trials", sweeps.size(6, long=8), "--json", *here)
    assert code == 0, err
    total = json.loads(out)["search"]["total"]
    assert total["best"] <= 0.97 * total["speed"]


def test_a_second_start_measures_nothing(model: Path, found: tuple[Path, dict[str, Any]]) -> None:
    path, document = found
    again = tuned(model, path, "--jobs", "1")
    assert [one["measured"] for one in again["search"]["tasks"]] == [0] * len(again["search"]["tasks"])
    for one, other in zip(document["search"]["tasks"], again["search"]["tasks"], strict=True):
        assert other == {**one, "measured": 0}


def test_several_processes_find_the_same(model: Path, found: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    path, document = found
    assert tuned(model, tmp_path / "s.jsonl", "--jobs", "2")["search"] == document["search"]
    assert read_database(tmp_path / "s.jsonl").records == read_database(path).records


def test_files_are_merged_and_exported(model: Path, found: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    path, document = found
    code, out, _ = invoke(
        "tune", "--schedules", tmp_path / "all", "--merge", path, "--export", tmp_path / "best", "--json"
    )
    assert code == 0
    assert json.loads(out)["merged"] == len(read_database(path).records)
    best = read_database(tmp_path / "best")
    assert len(best.records) < len(read_database(path).records)
    for one in document["search"]["tasks"]:
        record = best.best(one["task"], "cortex-m4")
        assert record is not None
        assert record.schedule == one["best"]["schedule"]
    assert instructions(model, "--schedules", tmp_path / "best") == instructions(model, "--schedules", path)


def test_a_runner_says_what_is_counted(model: Path, tmp_path: Path) -> None:
    document = tuned(model, tmp_path / "s.jsonl", "--trials", "3", "--runner", "wc -c {elf} samples.bin")
    assert document["search"]["cost"] == "runner"
    assert document["search"]["by"].endswith("; wc -c {elf} samples.bin")
    assert all(one["plain"]["value"] > 1000 for one in document["search"]["tasks"])


@pytest.mark.parametrize("runner", ["./on_board.sh {elf}", "sh on_board.sh {elf}"])
def test_a_runner_of_the_users_folder(
    model: Path, runner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs in the folder of the firmware."""
    monkeypatch.chdir(tmp_path)
    script = Path("on_board.sh")
    script.write_text('#!/bin/sh\ntest -f samples.bin && test -f "$1" && echo 1500\n')
    script.chmod(0o755)
    document = tuned(model, tmp_path / "s.jsonl", "--trials", "1", "--runner", runner)
    assert [one["plain"]["value"] for one in document["search"]["tasks"]] == [1500] * len(document["search"]["tasks"])


@pytest.mark.parametrize(
    ("runner", "words"),
    [
        ("true {elf}", "printed no number"),
        ("false {elf}", "the runner ended with 1"),
        ("no-such-program {elf}", "cannot be started"),
    ],
)
def test_a_runner_that_fails_ends_the_search(tmp_path: Path, runner: str, words: str) -> None:
    path = tmp_path / "s.jsonl"
    code, _, err = invoke("tune", NOVELTY, "--target", "cortex-m4", "--schedules", path, "--runner", runner)
    assert (code, words in err) == (2, True), err
    assert not path.exists()


@pytest.mark.parametrize(
    ("runner", "words"),
    [
        (
            "sh -c 'sleep 99 & sleep 99' {elf}",
            "the runner did not end within 0.5 s; give it more with --runner-seconds",
        ),
        ("yes {elf}", "the runner wrote more than 8 MiB; let it print the cost alone"),
    ],
)
def test_a_runner_without_an_end_is_ended(tmp_path: Path, runner: str, words: str) -> None:
    options = ("--target", "cortex-m4", "--schedules", str(tmp_path / "s.jsonl"), "--runner-seconds", "0.5")
    code, _, err = invoke("tune", NOVELTY, *options, "--runner", runner)
    assert (code, err.count("\n")) == (2, 1), err
    assert words in err


def test_cycles_need_a_model_of_the_processor(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    code, _, err = invoke("tune", NOVELTY, "--target", "cortex-m3", "--schedules", path, "--cost", "cycles")
    assert code == 2
    assert "no model of the cycles of cortex-m3" in err
    document = tuned(model, path, "--trials", "2", "--jobs", "1", "--cost", "cycles")
    assert document["search"]["cost"] == "cycles"


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    from terminal import Session, left_over  # type: ignore[import-not-found]

    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    arguments = ("tune", NOVELTY, "--target", "cortex-m4", "--schedules", "s.jsonl", "--jobs", "2")
    session = Session(*arguments, cwd=tmp_path, env={"STILLPOOL_TEST": mark})
    path = tmp_path / "s.jsonl"
    end = time.monotonic() + 600
    while not (path.exists() and path.read_text().count("\n") >= 3) and time.monotonic() < end:
        session.read_until(lambda _: path.exists() and path.read_text().count("\n") >= 3, 1)
    session.signal()
    code, out = session.finish()
    assert (code, out) == (130, "")
    assert "Traceback" not in session.screen
    kept = len(read_database(path).records)
    assert kept >= 3
    assert f"interrupted: {kept} measurements are kept in s.jsonl" in session.screen
    assert left_over(mark) == []
    assert [one.name for one in tmp_path.iterdir()] == ["s.jsonl"]

"""Ctrl-C: exit code 130, no traceback, nothing half-written, no process and no temporary folder left."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from terminal import Session, left_over

from stillpool.cli import main

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


def slow_compiler(folder: Path) -> Path:
    """A C compiler that starts a process of its own and never ends."""
    program = folder / "slow-cc"
    program.write_text(f'#!/bin/sh\ncase "$1" in --version) exit 0;; esac\ntouch "{folder}/started"\nsleep 300\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_a_compiler_runs(tmp_path: Path, number: signal.Signals) -> None:
    env = {"CC": str(slow_compiler(tmp_path)), "STILLPOOL_TEST": f"mark-{tmp_path.name}-{os.getpid()}"}
    session = Session("run", MODEL, "--output-dir", "out", cwd=tmp_path, env=env)
    # stillpool, the compiler, its sleep. A terminal that nobody reads would stop what writes to it.
    session.read_until(lambda _: (tmp_path / "started").exists() and len(left_over(env["STILLPOOL_TEST"])) >= 3)
    assert (tmp_path / "started").exists()
    session.signal(number)
    code, out = session.finish()
    assert (code, out) == (128 + number, "")
    assert "Traceback" not in session.screen
    assert "Aborted" not in session.screen
    assert left_over(env["STILLPOOL_TEST"]) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["slow-cc", "started"]


@pytest.mark.parametrize("word", ["nn-clean-up", "usmp-plan", "comparing", "writing"])
def test_at_any_stage_of_a_compilation(tmp_path: Path, word: str) -> None:
    session = Session("compile", MODEL, "-o", "project", cwd=tmp_path)
    session.read_until(lambda screen: word in screen)
    session.signal()
    code, out = session.finish()
    # It may have been over already.
    if code == 0:
        assert (tmp_path / "project" / "manifest.json").exists()
    else:
        assert (code, out) == (130, "")
        assert "Traceback" not in session.screen
        assert list(tmp_path.iterdir()) in ([], [tmp_path / "project"])
        if (tmp_path / "project").exists():
            assert (tmp_path / "project" / "manifest.json").exists()


def test_a_signal_after_the_work_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command has written its results, and click is about to end it."""

    def end(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(click.Context, "close", end)
    before = signal.getsignal(signal.SIGINT)
    assert CliRunner().invoke(main, ["ops"]).exit_code == 0
    assert signal.getsignal(signal.SIGINT) is before


def test_while_the_planner_searches(tmp_path: Path) -> None:
    rows = [f"{i},{i % 37},{i % 37 + 5 + i * 7 % 23},{1000 + i * 7919 % 5000}" for i in range(400)]
    (tmp_path / "buffers.csv").write_text("\n".join(["id,lower,upper,size", *rows]) + "\n")
    (tmp_path / "plan.csv").write_text("an older plan\n")
    session = Session("plan", "buffers.csv", "-o", "plan.csv", "--planner-seconds", "900", cwd=tmp_path)
    session.read_until(lambda screen: "placing 400 buffers" in screen)
    session.signal()
    assert session.finish() == (130, "")
    assert "Traceback" not in session.screen
    assert (tmp_path / "plan.csv").read_text() == "an older plan\n"
    assert sorted(os.listdir(tmp_path)) == ["buffers.csv", "plan.csv"]

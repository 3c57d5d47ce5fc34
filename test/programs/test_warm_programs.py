"""Python's programs are forks of one process, and what is asked of a process holds for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from programs.forked import SCRIPTS
from programs.popen import Popen
from stillpool.run.process import call

NEEDS = {"unicorn_runner": pytest.mark.extra("emulate"), "worker": pytest.mark.extra("verify")}
"""Without what a script imports it ends before it waits for anything."""
STILLPOOL, XDSL_OPT = (Path(sys.executable).with_name(name) for name in ("stillpool", "xdsl-opt"))


def start(*words: str | Path, **how: object) -> subprocess.Popen[str]:
    """Start a program with pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, **how)  # pyright: ignore


def is_warm(child: subprocess.Popen[Any]) -> bool:
    """Whether its parent is a server."""
    told = Path(f"/proc/{child.pid}/status").read_text()
    return any(f"\nPPid:\t{server.process}\n" in told for server in Popen.servers.values())


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc tells the parents of processes")
@pytest.mark.parametrize("how", [{}, {"env": {**os.environ, "PYTHONPATH": "/nowhere"}}, {"process_group": 0}])
def test_it_is_a_fork(how: dict[str, object]):
    """It waits for its input."""
    with start(XDSL_OPT, stdin=subprocess.PIPE, **how) as child:
        assert is_warm(child)
        assert (os.getpgid(child.pid) == child.pid) == ("process_group" in how)
        out, errors = child.communicate("builtin.module {}")
    assert (child.returncode, errors) == (0, "")
    assert out.startswith("builtin.module {\n}")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc tells the parents of processes")
@pytest.mark.parametrize("options", [("-P",), ("-P", "-W", "ignore"), ()], ids=str)
@pytest.mark.parametrize(
    "script", [pytest.param(path, marks=NEEDS.get(Path(path).stem, ()), id=Path(path).stem) for path in SCRIPTS]
)
def test_scripts_by_path_are_forks(
    script: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """They wait for their input; one that may import what stands beside it is a process."""
    monkeypatch.setattr(Popen, "store", None)
    os.mkfifo(tmp_path / "request.json")
    given = tmp_path if Path(script).stem == "worker" else tmp_path / "request.json"
    with subprocess.Popen([sys.executable, *options, script, str(given)]) as child:
        assert is_warm(child) == bool(options)
        child.kill()
        assert child.wait() == -signal.SIGKILL


@pytest.mark.parametrize("how", [{"start_new_session": True}, {"env": {**os.environ, "PYTHONOPTIMIZE": "1"}}])
def test_another_python_is_a_process(how: dict[str, object]):
    with start(STILLPOOL, "--version", **how) as child:
        assert child._told == -1  # pyright: ignore
        assert child.communicate()[0].startswith("stillpool, version")


def test_exit_codes_and_both_streams_come_back(tmp_path: Path):
    done = call([str(STILLPOOL), "compile", "none.tflite", "-o", "out"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"none.tflite" in done.stderr


def test_input_is_read():
    done = subprocess.run([XDSL_OPT], input="builtin.module {}", capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("builtin.module {\n}\n\n", "")


def test_signals_end_it():
    """A fork that waits for its input."""
    with subprocess.Popen([XDSL_OPT], stdin=subprocess.PIPE) as child:
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.01)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL


def test_a_folder_that_is_not_there_is_told():
    with pytest.raises(FileNotFoundError):
        start(STILLPOOL, "--version", cwd="/nowhere/at/all")

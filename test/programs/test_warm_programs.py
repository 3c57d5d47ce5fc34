"""Python's programs are forks of one process, and what is asked of a process holds for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from programs.popen import Popen
from stillpool.driver.process import call

STILLPOOL = Path(sys.executable).with_name("stillpool")


def start(*words: str, **how: object) -> subprocess.Popen[str]:
    """Start it with pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen([STILLPOOL, *words], stdout=pipe, stderr=pipe, text=True, **how)  # pyright: ignore


def is_warm(child: subprocess.Popen[str]) -> bool:
    """Whether its parent is the server."""
    server = Popen.server
    return server is not None and f"\nPPid:\t{server.process}\n" in Path(f"/proc/{child.pid}/status").read_text()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc tells the parents of processes")
@pytest.mark.parametrize("how", [{}, {"env": {**os.environ, "PYTHONPATH": "/nowhere"}}, {"process_group": 0}])
def test_it_is_a_fork(how: dict[str, object]):
    with start("--help", **how) as child:
        assert is_warm(child)
        assert (os.getpgid(child.pid) == child.pid) == ("process_group" in how)
        out, errors = child.communicate()
    assert (child.returncode, errors) == (0, "")
    assert out.startswith("Usage: stillpool")


@pytest.mark.parametrize("how", [{"start_new_session": True}, {"env": {**os.environ, "PYTHONOPTIMIZE": "1"}}])
def test_another_python_is_a_process(how: dict[str, object]):
    with start("--version", **how) as child:
        assert child._told == -1  # pyright: ignore
        assert child.communicate()[0].startswith("stillpool, version")


def test_exit_codes_and_both_streams_come_back(tmp_path: Path):
    done = call([str(STILLPOOL), "compile", "none.tflite", "-o", "out"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"none.tflite" in done.stderr


def test_input_is_read():
    command = [str(STILLPOOL.with_name("xdsl-opt"))]
    done = subprocess.run(command, input="builtin.module {}", capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("builtin.module {\n}\n\n", "")


def test_signals_end_it():
    """A fork that waits for its input."""
    with subprocess.Popen([STILLPOOL.with_name("xdsl-opt")], stdin=subprocess.PIPE) as child:
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.01)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL


def test_a_folder_that_is_not_there_is_told():
    with pytest.raises(FileNotFoundError):
        start("--version", cwd="/nowhere/at/all")

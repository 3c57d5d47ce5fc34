"""A signal while a command is still loading its modules: the exit code of the signal, and not a word."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from terminal import default_signals

ROOT = Path(__file__).resolve().parents[2]

CODE = """
import os, signal, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Finder)
sys.argv = {arguments!r}
from stillpool.console import {command}
{command}()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("stillpool", "click"),
        ("stillpool", "stillpool.errors"),
        ("stillpool", "stillpool.cli.compile"),
        ("stillpool", "numpy"),
        ("stillpool_opt", "click"),
        ("stillpool_opt", "xdsl.xdsl_opt_main"),
        ("stillpool_opt", "stillpool.universe"),
    ],
)
def test_no_traceback(command: str, module: str, number: signal.Signals) -> None:
    arguments = {"stillpool": ["compile", "no.tflite", "--emit", "nn"], "stillpool_opt": ["no.mlir"]}[command]
    code = CODE.format(module=module, number=int(number), arguments=[command, *arguments], command=command)
    command_line = [sys.executable, "-c", code]
    done = subprocess.run(
        command_line, capture_output=True, text=True, cwd=ROOT.parent, timeout=600, preexec_fn=default_signals
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


def test_the_package_installs_these_commands() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert sorted(scripts) == ["stillpool", "stillpool-opt"]
    for place in scripts.values():
        module, _, name = place.partition(":")
        assert module == "stillpool.console"
        assert callable(getattr(import_module(module), name))

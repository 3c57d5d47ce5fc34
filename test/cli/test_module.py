"""`python -m stillpool` is the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import stillpool


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--version"], 0, stillpool.__version__),
        (["compile", "--help"], 0, "Usage: python -m stillpool compile"),
        (["compile", "no.tflite", "-o", "out"], 1, "no.tflite"),
        (["no-verb"], 2, "python -m stillpool --help"),
    ],
)
def test_it_does_what_the_command_does(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stillpool", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr

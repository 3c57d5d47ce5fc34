"""The commands and the Python that a page shows, and how they are run."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from click.testing import CliRunner

from stillpool.cli import main

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a language; `page` is relative to the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def runs(folder: Path, *command: str) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_block(folder: Path, text: str) -> None:
    """Run the commands of a block in `folder`, which is the current one; `stillpool` in this process."""
    for line in text.replace("\\\n", " ").splitlines():
        command = shlex.split(line, comments=True)
        if command[:1] == ["stillpool"]:
            done = CliRunner().invoke(main, command[1:])
            assert done.exit_code == 0, done.output
        elif command:
            runs(folder, "bash", "-euc", line)

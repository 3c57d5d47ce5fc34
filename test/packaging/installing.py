"""Commands in environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

NOT_COPIED = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
"""What is no part of a copy of the repository that packages are built in."""


def run(
    *command: str | Path, cwd: Path, environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> str:
    """Standard output of a command that must succeed; it sees neither the checkout nor its environment.

    Args:
        command: the program and its arguments.
        cwd: where it runs.
        environment: all of its variables; None for this process's.
        timeout: seconds that it may take.
    """
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=inherited if environment is None else dict(environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def environment(folder: Path, *packages: str | Path, timeout: float | None = None) -> Path:
    """Make an environment with some packages; it has no pip of its own, which takes longer than the rest.

    Args:
        folder: where it lies; it exists.
        packages: as `pip install` takes them.
        timeout: seconds that pip may take.

    Returns:
        The folder of its programs.
    """
    venv.create(folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", *packages, cwd=folder, timeout=timeout)
    return folder / "bin"

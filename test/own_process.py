"""Scripts of tests in a process of their own, whose memory is theirs alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def succeeds(script: Path, *arguments: object) -> None:
    """Run a Python script to its end; the test fails with what it said unless its exit code is 0."""
    command = [sys.executable, "-W", "ignore", str(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

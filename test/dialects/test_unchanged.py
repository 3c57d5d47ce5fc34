"""What stillpool changes in xDSL for all operations changes nothing but the time that it takes."""

from __future__ import annotations

import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

PROGRAM = Path(__file__).with_name("unchanged.py")


def _lines(*arguments: str) -> list[str]:
    run = subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_operations_values_and_attributes_are_those_of_xdsl() -> None:
    upstream, own = _lines(), _lines("stillpool")
    assert len(upstream) > 40
    for expected, found in zip_longest(upstream, own):
        assert found == expected

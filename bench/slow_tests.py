"""Which tests take long: the list of tests that `make test` leaves to the sweep, made from what a run measured.

    pytest -m 'not packaging' --cpu-seconds=FILE
    python bench/slow_tests.py FILE > bench/results/slow_tests.txt

A line for each test that takes more than a second of the processor with the programs that it starts, the slowest first.
Tests whose code says that they are of the sweep are not listed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

MOST = 1.0
"""Seconds that a test of every day may take."""


def lines(measured: Iterable[str]) -> list[str]:
    """The list.

    Args:
        measured: lines of `--cpu-seconds`.
    """
    tests = [(own + programs, name) for name, own, programs, is_sweep in map(json.loads, measured) if not is_sweep]
    slow = sorted((test for test in tests if test[0] > MOST), key=lambda test: (-test[0], test[1]))
    kept = sum(seconds for seconds, _ in tests) - sum(seconds for seconds, _ in slow)
    return [
        "# Seconds of the processor and names of tests that `make test` leaves to the sweep (bench/slow_tests.py).",
        f"# The other {len(tests) - len(slow):,} take {kept:,.0f} s.",
        *(f"{seconds:.1f} {name}" for seconds, name in slow),
    ]


if __name__ == "__main__":
    print(*lines(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()), sep="\n")

"""Which tests take long: the list of what `make test` leaves to the sweep and `make quick` leaves out, as measured.

    pytest -m 'not packaging' --cpu-seconds=FILE
    STILLPOOL_FRESH=1 lit test
    python bench/slow_tests.py FILE build/lit/.lit_test_times.txt > bench/results/slow_tests.txt

A line for each test of pytest that takes more than 0.5 s of the processor with the programs that it starts, and for
each of lit that takes more than 0.35 s; the slowest first. Tests whose code says that they are of the sweep are not
listed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

MOST = 0.5
"""Seconds that a test of every day may take."""
MOST_OF_LIT = 0.35
"""Seconds that a quick test of lit may take."""


def lines(measured: Iterable[str], by_lit: Iterable[str] = ()) -> list[str]:
    """The list.

    Args:
        measured: lines of `--cpu-seconds`.
        by_lit: lines that lit wrote.
    """
    quick = [(float(seconds), name) for seconds, _, name in (line.partition(" ") for line in by_lit)]
    tests = [(own + programs, name) for name, own, programs, is_sweep in map(json.loads, measured) if not is_sweep]
    slow = sorted((test for test in tests if test[0] > MOST), key=lambda test: (-test[0], test[1]))
    kept = sum(seconds for seconds, _ in tests) - sum(seconds for seconds, _ in slow)
    return [
        "# Seconds of the processor and names of tests that `make test` leaves to the sweep (bench/slow_tests.py).",
        f"# The other {len(tests) - len(slow):,} take {kept:,.0f} s.",
        *(f"{seconds:.1f} {name}" for seconds, name in slow),
        "# Tests of lit that `make quick` leaves out.",
        *(f"{seconds:.1f} {name}" for seconds, name in sorted(quick, reverse=True) if seconds > MOST_OF_LIT),
    ]


if __name__ == "__main__":
    print(*lines(*(Path(file).read_text(encoding="utf-8").splitlines() for file in sys.argv[1:])), sep="\n")

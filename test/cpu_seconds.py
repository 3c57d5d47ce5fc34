"""`pytest --cpu-seconds=FILE`: seconds of the processor that each test takes, with the programs that it starts.

A line of JSON for each test: its name, the seconds of this process, those of programs, and whether its code says that
it is of the sweep. The functions that take most are listed at the end.
"""

from __future__ import annotations

import json
import os
import resource
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from programs.popen import Popen

MOST = 40
"""Functions that are listed."""
WRITTEN = pytest.StashKey[bool]()
"""Whether the code of a test says that it is of the sweep."""


class Meter:
    """Writes the lines, and lists the functions.

    Args:
        file: that all processes of a run append to.
        is_first: whether this process collects the reports; it begins the file anew.
    """

    def __init__(self, file: Path, *, is_first: bool):
        self._file = file
        if is_first:
            file.write_text("")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure a test with its fixtures."""
        before = spent()
        result = yield
        own, programs = (after - start for after, start in zip(spent(), before, strict=True))
        with self._file.open("a") as lines:
            lines.write(
                json.dumps([item.nodeid, round(own, 3), round(programs, 3), item.stash.get(WRITTEN, False)]) + "\n"
            )
        return result

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List the functions that take most."""
        found = [json.loads(line) for line in self._file.read_text().splitlines()]
        seconds, counts = Counter[str](), Counter[str]()
        for test, own, programs, _ in found:
            seconds[test.partition("[")[0]] += own + programs
            counts[test.partition("[")[0]] += 1
        own, programs = (sum(line[column] for line in found) for column in (1, 2))
        terminalreporter.write_line(f"{own:,.0f} s of the processor in tests, {programs:,.0f} s in programs")
        for name, most in seconds.most_common(MOST):
            terminalreporter.write_line(f"{most:8.1f} s {counts[name]:4} times {name}")


def spent() -> tuple[float, float]:
    """Seconds of this process so far, and of the programs that it has waited for."""
    own, children = (sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own, children + sum(_of_server(server.process) for server in Popen.servers.values())


def _of_server(process: int) -> float:
    """Of a server of warm programs, and of its forks that have ended; 0 where nothing tells it."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0

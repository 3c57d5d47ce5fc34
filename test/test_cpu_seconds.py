"""What tests take of the processor is measured with the programs that they start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cpu_seconds import Meter


class Lines(list[str]):
    """Stands for pytest's reporter."""

    write_line = list[str].append


def test_programs_count_and_functions_are_listed(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    meter = Meter(tmp_path / "seconds", is_first=True)
    around = meter.pytest_runtest_protocol(request.node)
    next(around)
    subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=True)
    with pytest.raises(StopIteration):
        around.send(True)
    ((name, own, programs),) = map(json.loads, (tmp_path / "seconds").read_text().splitlines())
    assert name == request.node.nodeid
    assert programs > 0.05 > own >= 0
    lines = Lines()
    Meter(tmp_path / "seconds", is_first=False).pytest_terminal_summary(lines)
    assert "in programs" in lines[0]
    assert lines[1].endswith(f"1 times {name}")
    assert len(lines) == 2


def test_a_run_begins_the_file_anew(tmp_path: Path) -> None:
    (tmp_path / "seconds").write_text("before")
    Meter(tmp_path / "seconds", is_first=True)
    assert (tmp_path / "seconds").read_text() == ""

"""What tests take of the processor is measured with the programs that they start."""

from __future__ import annotations

import json
import os
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
    ((name, own, programs, is_sweep),) = map(json.loads, (tmp_path / "seconds").read_text().splitlines())
    assert name == request.node.nodeid
    assert is_sweep is False
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


@pytest.mark.parametrize("words", [["--cpu-seconds={0}"], ["--cpu-seconds", "{0}"]])
def test_the_file_is_named_in_one_word(words: list[str], tmp_path: Path) -> None:
    """A second word is where workers would look for the file that knows the option."""
    file = str(tmp_path / "seconds")
    # Nothing of this run's settings, and no place of tests: as CI gives it. Few are looked at.
    options = [word.format(file) for word in words]
    few = ["-k", "no_test_is_called_so", "-o", "testpaths=test/warm"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", *few]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    result = subprocess.run(
        [*command, *options], cwd=Path(__file__).parents[1], env=kept, capture_output=True, text=True
    )
    if len(words) == 1:
        assert result.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, result.stdout + result.stderr
        assert "unrecognized" not in result.stdout
        assert "node down" not in result.stdout
    else:
        assert result.returncode == pytest.ExitCode.USAGE_ERROR
        assert "--cpu-seconds=FILE is one word" in result.stderr

"""What `compile` says when it is done, and the same as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.report.summary import WIDTH

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIGITS, NOVELTY = (str(EXAMPLES / name / f"{name}.tflite") for name in ("digits", "novelty"))


def said(tmp_path: Path, *arguments: str) -> tuple[list[str], dict[str, Any]]:
    """Lines on the terminal, and the manifest with the summary."""
    result = CliRunner().invoke(main, ["compile", *arguments, "-o", str(tmp_path / "out"), "--json"])
    assert result.exit_code == 0, result.output
    lines = result.stderr.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("  RAM ")) - 1
    return [line for line in lines[begin:] if line[:6] != "wrote "], json.loads(result.stdout)


def row(lines: list[str], label: str) -> str:
    """What stands behind a label, without the lines that continue it."""
    (found,) = (line for line in lines if line.startswith(f"  {label} "))
    return found.removeprefix(f"  {label}").strip()


def test_without_a_processor(tmp_path: Path) -> None:
    lines, document = said(tmp_path, DIGITS)
    found = document["summary"]
    assert lines[0] == "digits"
    assert row(lines, "RAM").startswith(f"{found['ram_bytes']:,} bytes: workspace {document['pools'][0]['bytes']:,};")
    code = document["code"]
    constants = f"weights {code['model_constants_bytes']:,}, tables {code['table_bytes']:,}, and code"
    assert row(lines, "flash").endswith(constants)
    assert found["macs"] == sum(operator["macs"] for operator in document["operators"])
    assert row(lines, "removed") == "1 of 10 operators need no code: RESHAPE 1"
    assert row(lines, "hint").startswith("--target CPU:")
    assert (found["instructions"], found["milliseconds"], document["estimates"]) == (None, None, None)


@pytest.mark.parametrize("optimize", ["balanced", "speed"])
def test_for_a_board(tmp_path: Path, optimize: str) -> None:
    arguments = (NOVELTY, "--board", "single-sram-m4", "--target", "cortex-m4", "--optimize", optimize)
    lines, document = said(tmp_path, *arguments)
    found, estimates = document["summary"], document["estimates"]
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) < 20
    assert lines[0] == "novelty, for cortex-m4: fits"
    assert f"sram {document['pools'][0]['bytes']:,} of 131,072" in row(lines, "RAM")
    assert f"about {found['instructions']:,} instructions" in row(lines, "work")
    assert found["milliseconds"] == pytest.approx(1.5e3 * found["instructions"] / found["clock_hz"])
    assert row(lines, "time") == f"about {found['milliseconds']:,.1f} ms at 168 MHz, if memory needs no wait states"
    assert (estimates["schedule_bytes"] is None) == (optimize != "balanced")
    if optimize == "balanced":
        assert f"about {estimates['schedule_bytes']:,} of it is for schedules" in " ".join(lines)


def test_flash_for_schedules_can_be_left_out(tmp_path: Path) -> None:
    lines, without = said(tmp_path, NOVELTY, "--target", "cortex-m4", "--schedule-flash", "0")
    _, balanced = said(tmp_path, NOVELTY, "--target", "cortex-m4")
    assert not any("is for schedules" in line for line in lines)
    costs = [document["estimates"] for document in (without, balanced)]
    sizes = [
        document["code"]["weights_bytes"] + cost["code_bytes"]
        for document, cost in zip((without, balanced), costs, strict=True)
    ]
    assert sizes[1] - sizes[0] == pytest.approx(costs[1]["schedule_bytes"] - costs[0]["schedule_bytes"], rel=0.3)
    assert costs[1]["instructions"] < costs[0]["instructions"]


def test_several_models_are_summed_up(tmp_path: Path) -> None:
    lines, document = said(tmp_path, DIGITS, NOVELTY)
    found = document["summary"]
    assert lines[0] == "digits, novelty"
    assert found["ram_bytes"] == document["workspace_bytes"]
    assert found["operators"] == 14

"""Tables fit a terminal of 100 columns, and lose no number there."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from stillpool.cli import VERBS, main, tables

pytestmark = pytest.mark.usefixtures("compiled_once")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIGITS, NOVELTY = (str(EXAMPLES / name / f"{name}.tflite") for name in ("digits", "novelty"))
EMULATED = pytest.mark.extra("emulate")
SHORT = ("--optimize", "size")
"""Schedules of this kind are chosen fastest."""
CASES = [
    ("analyze", (DIGITS,)),
    ("analyze", (NOVELTY, NOVELTY, "--name", "a", "--name", "b", "--explain-peak")),
    pytest.param("audit", ("{program}", "--manifest", "{one}"), marks=EMULATED),
    ("compile", (NOVELTY, "-o", "{out}", "-v")),
    ("diff", ("{one}", "{other}")),
    ("ops", ()),
    ("ops", (DIGITS,)),
    ("plan", ("{csv}",)),
    pytest.param("verify", (NOVELTY,), marks=pytest.mark.extra("verify")),
    pytest.param("fit", (DIGITS, "--board", "stm32h7-sdram", *SHORT), marks=EMULATED),
    pytest.param("profile", (DIGITS, "--target", "cortex-m4", *SHORT), marks=EMULATED),
    pytest.param("run", (DIGITS, "--target", "cortex-m4", *SHORT), marks=EMULATED),
    pytest.param(
        "tune",
        (NOVELTY, "--target", "cortex-m4", "--trials", "3", "--jobs", "1", "--schedules", "{schedules}"),
        marks=EMULATED,
    ),
]
"""Every verb that prints tables: one of them long, or with long names."""
ESCAPES = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two projects that differ in pools and buffers, and a file of buffers."""
    folder = tmp_path_factory.mktemp("files")
    for name, options in (("one", ["--workspace-pool", "sram"]), ("other", ["--overlap", "off"])):
        assert CliRunner().invoke(main, ["compile", DIGITS, "-q", "-o", str(folder / name), *options]).exit_code == 0
    code = [*(folder / "one" / "src").glob("*.c"), *(folder / "one" / "test").glob("*.c")]
    subprocess.run(["cc", f"-I{folder / 'one' / 'include'}", *code, "-o", folder / "program", "-lm"], check=True)
    (folder / "b.csv").write_text("id,lower,upper,size\n1,0,3,10\n")
    return {
        "one": folder / "one",
        "other": folder / "other",
        "program": folder / "program",
        "csv": folder / "b.csv",
        "out": folder / "out",
        "schedules": folder / "schedules.jsonl",
    }


def test_every_verb_is_tried() -> None:
    assert {(case.values if hasattr(case, "marks") else case)[0] for case in CASES} == set(VERBS)


@pytest.mark.parametrize(("verb", "arguments"), CASES)
def test_a_terminal_of_100_columns(
    verb: str, arguments: tuple[str, ...], files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [verb, *(argument.format(**files) for argument in arguments)]
    wide = CliRunner().invoke(main, given)
    assert wide.exit_code == 0, wide.output
    monkeypatch.setattr(tables, "on_terminal", lambda: True)
    monkeypatch.setattr(tables.shutil, "get_terminal_size", lambda **_: os.terminal_size((100, 24)))
    narrow = CliRunner().invoke(main, given)
    assert narrow.exit_code == 0, narrow.output
    text = ESCAPES.sub("", narrow.stdout)
    # Sentences may be longer: a terminal breaks them without harm.
    long = [line for line in text.splitlines() if cell_len(line) > 100 and re.search(r"\S {2,}\S", line)]
    assert not long, "\n".join(long)
    numbers = re.findall(r"\d[\d,]+", wide.stdout)
    missing = [number for number in numbers if number not in text]
    assert not missing, f"{missing} are not in\n{text}"

"""Lists and figures of the documentation are what the package says."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner
from pages import ROOT, read

from stillpool import compile
from stillpool.cli import main
from stillpool.targets.projects.registry import format_names

DIGITS = ROOT / "examples/digits/digits.tflite"


def test_the_readme_lists_what_compile_writes(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["compile", str(DIGITS), "-o", str(tmp_path / "digits")])
    assert done.exit_code == 0, done.output
    table = read("README.md").split("`compile` writes a directory:")[1].split("\n\n")[1]
    listed = re.findall(r"^\| `([^|]+)` \|", table, re.MULTILINE)
    assert len(listed) >= 6
    for path in (name for cell in listed for name in cell.split("`, `")):
        assert (tmp_path / "digits" / path).exists(), path


def test_the_table_of_formats_names_every_one() -> None:
    rows = re.findall(r"^\| (`.*?) \|", read("docs/formats.md"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert set(format_names()) <= named


def test_the_figure_of_rows_is_true() -> None:
    made = compile(DIGITS, rows="on")
    (pool,) = made.description.pools
    assert f"to {pool.bytes} bytes" in read("docs/rows.md")


def test_every_code_of_a_run_is_explained() -> None:
    header = compile(DIGITS, stream_input="image", poison=False).sources.header
    header += compile(DIGITS, double_buffer_inputs=True, poison=True).sources.header
    header += compile(DIGITS, externals=["conv_2d=f:device=npu"]).sources.header
    codes = set(re.findall(r"#define DIGITS_(ERROR_\w+) \((-\d+)\)", header))
    page = read("docs/troubleshooting.md")
    assert len(codes) == 11
    assert {f"| {code} | `<M>_{name}` |" for name, code in codes} <= set(re.findall(r"\| -\d+ \| `\S+` \|", page))

"""The commands and the Python of docs/formats.md run, and its table names every format."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from pages import ROOT, blocks, run_block, runs

from stillpool.targets.projects.registry import format_names

PAGE = "docs/formats.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which has only the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_run(folder: Path) -> None:
    texts = blocks(PAGE, "sh")
    assert len(texts) >= 3
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    for text in texts:
        run_block(folder, text)
    assert {path.name for path in (folder / "build" / "digits").iterdir() if path.is_dir()} == {
        "cmsis-pack",
        "dir",
        "zephyr",
    }


def test_python_runs(folder: Path) -> None:
    (text,) = blocks(PAGE, "python")
    assert "'digits.tar'" in runs(folder, sys.executable, "-c", text)
    assert (folder / "build" / "python" / "platformio" / "library.json").exists()


def test_the_table_names_every_format() -> None:
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert set(format_names()) <= named

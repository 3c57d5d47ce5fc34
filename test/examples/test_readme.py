"""The commands and the Python that the README shows do run, in order, in a folder that has only the examples."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from pages import ROOT, blocks, run_block, runs

EXTRA = "pip install '.[emulate]'"
"""Stands in blocks of commands that need it."""
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    texts = [text for text in blocks("README.md", "sh") if EXTRA not in text]
    assert len(texts) >= 4
    for text in texts:
        run_block(tmp_path, text)
    # The files that the README lists are those that `compile` wrote.
    project = tmp_path / "build" / "digits"
    listed = re.findall(r"^\| `([^|]+)` \|", README.split("`compile` writes a directory:")[1].split("\n\n")[1], re.M)
    for path in (name for cell in listed for name in cell.split("`, `")):
        assert (project / path).exists(), path
    runs(tmp_path, "make", "-C", "build/digits/test")


@pytest.mark.extra("emulate")
def test_commands_of_the_extra_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    texts = [text for text in blocks("README.md", "sh") if EXTRA in text]
    assert texts
    for text in texts:
        run_block(tmp_path, text)


def test_python_runs(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for text in blocks("README.md", "python"):
        assert "scores" in text
        assert "'name': 'workspace'" in runs(tmp_path, sys.executable, "-c", text)


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"

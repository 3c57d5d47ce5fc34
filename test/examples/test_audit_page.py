"""The commands and the budget file of docs/audit.md do what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pages import ROOT, blocks, run_block

PAGE = "docs/audit.md"


@pytest.mark.extra("emulate")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    (text,) = blocks(PAGE, "sh")
    run_block(tmp_path, text)
    (budget,) = blocks(PAGE, "toml")
    (tmp_path / "budget.toml").write_text(budget)
    run_block(tmp_path, "stillpool audit build/app.elf --manifest build/digits --budget budget.toml")

"""The commands and the figure of docs/rows.md."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from pages import ROOT, blocks, run_block

from stillpool import compile

PAGE = "docs/rows.md"


@pytest.mark.skipif(importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed")
def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for text in blocks(PAGE, "sh"):
        run_block(tmp_path, text)


def test_the_figure_is_true() -> None:
    made = compile(ROOT / "examples/digits/digits.tflite", rows="on")
    (pool,) = made.description.pools
    said = (ROOT / PAGE).read_text()
    assert f"to {pool.bytes} bytes" in said

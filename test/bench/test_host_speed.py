"""The benchmark of this machine runs, and names what it measured."""

from __future__ import annotations

import shutil
import sys

import host_speed
import pytest


def test_the_shipped_example_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed: stillpool[verify]")
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    monkeypatch.setattr(sys, "argv", ["host_speed.py", str(host_speed.EXAMPLE), "--rounds", "1"])
    host_speed.main()
    (row,) = (line.split() for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["digits"])
    assert len(row) == 7
    assert all(float(cell.replace(",", "")) > 0 for cell in row[1:5])

"""Algorithms of other packages, by entry points whose names have hyphens or underscores."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stillpool.errors import UsageError
from stillpool.planner import Buffer, Pool, Problem, algorithms, plan
from stillpool.planner.plan import get_algorithm

MODULE = """
from stillpool.planner.layout import Layout


def side_by_side(problem, members, effort):
    offsets, end = {}, 0
    for index in members:
        offsets[index] = end
        end += problem.buffers[index].size
    return Layout(offsets)
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """A package that brings one function under some names."""
    information = folder / "added_planner-1.0.dist-info"
    information.mkdir()
    (folder / "added_planner.py").write_text(MODULE)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: added-planner\nVersion: 1.0\n")
    points = "".join(f"{name} = added_planner:side_by_side\n" for name in names)
    (information / "entry_points.txt").write_text(f"[stillpool.planner]\n{points}")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "added_planner", raising=False)


@pytest.mark.parametrize("name", ["side-by-side", "side_by_side", "side-by_side"])
@pytest.mark.parametrize("asked", ["side-by-side", "side_by_side"])
def test_hyphens_count_as_underscores(name: str, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, name)
    assert name in algorithms()
    assert get_algorithm(asked).__name__ == "side_by_side"
    # The built-in algorithms would put both at one place: they are never live together.
    found = plan(Problem((Buffer("a", 4, ((0, 1),)), Buffer("b", 4, ((1, 2),))), (Pool("sram"),)), asked)
    assert (found.pools[0].size, found.pools[0].algorithm) == (8, "side_by_side")


def test_names_that_differ_in_hyphens_alone_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "side-by-side", "side_by_side")
    with pytest.raises(UsageError, match=r"'side-by-side' and 'side_by_side' of stillpool.planner have one name"):
        get_algorithm("side-by-side")

"""Plans that were made before are taken from the store, and made anew where what they depend on has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from programs.kept import Store
from programs.plans import Plans
from stillpool.planner import Buffer, Plan, Pool, PoolShort, Problem, plan, recall

PROBLEM = Problem((Buffer("a", 48, ((0, 2),)), Buffer("b", 32, ((1, 3),)), Buffer("c", 16, ((2, 4),))))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    """Problems that the planner is asked."""
    found: list[Problem] = []

    def noted(problem: Problem, *rest: Any) -> Plan:
        found.append(problem)
        return plan(problem, *rest)

    monkeypatch.setattr(recall, "plan", noted)
    return found


@pytest.fixture
def process(tmp_path: Path, asked: list[Problem]) -> Callable[..., Plans]:
    """What another process has, with the text of its planner."""

    def start(text: str = "def plan(): ...") -> Plans:
        (tmp_path / "planner").mkdir(exist_ok=True)
        (tmp_path / "planner" / "plan.py").write_text(text)
        return Plans(Store(tmp_path / "store"), tmp_path / "planner")

    return start


def test_processes_share_plans(process: Callable[..., Plans], asked: list[Problem]) -> None:
    found = [process()(replace(PROBLEM), "exact", 1.0) for _ in range(2)]
    assert found == [plan(PROBLEM, "exact", 1.0)] * 2
    assert len(asked) == 1


def test_another_planner_is_asked(process: Callable[..., Plans], asked: list[Problem]) -> None:
    for text in ("def plan(): ...", "def plan(): pass", "def plan(): ..."):
        process(text)(PROBLEM, "exact", 1.0)
    assert len(asked) == 2


@pytest.mark.parametrize(
    "other",
    [
        (replace(PROBLEM, leads={(1, 0): 0}), "exact", 1.0),
        (replace(PROBLEM, conflicts=frozenset({(0, 1)})), "exact", 1.0),
        (replace(PROBLEM, pools=(Pool("workspace", 1000),)), "exact", 1.0),
        (PROBLEM, "greedy_by_size", 1.0),
        (PROBLEM, "exact", 2.0),
        (PROBLEM, "exact", 1.0, plan(PROBLEM).placements),
    ],
)
def test_another_problem_is_planned(
    other: tuple[Any, ...], process: Callable[..., Plans], asked: list[Problem]
) -> None:
    process()(PROBLEM, "exact", 1.0)
    assert process()(*other) == plan(*other)
    assert len(asked) == 2


def test_what_is_damaged_is_made_anew(process: Callable[..., Plans], asked: list[Problem], tmp_path: Path) -> None:
    process()(PROBLEM, "exact", 1.0)
    for path in (tmp_path / "store").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-3])
    assert process()(PROBLEM, "exact", 1.0) == plan(PROBLEM, "exact", 1.0)
    assert len(asked) == 2


def test_why_there_is_no_plan_is_found_out_each_time(process: Callable[..., Plans], asked: list[Problem]) -> None:
    for _ in range(2):
        with pytest.raises(PoolShort):
            process()(replace(PROBLEM, pools=(Pool("sram", 64),)), "exact", 1.0)
    assert len(asked) == 2


def test_tests_share_plans() -> None:
    assert isinstance(recall.plan, Plans)

"""The same problem is planned once, and whatever a plan depends on makes it another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stillpool.planner import Block, Buffer, Placement, Plan, Pool, PoolShort, Problem, plan, recall

PROBLEM = Problem((Buffer("a", 48, ((0, 2),)), Buffer("b", 32, ((1, 3),)), Buffer("c", 16, ((2, 4),))))
SHORT = replace(PROBLEM, pools=(Pool("sram", 64),))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the planner is asked while nothing is known."""
    found: list[tuple[Any, ...]] = []

    def noted(*question: Any) -> Plan:
        found.append(question)
        return plan(*question)

    monkeypatch.setattr(recall, "plan", noted)
    monkeypatch.setattr(recall, "_known", type(recall._known)())  # pyright: ignore[reportPrivateUsage]
    return found


def test_a_problem_is_planned_once(asked: list[tuple[Any, ...]]) -> None:
    found = [recall.plan_once(replace(PROBLEM), "exact", 1.0) for _ in range(3)]
    assert found == [plan(PROBLEM, "exact", 1.0)] * 3
    assert len(asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        (replace(PROBLEM, leads={(1, 0): 0}), "exact", 1.0),
        (replace(PROBLEM, leads={(1, 0): 4}), "exact", 1.0),
        (replace(PROBLEM, conflicts=frozenset({(0, 1)})), "exact", 1.0),
        (replace(PROBLEM, blocks=(Block({0: 0, 2: 4}),)), "exact", 1.0),
        (replace(PROBLEM, blocks=(Block({0: 0, 2: 8}),)), "exact", 1.0),
        (replace(PROBLEM, pools=(Pool("workspace", 1000),)), "exact", 1.0),
        (replace(PROBLEM, buffers=(replace(PROBLEM.buffers[0], alignment=8), *PROBLEM.buffers[1:])), "exact", 1.0),
        (PROBLEM, "greedy_by_size", 1.0),
        (PROBLEM, "exact", 2.0),
        (PROBLEM, "exact", 1.0, plan(PROBLEM).placements),
        (PROBLEM, "exact", 1.0, [Placement("workspace", 96 * index) for index in range(3)]),
    ],
)
def test_what_differs_is_planned_again(other: tuple[Any, ...], asked: list[tuple[Any, ...]]) -> None:
    recall.plan_once(PROBLEM, "exact", 1.0)
    assert recall.plan_once(*other) == plan(*other)
    assert len(asked) == 2


def test_why_there_is_no_plan_is_said_again(asked: list[tuple[Any, ...]]) -> None:
    first, second = (recall.plan_once(SHORT, "exact", 1.0) for _ in range(2))
    with pytest.raises(PoolShort) as expected:
        plan(SHORT, "exact", 1.0)
    assert str(first) == str(second) == str(expected.value)
    # Each is raised with frames of its own.
    assert first is not second
    assert len(asked) == 1


def test_algorithms_of_other_packages_are_asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(recall, "plan", lambda _, algorithm, *__: asked.append(algorithm) or plan(PROBLEM))
    for _ in range(2):
        recall.plan_once(PROBLEM, "side-by-side", 1.0)
    assert asked == ["side-by-side"] * 2


def test_few_are_known(asked: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "MOST", 2)
    for seconds in (1.0, 2.0, 3.0, 2.0, 1.0):
        recall.plan_once(PROBLEM, "exact", seconds)
    assert [question[2] for question in asked] == [1.0, 2.0, 3.0, 1.0]

"""Buffers that move between limited pools are weighed with little effort, however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from stillpool.planner.distribute import GLANCE, Distribution
from stillpool.planner.first_fit import height
from stillpool.planner.layout import Effort, Layout
from stillpool.planner.problem import Buffer, Pool, Problem

COUNT, LIMIT = 60, 400


def test_most_layouts_are_looked_at_briefly() -> None:
    """First fit that wastes: each pool seems too full until many buffers have moved."""
    asked: list[float] = []

    def wasteful(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
        asked.append(effort.seconds)
        return Layout({i: 16 * n for n, i in enumerate(members)}, 0)

    buffers = tuple(Buffer(f"b{n}", 10, ((n, n + 2),)) for n in range(COUNT))
    problem = Problem(buffers, (Pool("small", LIMIT), Pool("large", 10_000)))
    found = Distribution(problem, wasteful, 2.0).run()
    assert height(problem, found["small"].offsets) <= LIMIT
    assert len(asked) > COUNT
    # In full: what all begins with, with and without a limit, and what has not been looked at in the end.
    assert sum(seconds == 2.0 for seconds in asked) <= 4
    assert {seconds for seconds in asked if seconds != 2.0} == {2.0 / GLANCE}

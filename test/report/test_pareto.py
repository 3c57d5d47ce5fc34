"""Ways to compile of which none is better in everything: which are kept, and that their options give what they say."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import stillpool
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import UsageError
from stillpool.report.pareto import Point, pareto_front, text

NOVELTY = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"


def point(*figures: int) -> Point:
    return Point((), *figures)


def test_a_point_is_beaten_by_one_that_is_worse_in_nothing() -> None:
    assert point(10, 10, 10).is_beaten_by(point(10, 9, 10))
    assert not point(10, 10, 10).is_beaten_by(point(10, 10, 10))
    assert not point(10, 10, 10).is_beaten_by(point(9, 9, 11))


def test_each_point_can_be_built() -> None:
    points = pareto_front(prepare(NOVELTY, target="cortex-m4"))
    assert [one.options for one in (points[0], points[-1])] == [("--optimize", "speed"), ("--optimize", "size")]
    limits = [int(one.options[1].removeprefix("flash=")) for one in points[1:-1]]
    assert limits == sorted(limits, reverse=True)
    assert limits
    for faster, slower in pairwise(points):
        assert faster.instructions < slower.instructions
        assert faster.flash > slower.flash
    limited = stillpool.compile(NOVELTY, target="cortex-m4", schedule_flash=limits[0])
    assert sum(pool.bytes for pool in limited.description.workspace_pools) == points[1].workspace
    assert "--schedule-flash" in " ".join(limited.manifest_of([])["source"]["options"])
    assert f"--spend flash={limits[0]}" in text(points)
    assert "schedules: what operators run in" in limited.report
    assert " instructions per MAC; plain loops: +" in " ".join(limited.report.split())


def test_without_a_processor_there_is_nothing_to_choose() -> None:
    with pytest.raises(UsageError, match="without a processor"):
        pareto_front(prepare(NOVELTY))

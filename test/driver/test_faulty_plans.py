"""What a planner gets wrong ends a compilation, also what views of pools would no longer tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import stillpool
from stillpool.errors import StillpoolError
from stillpool.planner import Placement, Plan, Problem
from stillpool.transforms.usmp.placing.directions import Directions

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
BEST = Directions.best


def elsewhere(one: Placement) -> Placement:
    return replace(one, pool="b" if one.pool == "a" else "a")


def shifted(one: Placement) -> Placement:
    return replace(one, offset=one.offset + 1)


def at_zero(one: Placement) -> Placement:
    return replace(one, offset=0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(elsewhere, "not among its candidates"), (shifted, "not aligned to 16 bytes"), (at_zero, "was written over it")],
)
def test_it_is_refused(wrong: object, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def best(self: Directions, problem: Problem, *how: object) -> Plan:
        plan = BEST(self, problem, *how)  # pyright: ignore[reportArgumentType]
        return replace(plan, placements=tuple(map(wrong, plan.placements)))  # pyright: ignore

    monkeypatch.setattr(Directions, "best", best)
    with pytest.raises(StillpoolError, match=said):
        stillpool.compile(
            [stillpool.load(DIGITS)], pools=["a:size=64K", "b:size=64K"], pins=["*=a"], alignments=["*=16"]
        )

"""Dense problems of the benchmarks' size, cut and changed such that a plan at capacity exists: it is found."""

from __future__ import annotations

import random

import pytest
from planner_family import CHANGES, Place, change, cut, posed, thinned, turned

from stillpool.planner import plan

CAPACITY = 1024
"""Units."""


def rectangle(seed: int) -> list[Place]:
    """A rectangle in pieces, some of which are missing."""
    source = random.Random(seed)
    count = source.choice([154, 203, 215, 308])
    return thinned(source, cut(source, count, count // 2, CAPACITY), count // 4)


@pytest.mark.parametrize("name", CHANGES)
def test_a_plan_at_capacity_is_found(name: str) -> None:
    for seed in range(3):
        problem = change(name, seed, rectangle(seed), CAPACITY)
        (pool,) = plan(problem, seconds=20).pools
        assert pool.size <= CAPACITY * 1024


def test_no_two_places_share_bytes() -> None:
    for name, make in CHANGES.items():
        places = make(random.Random(name), rectangle(0), CAPACITY)
        assert all(p.first < p.last and 0 <= p.low < p.high <= CAPACITY for p in places)
        assert not any(p.meets(q) for n, p in enumerate(places) for q in places[:n])


def test_shuffled_problems_have_equal_peaks() -> None:
    places = rectangle(1)
    shuffled = random.Random(0).sample(places, len(places))
    one, other = (plan(posed(made, CAPACITY)).pools[0] for made in (places, shuffled))
    assert one.size == other.size
    assert plan(posed(turned(turned(places)), CAPACITY)).pools[0] == one

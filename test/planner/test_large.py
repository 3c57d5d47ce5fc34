"""Thousands of buffers: the quick paths agree with the general ones, and permuted input is planned alike."""

from __future__ import annotations

import random

from stillpool.planner import Buffer, Problem, plan
from stillpool.planner.bounds import lower_bound

COUNT = 3000


def many(source: random.Random) -> list[Buffer]:
    """Short and long lives; some buffers differ in nothing but the name."""
    made: list[Buffer] = []
    for number in range(COUNT):
        first, life = source.randrange(COUNT), source.choice([1, 3, 10, 200])
        made.append(Buffer(f"b{number}", source.choice([0, 16, 100, 4096]), ((first, first + life),), 4))
    return [*made, *(Buffer(f"twin {b.name}", b.size, b.ranges, b.alignment) for b in made[:50])]


def test_permuted_input_has_an_equal_plan() -> None:
    source = random.Random(0)
    made = many(source)
    answer = plan(Problem(tuple(made)), seconds=0.2)
    by_name = {b.name: p for b, p in zip(made, answer.placements, strict=True)}
    source.shuffle(made)
    other = plan(Problem(tuple(made)), seconds=0.2)
    assert other.pools == answer.pools
    assert {b.name: p for b, p in zip(made, other.placements, strict=True)} == by_name


def test_the_bound_of_many_is_that_of_every_moment() -> None:
    made = many(random.Random(1))
    live = [sum(b.size for b in made if b.ranges[0][0] <= t < b.ranges[0][1]) for t in range(0, COUNT, 50)]
    bound = lower_bound(Problem(tuple(made)), range(len(made)))
    changes = sorted([(b.ranges[0][0], b.size) for b in made] + [(b.ranges[0][1], -b.size) for b in made])
    most = total = 0
    for _, size in changes:
        total += size
        most = max(most, total)
    assert max(live) <= bound == most

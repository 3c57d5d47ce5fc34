"""The algorithm `exact`: as small as exhaustive search, the same for permuted input, at capacity on dense problems."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from brute_force import least_pool
from hypothesis import given, settings
from hypothesis import strategies as st

from stillpool.planner import Buffer, Plan, Pool, Problem, plan

MOST = 14
"""Buffers that exhaustive search is asked about."""


def sample(source: random.Random, count: int, is_aligned: bool) -> Problem:
    """Buffers with random lives and sizes."""
    buffers: list[Buffer] = []
    for number in range(count):
        first = source.randrange(16)
        alignment = source.choice([1, 1, 2, 4, 8]) if is_aligned else 1
        buffers.append(Buffer(f"b{number}", source.randint(1, 30), ((first, first + source.randint(1, 5)),), alignment))
    return Problem(tuple(buffers), (Pool("workspace"),))


@pytest.mark.parametrize("count", range(1, MOST + 1))
def test_random_problems_equal_brute_force(count: int) -> None:
    for seed in range(18 if count < 10 else 6 if count < 12 else 2):
        problem = sample(random.Random(f"{count} {seed}"), count, is_aligned=seed % 2 == 1)
        (pool,) = plan(problem, seconds=20).pools
        assert pool.optimal
        assert pool.size == least_pool(problem), problem


def led(source: random.Random) -> Problem:
    """A chain of operators whose outputs may overlap their inputs, with long-lived buffers beside it."""
    count = source.randint(3, 4)
    buffers = [Buffer(f"b{n}", source.randint(1, 6), ((n, n + 2),)) for n in range(count)]
    leads = {(n + 1, n): source.randint(0, 7) for n in range(count - 1) if source.random() < 0.7}
    for n in range(source.randint(0, 2)):
        first = source.randrange(count)
        buffers.append(Buffer(f"long{n}", source.randint(1, 6), ((first, first + 3),)))
    return Problem(tuple(buffers), (Pool("workspace"),), leads)


def clashes(problem: Problem, offsets: tuple[int, ...]) -> bool:
    """Whether two buffers share bytes that they may not share."""
    for a in range(len(offsets)):
        for b in problem.neighbours[a]:
            if b < a:
                low, high = (a, b) if offsets[a] <= offsets[b] else (b, a)
                apart = offsets[low] + problem.buffers[low].size <= offsets[high]
                ahead = any(
                    (x, y) in problem.leads and offsets[x] + problem.leads[x, y] <= offsets[y]
                    for x, y in ((a, b), (b, a))
                )
                if not apart and not ahead:
                    return True
    return False


def least_with_leads(problem: Problem) -> int:
    """The least pool: every order, each buffer at every offset between what is proved impossible and the sum."""

    def fits(size: int, offsets: tuple[int, ...]) -> bool:
        if len(offsets) == len(problem.buffers):
            return True
        room = size - problem.buffers[len(offsets)].size
        return any(
            not clashes(problem, (*offsets, at)) and fits(size, (*offsets, at)) for at in range(max(0, room + 1))
        )

    size = max(b.size for b in problem.buffers)
    while not fits(size, ()):
        size += 1
    return size


@pytest.mark.parametrize("seed", range(20))
def test_overlapping_buffers_equal_exhaustive_search(seed: int) -> None:
    problem = led(random.Random(seed))
    (pool,) = plan(problem).pools
    least = least_with_leads(problem)
    assert pool.size == least
    assert pool.optimal


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
def test_permuted_input_has_an_equal_plan(seed: int, order: random.Random) -> None:
    source = random.Random(seed)
    problem = sample(source, source.randint(2, 16), is_aligned=True)
    pairs = {(a, b) for a in range(len(problem.buffers)) for b in range(a) if source.random() < 0.4}
    if seed % 2:
        problem = Problem(problem.buffers, problem.pools, conflicts=frozenset((b, a) for a, b in pairs))
    shuffled = list(range(len(problem.buffers)))
    order.shuffle(shuffled)
    place = {old: new for new, old in enumerate(shuffled)}
    permuted = Problem(
        tuple(problem.buffers[i] for i in shuffled),
        problem.pools,
        conflicts=None
        if problem.conflicts is None
        else frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in problem.conflicts),
    )
    one, other = plan(problem), plan(permuted)
    assert one.pools == other.pools
    assert one.placements == tuple(other.placements[place[i]] for i in range(len(place)))


def dense(source: random.Random, width: int, height: int, cuts: int) -> Problem:
    """A rectangle of time and bytes cut into buffers without a gap: the bound is reachable, greedy plans miss it."""
    pieces = [(0, width, 0, height)]
    while len(pieces) < cuts:
        first, last, low, high = pieces.pop(source.randrange(len(pieces)))
        if source.random() < 0.5 and last - first > 1:
            at = source.randrange(first + 1, last)
            pieces += [(first, at, low, high), (at, last, low, high)]
        elif high - low > 1:
            at = source.randrange(low + 1, high)
            pieces += [(first, last, low, at), (first, last, at, high)]
        else:
            pieces.append((first, last, low, high))
    source.shuffle(pieces)
    return Problem(tuple(Buffer(f"b{n}", high - low, ((a, b),)) for n, (a, b, low, high) in enumerate(pieces)))


@pytest.mark.parametrize("seed", range(6))
def test_dense_problems_reach_their_bound(seed: int) -> None:
    problem = dense(random.Random(seed), 60, 256, 80)
    answer: Plan = plan(problem, seconds=5)
    assert (answer.pools[0].size, answer.pools[0].optimal) == (256, True)


def test_every_order_of_three() -> None:
    made = (Buffer("a", 4, ((0, 2),)), Buffer("b", 2, ((1, 3),), 4), Buffer("c", 3, ((2, 4),)))
    for order in permutations(made):
        assert plan(Problem(tuple(order))).pools[0].size == 6

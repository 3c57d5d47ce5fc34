"""Plans of random problems: sound by a checker of its own, as small as exhaustive search where that is promised."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soundness import clash

from stillpool.errors import BudgetError, UsageError
from stillpool.planner import Buffer, Placement, Pool, Problem, algorithms, plan


def buffers(most: int) -> st.SearchStrategy[tuple[Buffer, ...]]:
    """Up to `most` buffers with short random lives, sizes and alignments."""

    def make(parts: list[tuple[int, int, int, int]]) -> tuple[Buffer, ...]:
        return tuple(
            Buffer(f"b{i}", size, ((first, first + length),), 1 << shift)
            for i, (size, first, length, shift) in enumerate(parts)
        )

    part = st.tuples(st.integers(1, 40), st.integers(0, 8), st.integers(1, 5), st.integers(0, 4))
    return st.lists(part, min_size=1, max_size=most).map(make)


def smallest(problem: Problem) -> int:
    """The least pool size: first fit over every order reaches it."""

    def size(order: tuple[int, ...]) -> int:
        offsets: dict[int, int] = {}
        for i in order:
            a = problem.buffers[i]
            at = 0
            while any(
                problem.buffers[j].overlaps(a) and at < o + problem.buffers[j].size and o < at + a.size
                for j, o in offsets.items()
            ):
                at += a.alignment
            offsets[i] = at
        return max(o + problem.buffers[i].size for i, o in offsets.items())

    return min(map(size, permutations(range(len(problem.buffers)))))


@pytest.mark.parametrize("algorithm", algorithms())
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_plans_are_sound(algorithm: str, data: st.DataObject) -> None:
    made = data.draw(buffers(14))
    pairs = st.tuples(st.integers(0, len(made) - 1), st.integers(0, len(made) - 1)).filter(lambda p: p[0] != p[1])
    leads = data.draw(st.dictionaries(pairs, st.integers(0, 12), max_size=3))
    problem = Problem(made, leads=leads)
    answer = plan(problem, algorithm)
    assert clash(problem, answer) is None
    (pool,) = answer.pools
    assert pool.lower_bound <= pool.size
    assert not pool.optimal or pool.size == pool.lower_bound


@settings(deadline=None, max_examples=60)
@given(made=buffers(6))
def test_bound_and_optimality_are_true(made: tuple[Buffer, ...]) -> None:
    problem = Problem(made)
    least = smallest(problem)
    for algorithm in algorithms():
        (pool,) = plan(problem, algorithm).pools
        assert pool.lower_bound <= least <= pool.size
        assert not pool.optimal or pool.size == least


@settings(deadline=None, max_examples=40)
@given(made=buffers(12), seed=st.randoms(use_true_random=False))
def test_equal_input_gives_equal_output(made: tuple[Buffer, ...], seed: object) -> None:
    for algorithm in algorithms():
        assert plan(Problem(made), algorithm) == plan(Problem(made), algorithm)


def test_an_output_may_lie_on_its_dying_input() -> None:
    made = (Buffer("out", 64, ((1, 3),)), Buffer("in", 64, ((0, 2),)))
    assert plan(Problem(made)).pools[0].size == 128
    assert plan(Problem(made, leads={(0, 1): 0})).pools[0].size == 64
    led = plan(Problem(made, leads={(0, 1): 16}))
    assert led.pools[0].size == led.pools[0].lower_bound == 80
    assert led.placements[0].offset + 16 <= led.placements[1].offset


def test_buffers_fall_back_when_a_limit_is_reached() -> None:
    made = tuple(Buffer(f"b{i}", 40, ((0, 1),), 1, ("fast", "slow")) for i in range(3))
    answer = plan(Problem(made, (Pool("fast", 100), Pool("slow"))))
    assert [p.pool for p in answer.placements].count("fast") == 2
    assert clash(Problem(made, (Pool("fast", 100), Pool("slow"))), answer) is None


def test_a_limit_is_a_limit() -> None:
    made = (Buffer("a", 80, ((0, 2),)), Buffer("b", 40, ((1, 3),)))
    with pytest.raises(BudgetError, match=r"pool 'small' is 20 bytes short.*a \(80 bytes\), b \(40 bytes\)"):
        plan(Problem(made, (Pool("small", 100),)))


def test_unknown_algorithms_are_named() -> None:
    with pytest.raises(UsageError, match=r"unknown planner algorithm 'best'; choose one of .*greedy_by_size"):
        plan(Problem((Buffer("a", 1, ((0, 1),)),)), "best")


def test_fixed_buffers_stay_where_they_are_put() -> None:
    made = (Buffer("a", 16, ((0, 2),), fixed=("fast", 8)), Buffer("b", 8, ((1, 3),)), Buffer("c", 12, ((1, 3),)))
    problem = Problem(made, (Pool("fast"), Pool("slow")))
    for algorithm in algorithms():
        answer = plan(problem, algorithm)
        assert answer.placements[0] == Placement("fast", 8)
        assert clash(problem, answer) is None
        assert answer.pools[0].size == 36


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        (("tcm", 0), "buffer 'b' is fixed in pool 'tcm', which does not exist"),
        (("fast", -4), "buffer 'b' is fixed at offset -4"),
        (("fast", 15), "buffers 'a' and 'b' are fixed in pool 'fast' so that they share bytes"),
    ],
)
def test_fixed_buffers_that_cannot_be(fixed: tuple[str, int], message: str) -> None:
    made = (Buffer("a", 16, ((0, 2),), fixed=("fast", 0)), Buffer("b", 8, ((1, 3),), fixed=fixed))
    with pytest.raises(UsageError, match=message):
        plan(Problem(made, (Pool("fast"),)))


def test_the_peak_is_named_with_what_is_shared_there() -> None:
    # An output that runs 10 bytes below its input, and an early buffer that is not there at the peak.
    made = (Buffer("input;more", 80, ((0, 2),)), Buffer("output", 80, ((1, 4),)), Buffer("late", 60, ((3, 5),)))
    problem = Problem((*made, Buffer("held", 20, ((0, 5),))), (Pool("small", 100),), {(1, 0): 10})
    with pytest.raises(BudgetError) as raised:
        plan(problem)
    assert "60 bytes short: the plan needs 160" in str(raised.value)
    assert "peak: output (80 bytes), late (60 bytes), held (20 bytes);" in str(raised.value)
    with pytest.raises(BudgetError, match=r"output \(80 bytes, 70 of them shared with input\), held \(20 bytes\)"):
        plan(Problem((*made[:2], Buffer("held", 20, ((0, 5),))), (Pool("small", 100),), {(1, 0): 10}))

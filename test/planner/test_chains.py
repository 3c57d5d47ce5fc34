"""The bound for chains of buffers that may overlap, against every placement there is."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stillpool.planner import Buffer, Problem, plan
from stillpool.planner.bounds import lower_bound


def least(problem: Problem) -> int:
    """The least size of a pool by trying all offsets, of few small buffers."""
    sizes = problem.sizes

    def fits(capacity: int) -> bool:
        places = product(*(range(capacity - size + 1) for size in sizes))
        return any(all(_apart(problem, at, i, j) for i in range(len(at)) for j in range(i)) for at in places)

    return next(capacity for capacity in range(sum(sizes) + 1) if fits(capacity))


def _apart(problem: Problem, at: tuple[int, ...], i: int, j: int) -> bool:
    if not problem.buffers[i].overlaps(problem.buffers[j]):
        return True
    for low, high in ((i, j), (j, i)):
        gap = problem.leads.get((low, high), problem.sizes[low])
        if at[low] + min(gap, problem.sizes[low]) <= at[high]:
            return True
    return False


def chain(count: int, size: int, lead: int, scratch: int) -> Problem:
    """Operators one behind the other, each with scratch memory, whose output may lie a lead below its input."""
    tensors = [Buffer(f"x{n}", size, ((2 * n, 2 * n + 3),)) for n in range(count)]
    own = [Buffer(f"s{n}", scratch, ((2 * n + 2, 2 * n + 3),)) for n in range(count - 1)]
    return Problem((*tensors, *own), leads={(n + 1, n): lead for n in range(count - 1)})


@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_no_placement_takes_less_than_the_bound(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 4))
    made = tuple(
        Buffer(f"b{n}", data.draw(st.integers(1, 5)), ((n, n + data.draw(st.integers(1, 3))),)) for n in range(count)
    )
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] != pair[1])
    problem = Problem(made, leads=data.draw(st.dictionaries(pairs, st.integers(0, 5), max_size=4)))
    assert lower_bound(problem, range(count)) <= least(problem)


@pytest.mark.parametrize(("count", "size"), [(2, 10 + 2 + 3), (5, 10 + 4 * 2), (40, 2 * 10 + 3)])
def test_a_chain_goes_down_as_far_as_there_is_room(count: int, size: int) -> None:
    problem = chain(count, 10, 2, 3)
    assert lower_bound(problem, range(len(problem.buffers))) == size
    (pool,) = plan(problem).pools
    assert pool.size == size
    assert pool.optimal


def test_a_chain_that_may_be_turned_is_not_bound_to_go_down() -> None:
    down = chain(40, 10, 2, 3)
    problem = Problem(down.buffers, leads={**down.leads, **{(n, n + 1): 2 for n in range(39)}})
    assert lower_bound(problem, range(len(problem.buffers))) == 15

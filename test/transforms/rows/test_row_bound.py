"""What no order of rows can do without: against all orders of small networks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from branched import network
from hypothesis import given
from hypothesis import strategies as st

from stillpool.planner.min_cut import Cuts
from stillpool.transforms.rows.network import Network
from stillpool.transforms.rows.order import best_segments, peak_of
from stillpool.transforms.rows.row_bound import row_bound
from stillpool.transforms.rows.run import Run

EDGES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9)), max_size=14)


def cut(edges: Sequence[tuple[int, int, int]], side: set[int]) -> int:
    return sum(capacity for tail, head, capacity in edges if tail in side and head not in side)


@given(EDGES)
def test_cuts_are_the_least_of_all(edges: list[tuple[int, int, int]]) -> None:
    cuts = Cuts(6)
    for edge in edges:
        cuts.edge(*edge)
    for source, sink in ((0, 5), (3, 1)):
        rest = [node for node in range(6) if node not in (source, sink)]
        sides = ({source, *some} for count in range(5) for some in combinations(rest, count))
        assert cuts.least([source], [sink]) == min(cut(edges, side) for side in sides)


def of_all_orders(made: Network) -> int:
    """The fewest bytes that are live right before or after any step, in the order in which the most are least."""
    run = Run(made, is_divided=True)
    steps = [(o, s) for o, operator in enumerate(made.operators) for s in range(operator.steps)]
    before = dict(zip(steps, run.before(), strict=True))
    units = {unit for value in made.tensors for unit in run.units_of(value)}
    makers = {u: {step for step in steps if u in run.makes_of(*step)} for u in units}
    users = {u: {step for step in steps if u in run.needs_of(*step)} for u in units}

    def live(done: tuple[int, ...]) -> int:
        is_done = {(o, s) for o, count in enumerate(done) for s in range(count)}
        return sum(
            run.bytes_of(u)
            for u in units
            if (u in run.given or makers[u] & is_done) and (u in run.kept or users[u] - is_done)
        )

    def following(done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for o, operator in enumerate(made.operators):
            if done[o] < operator.steps and all(s < done[other] for other, s in before[o, done[o]]):
                yield (*done[:o], done[o] + 1, *done[o + 1 :])

    @cache
    def least(done: tuple[int, ...]) -> int:
        return max(live(done), min(map(least, following(done)), default=0))

    return least((0,) * len(made.operators))


def test_no_order_of_branches_takes_less() -> None:
    made = network()
    assert 0 < row_bound(made) <= of_all_orders(made) <= peak_of(made, best_segments(made))


@pytest.mark.parametrize(("whole", "expected"), [((), 52), ((0, 1, 2), 160)])
def test_the_bound_is_what_is_live_around_the_step_that_needs_most(whole: tuple[int, ...], expected: int) -> None:
    assert row_bound(network().with_whole(whole)) == expected

"""Buffers that lie as one piece, and rows that cascade out of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soundness import clash

from stillpool.planner import Block, Buffer, Pool, Problem, algorithms, plan
from stillpool.planner.blocks import settled


def cascade(rows: int, row: int, layers: int, lead: int | None) -> Problem:
    """An input whose rows die one by one, and layers of rows, each made of two rows of the one before.

    A row of the result of each layer follows as soon as it can; what all layers make is as large as the input.
    """
    made = [Buffer(f"in{r}", row, ((0, 2 * (r + 1) * layers + 1),)) for r in range(rows)]
    inputs = list(range(rows))
    leads: dict[tuple[int, int], int] = {}
    for layer in range(layers):
        outputs: list[int] = []
        for r in range(rows):
            first = 2 * (r + 1) * layers + layer
            last = 2 * (r + 2) * layers + layer + 1 if layer + 1 < layers else 2 * (rows + 2) * layers
            outputs.append(len(made))
            if lead is not None and made[inputs[r]].ranges[0][1] == first + 1:
                leads[len(made), inputs[r]] = lead
            made.append(Buffer(f"l{layer}r{r}", row, ((first, last),)))
        inputs = outputs
    return Problem(tuple(made), leads=leads, blocks=(Block({r: r * row for r in range(rows)}),))


@st.composite
def with_blocks(draw: st.DrawFn) -> Problem:
    """Two pieces that die or are born part by part, one of them aligned, among other buffers with leads."""
    made: list[Buffer] = []
    blocks: list[Block] = []
    for number in range(draw(st.integers(1, 2))):
        sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
        deaths = draw(st.lists(st.integers(1, 9), min_size=len(sizes), max_size=len(sizes)))
        starts = [0, *accumulate(sizes)]
        blocks.append(Block({len(made) + n: at for n, at in enumerate(starts[:-1])}))
        is_born = draw(st.booleans())
        for n, (size, moment) in enumerate(zip(sizes, deaths, strict=True)):
            life = (moment, 10) if is_born else (0, moment)
            made.append(Buffer(f"p{number}.{n}", size, (life,), 4 if number and not n else 1))
    parts = len(made)
    for number in range(draw(st.integers(0, 8))):
        first = draw(st.integers(0, 8))
        shift = draw(st.integers(0, 3))
        life = (first, first + draw(st.integers(1, 4)))
        made.append(Buffer(f"b{number}", draw(st.integers(1, 20)), (life,), 1 << shift))
    leads: dict[tuple[int, int], int] = {}
    if len(made) > parts + 1:
        other = st.integers(parts, len(made) - 1)
        pairs = st.tuples(other, other).filter(lambda pair: pair[0] != pair[1])
        leads = draw(st.dictionaries(pairs, st.integers(0, 9), max_size=3))
    return Problem(tuple(made), leads=leads, blocks=tuple(blocks))


@settings(deadline=None, max_examples=40)
@given(problem=with_blocks())
def test_blocks_stay_whole(problem: Problem) -> None:
    for algorithm in algorithms():
        answer = plan(problem, algorithm, 0.02)
        assert clash(problem, answer) is None
        (pool,) = answer.pools
        assert pool.lower_bound <= pool.size


@settings(deadline=None, max_examples=30)
@given(problem=with_blocks(), data=st.data())
def test_the_order_of_the_buffers_is_no_matter(problem: Problem, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(problem.buffers))))
    place = {old: new for new, old in enumerate(order)}
    shuffled = Problem(
        tuple(problem.buffers[i] for i in order),
        leads={(place[a], place[b]): lead for (a, b), lead in problem.leads.items()},
        blocks=tuple(Block({place[i]: at for i, at in block.offsets.items()}) for block in problem.blocks),
    )
    answer, other = plan(problem, seconds=0.02), plan(shuffled, seconds=0.02)
    assert answer.pools == other.pools
    assert [other.placements[place[i]] for i in range(len(order))] == list(answer.placements)


def test_a_block_lies_where_the_rest_fits() -> None:
    # At the start, the first row that dies would leave a hole too small for what comes.
    made = (
        *(Buffer(f"row{n}", 4, ((0, n + 1),)) for n in range(4)),
        Buffer("a", 8, ((1, 5),)),
        Buffer("b", 8, ((3, 5),)),
    )
    problem = Problem(made, blocks=(Block({n: 4 * n for n in range(4)}),))
    answer = plan(problem)
    assert clash(problem, answer) is None
    assert answer.pools[0].size == 20
    assert answer.pools[0].optimal


@pytest.mark.parametrize(("rows", "row", "layers"), [(24, 96, 6), (48, 40, 3)])
def test_rows_of_cascades_take_what_is_live(rows: int, row: int, layers: int) -> None:
    problem = cascade(rows, row, layers, None)
    answer = plan(problem)
    assert clash(problem, answer) is None
    assert answer.pools[0].optimal


def test_overlaps_of_rows_lower_the_plan() -> None:
    problem = cascade(30, 96, 1, 16)
    apart = plan(replace(problem, leads={}), seconds=0.2)
    answer = plan(problem, seconds=0.2)
    assert clash(problem, answer) is None
    assert answer.pools[0].size < apart.pools[0].size
    known = plan(problem, seconds=0.1, known=answer.placements)
    assert clash(problem, known) is None
    assert known.pools[0].size <= answer.pools[0].size


def test_more_buffers_than_are_searched_overlap_too() -> None:
    made = tuple(Buffer(f"b{n}", 64 + n % 3, ((n, n + 2),)) for n in range(700))
    problem = Problem(made, leads={(n + 1, n): 0 for n in range(699)})
    answer = plan(problem, seconds=0.2)
    assert clash(problem, answer) is None
    (pool,) = answer.pools
    assert pool.lower_bound <= pool.size < 2 * 64
    limited = plan(replace(problem, pools=(Pool("workspace", 100),)), seconds=0.2)
    assert clash(problem, limited) is None
    assert limited.pools[0].size <= 100


def test_an_output_grows_over_an_input_that_dies() -> None:
    rows, row = 6, 16
    given = [Buffer(f"in{r}", row, ((0, r + 1),)) for r in range(rows)]
    made = [Buffer(f"out{r}", row, ((r + 1, rows + 1),)) for r in range(rows)]
    pieces = (range(rows), range(rows, 2 * rows))
    blocks = tuple(Block({i: row * n for n, i in enumerate(piece)}) for piece in pieces)
    found = plan(Problem((*given, *made), blocks=blocks))
    assert (found.pools[0].size, found.pools[0].optimal) == (rows * row, True)


def test_blocks_of_other_pools_are_not_in_the_way() -> None:
    """Both of a pool lie one below the other at its end; that of another pool at the end of that."""
    pools = (Pool("a"), Pool("b"))
    made = tuple(
        Buffer(name + part, 8, ((0, 2),), pools=(name[0],))
        for name in ("a0", "b0", "a1")
        for part in ("first", "second")
    )
    blocks = tuple(Block({n: 0, n + 1: 8}) for n in (0, 2, 4))
    made = settled(Problem(made, pools, blocks=blocks), {"a": 40, "b": 40})
    assert [one.fixed for one in made.buffers] == [("a", 24), ("a", 32), ("b", 24), ("b", 32), ("a", 8), ("a", 16)]

"""Segments are found by bounds and by steps that become ready: the same as by asking every operator for every cut."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from branched import ADDED, SUMS, WIDER

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.rows.network import Network, Row
from stillpool.transforms.rows.order import best_segments, ordered, peak_of
from stillpool.transforms.rows.run import Run, Segment, Step
from stillpool.transforms.rows.segments import choose
from stillpool.transforms.rows.turns import rearranged
from stillpool.transforms.usmp.analysis.structure import entries


def tangled(seed: int, operators: int) -> Network:
    """A network whose operators read what any of the last ones made; now and then one writes over what is there."""
    draw = random.Random(seed)
    narrow, wide, lines = ["%x"], list[str](), list[str]()

    def late(names: Sequence[str]) -> str:
        return names[-min(draw.choice((1, 1, 1, 2, 3, 8)), len(names))]

    for number in range(operators):
        kind = draw.choice(("sums", "sums", "wider", "added") if wide else ("sums", "wider"))
        made = "%y" if number == operators - 1 else f"%t{number}"
        if made == "%y" and kind == "wider":
            kind = "sums"
        operands = [late(narrow)] if kind != "added" else [late(narrow), late(wide)]
        again = kind != "wider" and made != "%y" and len(narrow) > 3 and draw.random() < 0.04
        made = narrow[-2] if again else made
        types = ["memref<8x4xi8>"] * (len(operands) + 1)
        types[1 if kind == "added" else -1] = "memref<8x4xi32>" if kind != "sums" else types[0]
        if made.startswith("%t") and not again:
            lines.append(f"{made} = memref.alloc() : {types[-1]}")
            (wide if kind == "wider" else narrow).append(made)
        scratch = f"{{pool.scratch = {draw.randrange(60)} : i64}}" if draw.random() < 0.3 else ""
        lines.append(f"func.call @{kind}({', '.join([*operands, made])}) {scratch} : ({', '.join(types)}) -> ()")
    arguments = '%x: memref<8x4xi8> {pool.io = "input"}, %y: memref<8x4xi8> {pool.io = "output"}'
    text = f"func.func @tangled({arguments}) {{\n" + "\n".join([*lines, "func.return\n}"])
    module = parse(context(), (SUMS + WIDER + ADDED + text).encode(), "tangled.mlir")
    (entry,) = entries(module)
    return Network.of(module, entry)


def is_wanted(network: Network, done: set[Step], there: set[Row], step: Step, following: dict[int, int]) -> bool:
    """Whether a step frees as much as it takes, or the next one of an operator waits for its operator alone."""

    def buffers(rows: Sequence[Row]) -> set[Row]:
        return {(v, r if (t := network.tensors[v]).is_apart or t.is_given or t.is_kept else 0) for v, r in rows}

    def bytes_of(found: set[Row]) -> int:
        tensors = [network.tensors[v] for v, _ in found]
        return sum(t.row_bytes * (1 if t.is_apart or t.is_given or t.is_kept else t.layout.rows) for t in tensors)

    o, s = step
    left = [
        buffers(needs)
        for other, operator in enumerate(network.operators)
        for row, needs in enumerate(operator.needs)
        if (other, row) not in done | {step}
    ]
    kept = {(v, r) for v, t in network.tensors.items() if t.is_kept for r in range(t.layout.rows)}
    freed = buffers(network.operators[o].needs[s]).difference(kept, *left)
    taken = buffers(network.operators[o].makes[s]) - buffers([*there])
    makers = {row: other for other, operator in enumerate(network.operators) for rows in operator.makes for row in rows}
    own = {*network.operators[o].makes[s]}
    return bytes_of(freed) >= bytes_of(taken) or any(
        row < (operator := network.operators[other]).steps
        and not operator.is_barrier
        and own & ({*operator.needs[row]} - {need for needs in operator.needs[:row] for need in needs})
        and all(makers[need] == o for need in {*operator.needs[row]} - there)
        for other, row in following.items()
    )


def order_by_asking(network: Network, segment: Segment) -> list[Step]:
    """The steps of a segment: each time the operators are asked one after the other whether they can go on."""
    done = {(o, s) for o, operator in enumerate(network.operators[: segment.begin]) for s in range(operator.steps)}
    there = {(v, r) for v, t in network.tensors.items() if t.is_given for r in range(t.layout.rows)}
    for operator in network.operators[: segment.begin]:
        there |= {row for makes in operator.makes for row in makes}
    following = dict.fromkeys(segment.asked, 0)
    found: list[Step] = []
    while any(step < network.operators[o].steps for o, step in following.items()):
        able = [
            (o, step)
            for o, step in following.items()
            if step < (operator := network.operators[o]).steps
            and (operator.is_barrier or there.issuperset(operator.needs[step]))
        ]
        wanted = [step for step in able if not segment.is_patient or is_wanted(network, done, there, step, following)]
        o, step = (*wanted, *able)[0]
        found.append((o, step))
        done.add((o, step))
        there |= {*network.operators[o].makes[step]}
        following[o] += 1
    return found


def segments_by_asking(network: Network) -> list[Segment]:
    """The best cuts of all: for every end every begin, each segment run to its end."""
    run = Run(network)
    best: list[tuple[int, int, list[Segment]]] = [(0, 0, [])]
    for end in range(1, len(network.operators) + 1):
        found: list[tuple[int, int, list[Segment]]] = []
        for begin in reversed(range(end)):
            if begin + 1 < end and (network.operators[begin].is_barrier or network.operators[end - 1].is_barrier):
                break
            known, joined, segments = best[begin]
            peak = run.peak(Segment(begin, end))
            assert peak is not None
            found.append((max(known, peak), joined + end - begin - 1, [*segments, Segment(begin, end)]))
        best.append(min(found, key=lambda one: one[:2]))
    return best[-1][2]


@pytest.mark.parametrize("seed", range(12))
def test_bounds_and_ready_steps_change_no_segment(seed: int) -> None:
    network = tangled(seed, 12 + seed)
    count = len(network.operators)
    barrier = next((o for o in range(count) if network.operators[o].is_barrier), count)
    asked = [*range(barrier)]
    random.Random(seed).shuffle(asked)
    segments = Segment(0, barrier), Segment(0, barrier, tuple(asked)), Segment(barrier // 2, barrier)
    for segment in (*segments, *(replace(one, is_patient=True) for one in segments)):
        assert ordered(network, [Segment(o, o + 1) for o in range(segment.begin)] + [segment])[
            sum(o.steps for o in network.operators[: segment.begin]) :
        ] == order_by_asking(network, segment)
    assert best_segments(network) == segments_by_asking(network)


def test_some_tangles_have_barriers_and_some_have_none() -> None:
    """The cases above are of both kinds, and rows make some of them smaller."""
    made = [tangled(seed, 12 + seed) for seed in range(12)]
    barriers = [any(o.is_barrier for o in network.operators) for network in made]
    assert any(barriers)
    assert not all(barriers)
    assert any(any(not s.is_single for s in best_segments(network)) for network in made)


def test_most_pairs_of_cuts_are_never_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a chain with branches of 60 operators there are 1,830 pairs of cuts."""
    runs = list[Segment]()
    original = Run.peak

    def seen(run: Run, segment: Segment, floor: int = 0, limit: int | None = None) -> int | None:
        runs.append(segment)
        return original(run, segment, floor, limit)

    monkeypatch.setattr(Run, "peak", seen)
    network = next(n for n in (tangled(s, 60) for s in range(50)) if not any(o.is_barrier for o in n.operators))
    best_segments(network)
    assert len(runs) < 400


@pytest.mark.parametrize("seed", range(12))
def test_those_that_may_be_whole_are_found_by_halves_as_one_by_one(seed: int) -> None:
    network = tangled(seed, 14)
    segments = rearranged(network, best_segments(network))
    least = peak_of(network, segments)
    found = choose(network)
    if found is None:
        return
    chosen: list[int] = []
    for number in (segment.begin for segment in segments if segment.is_single):
        if peak_of(network.with_whole([*chosen, number]), segments) <= least:
            chosen.append(number)
    expected = network.with_whole(chosen)
    assert [o.steps for o in found.network.operators] == [o.steps for o in expected.operators]
    assert peak_of(found.network, found.segments) <= least


def test_steps_stay_where_others_are_whole() -> None:
    network = tangled(3, 14)
    whole = network.with_whole([2, 5])
    anew = whole.with_whole(range(len(whole.operators)))
    assert all(o.steps == len(o.needs) == len(o.makes) for one in (whole, anew) for o in one.operators)
    assert all(o.steps == 1 for o in anew.operators)


@pytest.mark.parametrize("seed", range(8))
def test_a_run_like_another_counts_the_same(seed: int) -> None:
    network = tangled(seed, 24)
    segments, run, draw = best_segments(network), Run(network), random.Random(seed)
    for _ in range(20):
        other = network.with_whole(draw.sample(range(24), draw.randrange(1, 12)))
        peak = peak_of(other, segments)
        assert Run(other, like=run).peak_of(segments) == peak
        assert Run(other, like=run).peak_of(segments, peak - 1) is None
        assert Run(other, like=run).peak_of(segments, peak) == peak
        orders = list[Step](), list[Step]()
        Run(other).peak_of(segments, steps=orders[0])
        Run(other, like=run).peak_of(segments, steps=orders[1])
        assert orders[0] == orders[1]
    assert run.peak_of(segments) == peak_of(network, segments)

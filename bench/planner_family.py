"""Dense problems with a plan that is known to exist: rectangles of time and bytes that were cut or changed as such.

A problem is made of places, each a live range and a range of offsets, no two of which share bytes. Whatever keeps that
so (bending the axis of offsets, turning time round, cutting, joining, dropping and extending) keeps the capacity
reachable. `python bench/planner_family.py FILE ...` solves benchmark files (`NAME.CAPACITY.csv`), changes their plans
and counts how many of the problems that result are solved at capacity.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from stillpool.errors import BudgetError
from stillpool.planner import Buffer, Pool, Problem, files, plan

UNIT = 1024
"""Bytes that all sizes are multiples of."""


class Place(NamedTuple):
    """Place of a buffer: live range, and offsets in units; both half-open."""

    first: int
    last: int
    low: int
    high: int

    def meets(self, other: Place) -> bool:
        """Whether the two share bytes."""
        return self.first < other.last and other.first < self.last and self.low < other.high and other.low < self.high


Places = list[Place]


def posed(places: Iterable[Place], capacity: int) -> Problem:
    """The problem that the places solve; `capacity` in units."""
    buffers = (Buffer(f"b{n}", (p.high - p.low) * UNIT, ((p.first, p.last),)) for n, p in enumerate(places))
    return Problem(tuple(buffers), (Pool("workspace", capacity * UNIT),))


def cut(source: random.Random, count: int, times: int, capacity: int) -> Places:
    """A full rectangle in `count` pieces, the larger ones cut first; some cuts are pinwheels."""
    pieces = [Place(0, times, 0, capacity)]
    while len(pieces) < count:
        (n,) = source.choices(range(len(pieces)), [(p.last - p.first) * (p.high - p.low) ** 0.7 for p in pieces])
        first, last, low, high = pieces[n]
        if last - first > 3 and high - low > 8 and source.random() < 0.1:
            left, right = sorted(source.sample(range(first + 1, last), 2))
            lower, upper = sorted(source.sample(range(low + 1, high), 2))
            pieces[n : n + 1] = [
                Place(first, left, low, upper),
                Place(left, last, low, lower),
                Place(right, last, lower, high),
                Place(first, right, upper, high),
                Place(left, right, lower, upper),
            ]
        else:
            pieces[n : n + 1] = split(source, pieces[n])
    return pieces


def split(source: random.Random, place: Place) -> Places:
    """A place in two, if it is not too small."""
    first, last, low, high = place
    if last - first > 1 and source.random() < 0.5:
        at = source.randrange(first + 1, last)
        return [place._replace(last=at), place._replace(first=at)]
    if high - low > 1:
        at = source.randrange(low + 1, high)
        return [place._replace(high=at), place._replace(low=at)]
    return [place]


def bent(source: random.Random, places: Places, capacity: int, strength: float) -> Places:
    """Sizes changed by bending the axis of offsets, each stretch of it by up to that part."""
    edges = sorted({0, capacity, *(p.low for p in places), *(p.high for p in places)})
    moved = [0.0]
    for low, high in pairwise(edges):
        moved.append(moved[-1] + max(0.3, (high - low) * (1 + source.uniform(-strength, strength))))
    to = {edge: round(at * capacity / moved[-1]) for edge, at in zip(edges, moved, strict=True)}
    return [p._replace(low=to[p.low], high=to[p.high]) for p in places if to[p.low] < to[p.high]]


def divided(source: random.Random, places: Places, count: int) -> Places:
    """Cut that many places in two."""
    chosen = set(source.sample(range(len(places)), min(count, len(places))))
    return [part for n, p in enumerate(places) for part in (split(source, p) if n in chosen else [p])]


def joined(source: random.Random, places: Places, count: int) -> Places:
    """Pairs of neighbours with a common side made one."""
    places = list(places)
    for _ in range(count):
        after = {(p.first, p.low, p.high): p for p in places}
        above = {(p.first, p.last, p.low): p for p in places}
        pairs = [(p, q) for p in places if (q := after.get((p.last, p.low, p.high))) is not None]
        pairs += [(p, q) for p in places if (q := above.get((p.first, p.last, p.high))) is not None]
        if not pairs:
            break
        p, q = source.choice(pairs)
        places.remove(p)
        places.remove(q)
        places.append(p._replace(last=q.last, high=q.high))
    return places


def thinned(source: random.Random, places: Places, count: int) -> Places:
    """Without that many."""
    return source.sample(places, len(places) - count)


def grown(source: random.Random, places: Places, count: int) -> Places:
    """Some that live longer, or are larger, where nothing is in the way."""
    places = list(places)
    times = sorted({t for p in places for t in p[:2]})
    top = max(p.high for p in places)
    for _ in range(count):
        n = source.randrange(len(places))
        longer = places[n]._replace(last=source.choice([t for t in times if t >= places[n].last]))
        larger = places[n]._replace(high=source.randint(places[n].high, top))
        candidate = source.choice([longer, larger])
        if not any(candidate.meets(p) for m, p in enumerate(places) if m != n):
            places[n] = candidate
    return places


def turned(places: Places) -> Places:
    """Time the other way round."""
    end = max(p.last for p in places)
    return [p._replace(first=end - p.last, last=end - p.first) for p in places]


CHANGES: dict[str, Callable[[random.Random, Places, int], Places]] = {
    "bent by 5 %": lambda source, places, capacity: bent(source, places, capacity, 0.05),
    "bent by 15 %": lambda source, places, capacity: bent(source, places, capacity, 0.15),
    "bent by 80 %": lambda source, places, capacity: bent(source, places, capacity, 0.8),
    "divided": lambda source, places, capacity: divided(source, places, len(places) // 10),
    "joined": lambda source, places, capacity: joined(source, places, len(places) // 10),
    "thinned": lambda source, places, capacity: thinned(source, places, len(places) // 20),
    "grown": lambda source, places, capacity: grown(source, places, len(places) // 2),
}
"""Ways to make another problem of the same kind."""


def change(name: str, seed: int, places: Places, capacity: int) -> Problem:
    """Another problem, shuffled, and every other time with time turned round."""
    source = random.Random(f"{name} {seed}")
    made = CHANGES[name](source, places, capacity)
    if seed % 2:
        made = turned(made)
    source.shuffle(made)
    return posed(made, capacity)


def solved(path: Path) -> tuple[Places, int]:
    """The places of a benchmark file's plan, and its capacity, both in units."""
    capacity = int(path.name.split(".")[-2])
    problem = files.read_csv(path, capacity)
    pairs = zip(problem.buffers, plan(problem, seconds=20).placements, strict=True)
    places = [Place(*b.ranges[0], p.offset // UNIT, (p.offset + b.size) // UNIT) for b, p in pairs]
    return places, capacity // UNIT


def main() -> None:
    """Solve what the files on the command line become."""
    for path in map(Path, sys.argv[1:]):
        places, capacity = solved(path)
        for name in CHANGES:
            start = time.process_time()
            try:
                plan(change(name, 1, places, capacity), seconds=5)
                outcome = "solved"
            except BudgetError:
                outcome = "open"
            print(f"{path.stem} {name}: {outcome}, {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()

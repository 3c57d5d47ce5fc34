"""Groups of buffers that all conflict with each other: what a pool must hold at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..problem import Problem

MOST = 4000
"""Cliques of a conflict graph that are looked for; beyond, each buffer only gets one."""


def cliques(problem: Problem, members: Sequence[int], gaps: Sequence[Mapping[int, int]]) -> list[list[int]]:
    """The maximal groups, as numbers into `members`.

    With live ranges those that are live at one time; with explicit conflicts the cliques of the conflict graph.
    """
    if problem.conflicts is not None:
        return _of_graph([set(row) for row in gaps])
    return _of_times(problem, members)


def _of_times(problem: Problem, members: Sequence[int]) -> list[list[int]]:
    """A group is maximal where a birth is followed by a death."""
    starts: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for number, i in enumerate(members):
        for first, last in problem.buffers[i].ranges:
            if first < last:
                starts.setdefault(first, []).append(number)
                ends.setdefault(last, []).append(number)
    live: dict[int, int] = {}
    groups: list[list[int]] = []
    has_grown = False
    for time in sorted({*starts, *ends}):
        dying = ends.get(time, ())
        # A buffer whose next range begins here stays.
        if dying and has_grown and not set(dying) <= set(starts.get(time, ())):
            groups.append(sorted(live))
            has_grown = False
        for number in dying:
            live[number] -= 1
            if not live[number]:
                del live[number]
        for number in starts.get(time, ()):
            live[number] = live.get(number, 0) + 1
            has_grown = True
    return _maximal(groups)


def _maximal(groups: list[list[int]]) -> list[list[int]]:
    """Without those that are part of another."""
    masks = [sum(1 << number for number in group) for group in groups]
    kept: list[int] = []
    for n in sorted(range(len(groups)), key=lambda n: (-len(groups[n]), n)):
        if not any(masks[n] & masks[k] == masks[n] for k in kept):
            kept.append(n)
    return [groups[n] for n in sorted(kept)]


def _of_graph(adjacent: Sequence[set[int]]) -> list[list[int]]:
    found: list[list[int]] = []
    for clique in _bron_kerbosch([], set(range(len(adjacent))), set(), adjacent):
        found.append(sorted(clique))
        if len(found) > MOST:
            return _maximal([sorted(_around(seed, adjacent)) for seed in range(len(adjacent))])
    return sorted(found)


def _bron_kerbosch(
    clique: list[int], candidates: set[int], excluded: set[int], adjacent: Sequence[set[int]]
) -> Iterator[list[int]]:
    """All maximal cliques (Bron and Kerbosch 1973, with the pivot of Tomita 2006)."""
    if not candidates:
        if not excluded:
            yield clique
        return
    pivot = max(sorted(candidates | excluded), key=lambda v: len(adjacent[v] & candidates))
    for v in sorted(candidates - adjacent[pivot]):
        yield from _bron_kerbosch([*clique, v], candidates & adjacent[v], excluded & adjacent[v], adjacent)
        candidates.remove(v)
        excluded.add(v)


def _around(seed: int, adjacent: Sequence[set[int]]) -> list[int]:
    """A clique with the seed, most conflicts first."""
    clique, common = [seed], set(adjacent[seed])
    while common:
        nearest = min(common, key=lambda v: (-len(adjacent[v] & common), v))
        clique.append(nearest)
        common &= adjacent[nearest]
    return clique

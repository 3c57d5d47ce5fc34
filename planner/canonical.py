"""An order of the buffers that does not depend on how the input lists them, so that permuted input is planned alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .problem import Problem

ROUNDS = 3
"""How far from a buffer its surroundings tell it from an equal one."""


def canonical_order(problem: Problem) -> list[int]:
    """The buffers by what they are: live ranges, size, alignment, pools, traffic and, at last, name.

    With explicit conflicts or leads also by what surrounds them (colour refinement).
    """
    buffers = problem.buffers
    keys = [(b.ranges, -b.size, b.alignment, b.pools, b.fixed or ("", -1), b.reads, b.writes) for b in buffers]
    if problem.conflicts is None and not problem.leads:
        return sorted(range(len(buffers)), key=lambda i: (keys[i], buffers[i].name))
    ranks = {key: number for number, key in enumerate(sorted(set(keys)))}
    colours = [ranks[key] for key in keys]
    for _ in range(ROUNDS):
        colours = _refined(problem, colours)
    return sorted(range(len(buffers)), key=lambda i: (colours[i], buffers[i].name))


def _refined(problem: Problem, colours: Sequence[int]) -> list[int]:
    """Colours that tell apart what has differently coloured surroundings."""
    around: list[list[tuple[int, ...]]] = [[] for _ in colours]
    for a, b in problem.conflicts or ():
        around[a].append((0, colours[b]))
        around[b].append((0, colours[a]))
    for (a, b), lead in problem.leads.items():
        around[a].append((1, lead, colours[b]))
        around[b].append((2, lead, colours[a]))
    keys = [(colour, *sorted(row)) for colour, row in zip(colours, around, strict=True)]
    ranks = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [ranks[key] for key in keys]


def permuted(problem: Problem, order: Sequence[int]) -> Problem:
    """The problem with its buffers in that order."""
    place = {old: new for new, old in enumerate(order)}
    conflicts = problem.conflicts
    return replace(
        problem,
        buffers=tuple(problem.buffers[i] for i in order),
        leads={(place[a], place[b]): lead for (a, b), lead in problem.leads.items()},
        conflicts=None
        if conflicts is None
        else frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in conflicts),
    )

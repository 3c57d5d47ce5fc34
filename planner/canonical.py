"""An order of the buffers that does not depend on how the input lists them, so that permuted input is planned alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .columns import MANY, column, is_plain
from .problem import Block, Buffer, Problem

ROUNDS = 3
"""How far from a buffer its surroundings tell it from an equal one."""


def canonical_order(problem: Problem) -> list[int]:
    """The buffers by what they are: live ranges, size, alignment, pools, traffic and, at last, name.

    With explicit conflicts or leads also by what surrounds them (colour refinement).
    """
    buffers = problem.buffers
    inside = {i: at for block in problem.blocks for i, at in block.offsets.items()}
    if len(buffers) >= MANY and is_plain(problem, range(len(buffers))) and not problem.leads:
        return _order_of_many(buffers)
    keys = [
        (b.ranges, -b.size, b.alignment, b.pools, b.fixed or ("", -1), b.reads, b.writes, inside.get(i, -1))
        for i, b in enumerate(buffers)
    ]
    if problem.conflicts is None and not problem.leads:
        return sorted(range(len(buffers)), key=lambda i: (keys[i], buffers[i].name))
    ranks = {key: number for number, key in enumerate(sorted(set(keys)))}
    colours = [ranks[key] for key in keys]
    for _ in range(ROUNDS):
        colours = _refined(problem, colours)
    return sorted(range(len(buffers)), key=lambda i: (colours[i], buffers[i].name))


def _order_of_many(buffers: Sequence[Buffer]) -> list[int]:
    """Canonical order of buffers with one live range each: by columns, then by name."""
    pools = {names: rank for rank, names in enumerate(sorted({b.pools for b in buffers}))}
    keys = [
        column(buffers, lambda b: b.ranges[0][0]),
        column(buffers, lambda b: b.ranges[0][1]),
        -column(buffers, lambda b: b.size),
        column(buffers, lambda b: b.alignment),
        column(buffers, lambda b: pools[b.pools]),
        column(buffers, lambda b: b.reads),
        column(buffers, lambda b: b.writes),
    ]
    keys = [key for key in keys if (key != key[0]).any()]
    order = np.lexsort(keys[::-1]) if keys else np.arange(len(buffers))
    differs = np.ones(len(buffers) + 1, dtype=bool)
    differs[1:-1] = False
    for key in keys:
        differs[1:-1] |= np.diff(key[order]) != 0
    ordered, starts = order.tolist(), np.flatnonzero(differs)
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if end - start > 1:
            ordered[start:end] = sorted(ordered[start:end], key=lambda i: buffers[i].name)
    return ordered


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
    conflicts = problem.conflicts
    is_paired = problem.leads or conflicts or problem.blocks
    place = {old: new for new, old in enumerate(order)} if is_paired else {}
    return replace(
        problem,
        buffers=tuple(problem.buffers[i] for i in order),
        leads={(place[a], place[b]): lead for (a, b), lead in problem.leads.items()},
        blocks=tuple(Block({place[i]: at for i, at in block.offsets.items()}) for block in problem.blocks),
        conflicts=None
        if conflicts is None
        else frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in conflicts),
    )

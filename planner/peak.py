"""Which buffers make up a plan's height, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .problem import Problem
from .short_name import short_name

MOST_NAMES = 8
"""Buffers that are named; those behind them are counted."""


def at_peak(problem: Problem, offsets: Mapping[int, int]) -> list[int]:
    """The buffers that are live together where the plan is highest, the largest first.

    Args:
        problem: with the buffers.
        offsets: where those of one pool lie, bytes.
    """

    def end(index: int) -> int:
        return offsets[index] + problem.buffers[index].size

    highest = max(offsets, key=lambda index: (end(index), index))
    together = [highest, *(index for index in problem.neighbours[highest] if index in offsets)]
    if problem.conflicts is None:
        together = _live_together(problem, together, highest, offsets)
    return sorted(together, key=lambda index: (-problem.buffers[index].size, -end(index), index))


def _live_together(problem: Problem, indices: Sequence[int], highest: int, offsets: Mapping[int, int]) -> list[int]:
    """Buffers that are live when most bytes are in use during the life of the highest buffer."""

    def live(moment: int) -> list[int]:
        return [i for i in indices if any(a <= moment < b for a, b in problem.buffers[i].ranges)]

    moments = {a for i in indices for a, _ in problem.buffers[i].ranges}
    own = sorted(t for t in moments if highest in live(t))

    def occupied(found: list[int]) -> int:
        total = end = 0
        for first, behind in sorted((offsets[i], offsets[i] + problem.buffers[i].size) for i in found):
            total, end = total + max(0, behind - max(first, end)), max(end, behind)
        return total

    return max(map(live, own), key=occupied, default=list(indices))


def in_words(problem: Problem, offsets: Mapping[int, int]) -> str:
    """The buffers at the peak with their sizes, and what each shares with those named before it."""
    texts: list[str] = []
    named: list[int] = []
    indices = at_peak(problem, offsets)
    for index in indices[:MOST_NAMES]:
        buffer = problem.buffers[index]
        first, end = offsets[index], offsets[index] + buffer.size
        shared = {
            short_name(problem.buffers[other].name): common
            for other in named
            if (common := min(end, offsets[other] + problem.buffers[other].size) - max(first, offsets[other])) > 0
        }
        notes = "".join(f", {common} of them shared with {name}" for name, common in shared.items())
        texts.append(f"{short_name(buffer.name)} ({buffer.size} bytes{notes})")
        named.append(index)
    if len(indices) > MOST_NAMES:
        texts.append(f"{len(indices) - MOST_NAMES} more")
    return ", ".join(texts)

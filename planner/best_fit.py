"""`best_fit`: buffers in the order of their births, each in the smallest gap that holds it.

What a heap allocator without headers would do. It needs time for the buffers and not for their pairs, so it is also
what is left for problems too large for anything else.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np

from .columns import Ints, columns, is_plain
from .first_fit import align_up, fixed_offsets, forbidden
from .layout import Effort, Layout
from .problem import Problem


def best_fit(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Offsets by best fit."""
    if is_plain(problem, members):
        return Layout(dict(zip(members, sweep(*columns(problem, members)), strict=True)))
    return Layout(_one_by_one(problem, members))


def _birth(problem: Problem, index: int) -> tuple[int, int, int]:
    buffer = problem.buffers[index]
    return min((first for first, _ in buffer.ranges), default=0), -buffer.size, index


class _Gaps:
    """Gaps between the buffers that live now."""

    def __init__(self) -> None:
        self._by_size: list[tuple[int, int]] = []
        self._size_at: dict[int, int] = {}
        self._start_of: dict[int, int] = {}
        self._tail = 0
        """Everything from here on is free."""

    def take(self, size: int, alignment: int) -> int:
        """Put a buffer into the smallest gap that holds it."""
        by_size = self._by_size
        for n in range(bisect_left(by_size, (size, 0)), len(by_size)):
            length, start = by_size[n]
            at = align_up(start, alignment)
            if at + size <= start + length:
                del by_size[n], self._size_at[start], self._start_of[start + length]
                self._add(start, at - start)
                self._add(at + size, start + length - at - size)
                return at
        at = align_up(self._tail, alignment)
        self._add(self._tail, at - self._tail)
        self._tail = at + size
        return at

    def free(self, at: int, size: int) -> None:
        """Give bytes back; neighbouring gaps become one."""
        end = at + size
        before = self._start_of.get(at)
        if before is not None:
            self._remove(before, at - before)
            at = before
        after = self._size_at.get(end)
        if after is not None:
            self._remove(end, after)
            end += after
        if end == self._tail:
            self._tail = at
        else:
            self._add(at, end - at)

    def _add(self, start: int, size: int) -> None:
        if size:
            insort(self._by_size, (size, start))
            self._size_at[start] = size
            self._start_of[start + size] = start

    def _remove(self, start: int, size: int) -> None:
        del self._by_size[bisect_left(self._by_size, (size, start))], self._size_at[start], self._start_of[start + size]


def sweep(first: Ints, last: Ints, sizes: Ints, steps: Ints) -> list[int]:
    """Offsets by best fit, of births, deaths, sizes and alignments."""
    order = np.lexsort((-sizes, first)).tolist()
    births, deaths, bytes_, alignments = first.tolist(), last.tolist(), sizes.tolist(), steps.tolist()
    offsets = [0] * len(sizes)
    gaps = _Gaps()
    live: list[tuple[int, int, int]] = []
    for n in order:
        birth, death, size = births[n], deaths[n], bytes_[n]
        while live and live[0][0] <= birth:
            _, at, length = heapq.heappop(live)
            gaps.free(at, length)
        if size and death > birth:
            offsets[n] = at = gaps.take(size, alignments[n])
            heapq.heappush(live, (death, at, size))
    return offsets


def _one_by_one(problem: Problem, members: Sequence[int]) -> dict[int, int]:
    offsets = fixed_offsets(problem, members)
    for _, _, index in sorted(_birth(problem, i) for i in members):
        if index in offsets:
            continue
        buffer = problem.buffers[index]
        blocked = sorted(forbidden(problem, index, j, offsets[j]) for j in problem.neighbours[index] if j in offsets)
        at, best = 0, None
        for first, end in blocked:
            if at < first and (best is None or first - at < best[0]):
                best = (first - at, at)
            at = max(at, align_up(end, buffer.alignment))
        offsets[index] = at if best is None else best[1]
    return offsets

"""Many buffers as columns of numbers, for what would take too long one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .problem import Buffer, Problem

Ints = NDArray[np.int64]


MANY = 1000
"""Buffers from which on columns are quicker."""


def is_plain(problem: Problem, members: Sequence[int]) -> bool:
    """Whether nothing but live ranges, one each, decides which buffers are in each other's way."""
    buffers = problem.buffers
    return (
        not problem.blocks
        and problem.conflicts is None
        and all(len(buffers[i].ranges) == 1 and not buffers[i].fixed for i in members)
    )


def column(buffers: Sequence[Buffer], value: Callable[[Buffer], int]) -> Ints:
    """One number of each buffer."""
    return np.fromiter(map(value, buffers), np.int64, len(buffers))


def columns(problem: Problem, members: Sequence[int]) -> tuple[Ints, Ints, Ints, Ints]:
    """Births, deaths (as ranks of the times that occur), sizes and alignments; one live range each."""
    buffers = [problem.buffers[i] for i in members]
    first = column(buffers, lambda b: b.ranges[0][0])
    last = column(buffers, lambda b: b.ranges[0][1])
    times = np.unique(first)
    return (
        np.searchsorted(times, first).astype(np.int64),
        # A death matters from the next birth on.
        np.searchsorted(times, last).astype(np.int64),
        column(buffers, lambda b: b.size),
        column(buffers, lambda b: b.alignment),
    )


def live_bytes(first: Ints, last: Ints, sizes: Ints) -> int:
    """The most bytes that are live at a time."""
    change = np.zeros(int(last.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(change, first, sizes)
    np.add.at(change, last, -sizes)
    return int(np.cumsum(change).max(initial=0))


def lowest_level(first: Ints, last: Ints) -> int:
    """The level of the narrowest buckets of lives, as wide as a usual one: narrower ones would be many to look into."""
    return int(np.median(last - first)).bit_length() if len(first) else 0

"""First fit of `large`, compiled by numba (the extra `scale`)."""

# The types hold whether the extra is installed or not.
# pyright: reportMissingImports=false, reportUntypedFunctionDecorator=false

from __future__ import annotations

import numba
import numpy as np

from .columns import Ints, lowest_level


def first_fit(order: Ints, first: Ints, last: Ints, sizes: Ints, alignments: Ints) -> list[int]:
    """Offsets; the same as those of `large.first_fit`."""
    return _first_fit(order, first, last, sizes, alignments, lowest_level(first, last)).tolist()


@numba.njit(cache=True)
def _first_fit(order: Ints, first: Ints, last: Ints, sizes: Ints, alignments: Ints, least: int) -> Ints:
    count = len(sizes)
    times = 1
    for i in range(count):
        times = max(times, last[i])
    levels = least + 1
    while (1 << (levels - 1)) < times:
        levels += 1
    # The buckets of all levels in one array, each a chain of entries.
    base = np.zeros(levels + 1, np.int64)
    for level in range(levels):
        base[level + 1] = base[level] + (times >> level) + 1
    heads = np.full(base[levels], -1, np.int64)
    filled = np.zeros(levels, np.int64)
    # Next entry of the chain, birth, death, offset, end: what one look at a buffer needs lies together.
    entries = np.empty((2 * count, 5), np.int64)
    used = 0
    offsets = np.zeros(count, np.int64)
    starts = np.empty(1024, np.int64)
    ends = np.empty(1024, np.int64)
    for i in order:
        begin, end, size, step = first[i], last[i], sizes[i], alignments[i]
        if size == 0 or end <= begin:
            continue
        found = 0
        for level in range(least, levels):
            if filled[level] == 0:
                continue
            for bucket in range(begin >> level, ((end - 1) >> level) + 1):
                entry = heads[base[level] + bucket]
                while entry >= 0:
                    row = entries[entry]
                    if row[1] < end and row[2] > begin:
                        if found == len(starts):
                            starts = np.append(starts, np.empty(found, np.int64))
                            ends = np.append(ends, np.empty(found, np.int64))
                        starts[found] = row[3]
                        ends[found] = row[4]
                        found += 1
                    entry = row[0]
        _sort(starts, ends, found)
        at = 0
        for k in range(found):
            if starts[k] - at >= size:
                break
            if ends[k] > at:
                at = -(-ends[k] // step) * step
        offsets[i] = at
        level = least
        while (1 << level) < end - begin:
            level += 1
        filled[level] += 1
        for bucket in range(begin >> level, ((end - 1) >> level) + 1):
            row = entries[used]
            row[0] = heads[base[level] + bucket]
            row[1] = begin
            row[2] = end
            row[3] = at
            row[4] = at + size
            heads[base[level] + bucket] = used
            used += 1
    return offsets


@numba.njit(cache=True)
def _sort(starts: Ints, ends: Ints, count: int) -> None:
    """Shell's sort of the first `count` pairs by start, with the gaps of Ciura (2001)."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for k in range(gap, count):
            start, end = starts[k], ends[k]
            n = k
            while n >= gap and starts[n - gap] > start:
                starts[n], ends[n] = starts[n - gap], ends[n - gap]
                n -= gap
            starts[n], ends[n] = start, end

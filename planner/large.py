"""First fit for many buffers: larger ones first, and those in the way found by an index of intervals.

A buffer lies in the one or two buckets of the level whose width is the first not below its life, so that neither short
nor long lives make a bucket long that need not be, and a search looks at few buffers that are not live then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import numpy as np

from .best_fit import sweep
from .columns import Ints, columns, live_bytes, lowest_level
from .layout import Effort, Layout
from .problem import Problem

PAIRS_PER_SECOND = 200_000
"""Pairs of buffers that first fit looks at in a second without numba."""
COMPILED_PAIRS_PER_SECOND = 3_000_000
"""Pairs per second with numba."""
LEAST_SECONDS = 10.0
"""Seconds that a plan of so many buffers may take in any case: less would only buy a plan that is much worse."""


def pairs(first: Ints, last: Ints) -> int:
    """How many pairs of buffers are live together."""
    born_before_end = np.searchsorted(np.sort(first), last)
    dead_before_birth = np.searchsorted(np.sort(last), first, side="right")
    return int((born_before_end - dead_before_birth).sum()) // 2


EXPONENTS = (0.0, 0.1, 0.2, 0.05, 0.3, -0.05, 0.5, 1.0)
"""Orders that first fit is tried with: by size times life to that power."""


def orders(first: Ints, last: Ints, sizes: Ints) -> Iterator[Ints]:
    """Orders of the buffers: the largest first, then such that long lives count, too; of equals the first-born."""
    life = np.maximum(last - first, 1)
    for exponent in EXPONENTS:
        # Rounded, for the last bits of logarithms differ between machines.
        weight = np.round(np.log(np.maximum(sizes, 1)) + exponent * np.log(life), 9)
        yield np.lexsort((first, -life, -weight)).astype(np.int64)


def first_fit(order: Ints, first: Ints, last: Ints, sizes: Ints, alignments: Ints) -> list[int]:
    """Offsets of buffers that are placed in that order, without numba."""
    offsets = [0] * len(sizes)
    levels: dict[int, dict[int, list[tuple[int, int, int, int]]]] = {}
    begins, ends, bytes_, steps = first.tolist(), last.tolist(), sizes.tolist(), alignments.tolist()
    least = lowest_level(first, last)
    for i in order.tolist():
        begin, end, size, step = begins[i], ends[i], bytes_[i], steps[i]
        if not size or end <= begin:
            continue
        there: list[tuple[int, int, int, int]] = []
        for level, buckets in levels.items():
            low, high = begin >> level, (end - 1) >> level
            found = range(low, high + 1) if high - low < len(buckets) else [b for b in buckets if low <= b <= high]
            for bucket in found:
                there += buckets.get(bucket, ())
        at = 0
        for low, high in sorted([(o, e) for o, e, b, d in there if b < end and d > begin]):
            if low - at >= size:
                break
            if high > at:
                at = -(-high // step) * step
        offsets[i] = at
        level = max(least, (end - begin - 1).bit_length())
        buckets = levels.setdefault(level, {})
        for bucket in {begin >> level, (end - 1) >> level}:
            buckets.setdefault(bucket, []).append((at, at + size, begin, end))
    return offsets


def place(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """The best of best fit and of first fit over several orders, as many as the effort allows; single live ranges only.

    The first order is tried in any case if numba is there.
    """
    first, last, sizes, alignments = columns(problem, members)
    bound = live_bytes(first, last, sizes)
    is_compiled = find_spec("numba") is not None
    speed = COMPILED_PAIRS_PER_SECOND if is_compiled else PAIRS_PER_SECOND
    budget = max(effort.seconds, LEAST_SECONDS) * speed
    each = pairs(first, last) + len(members)
    best: list[int] | None = None
    size = 0
    if is_compiled or each <= budget:
        if is_compiled:
            from .compiled import first_fit as fit
        else:
            fit = first_fit
        for order in orders(first, last, sizes):
            offsets = fit(order, first, last, sizes, alignments)
            height = int((np.array(offsets, dtype=np.int64) + sizes).max(initial=0))
            if best is None or height < size:
                best, size = offsets, height
            budget -= each
            if size <= bound or budget < each:
                break
    if best is None:
        best = sweep(first, last, sizes, alignments)
    return Layout(dict(zip(members, best, strict=True)), bound)

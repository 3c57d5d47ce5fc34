"""A lower bound for chains of buffers that may overlap: which of two lies below the other is often decided.

Two buffers that may overlap with one of them below need as much as both where the other one lies below. In a pool that
has not so much, the first one lies below, and each link of a chain goes on from the one before: the longest path of
such links, and what the last of them takes, must fit. What does not fit any more decides further pairs, as in edge
finding for disjunctive scheduling (Carlier and Pinson 1989).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .problem import Problem

SWEEPS = 60
"""Rounds over all pairs after which a capacity counts as possible."""


@dataclass(frozen=True)
class Pair:
    """Two buffers that are live together and may overlap."""

    low: int
    high: int
    gap: int
    """Bytes from the start of `low` to that of `high` at least, where `low` lies below."""
    other_gap: int
    """Likewise from `high` to `low`, where `high` lies below."""
    need: int
    """Bytes that any plan takes in which `low` lies below."""
    other_need: int
    """Likewise where `high` does."""


def chain_bound(problem: Problem, members: Sequence[int], pairs: Sequence[Pair], bound: int) -> int:
    """Bytes that no plan of `members` can do without, at least `bound`."""
    most = max((max(pair.need, pair.other_need) for pair in pairs), default=0)
    low, high = bound, max(bound, most)
    # With `high` bytes no pair is decided by what it needs.
    while low < high:
        middle = (low + high) // 2
        if _may_suffice(problem, members, pairs, middle):
            high = middle
        else:
            low = middle + 1
    return low


def _may_suffice(problem: Problem, members: Sequence[int], pairs: Sequence[Pair], capacity: int) -> bool:
    """Whether no chain of decided pairs leaves the capacity; says so, too, where that takes too long to know."""
    first, last = dict[int, int](), dict[int, int]()
    for i in members:
        fixed = problem.buffers[i].fixed
        first[i] = 0 if fixed is None else fixed[1]
        last[i] = capacity - problem.buffers[i].size if fixed is None else fixed[1]
    for _ in range(SWEEPS):
        is_settled = True
        for pair in pairs:
            links = [
                (below, above, gap)
                for below, above, gap, need in (
                    (pair.low, pair.high, pair.gap, pair.need),
                    (pair.high, pair.low, pair.other_gap, pair.other_need),
                )
                if need <= capacity and first[below] + gap <= last[above]
            ]
            if not links:
                return False
            if len(links) > 1:
                continue
            ((below, above, gap),) = links
            if first[above] < first[below] + gap:
                first[above], is_settled = first[below] + gap, False
            if last[below] > last[above] - gap:
                last[below], is_settled = last[above] - gap, False
        if is_settled:
            break
    return True


def oriented(problem: Problem, below: int, above: int) -> tuple[int, int]:
    """For two buffers one of which lies below: bytes between their starts, and bytes that both take together."""
    sizes, gap = problem.sizes, problem.leads.get((below, above), problem.sizes[below])
    return gap, max(sizes[below], sizes[above] + max(0, gap))


def pairs_of(problem: Problem, moments: Sequence[Mapping[frozenset[int], int]]) -> list[Pair]:
    """The pairs that may overlap.

    Args:
        problem: with leads.
        moments: for each time the groups of buffers that are live and connected by leads, with the bytes of each that
            no plan can do without.
    """
    needs: dict[tuple[int, int], int] = {}
    for groups in moments:
        total = sum(groups.values())
        for group, bytes in groups.items():
            for below in group:
                for above in problem.led[below] & group:
                    need = total - bytes + max(bytes, oriented(problem, below, above)[1])
                    needs[below, above] = max(need, needs.get((below, above), 0))
    return [
        Pair(a, b, oriented(problem, a, b)[0], oriented(problem, b, a)[0], need, needs[b, a])
        for (a, b), need in needs.items()
        if a < b
    ]

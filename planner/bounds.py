"""Lower bounds on the size of a pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .chains import chain_bound, pairs_of
from .columns import MANY, columns, is_plain, live_bytes
from .problem import Problem

MOST_LIVE = 20_000
"""Live buffers, counted at each time, up to which chains are looked at."""


def lower_bound(problem: Problem, members: Iterable[int]) -> int:
    """Bytes that no plan of `members` can do without.

    The largest sum of sizes that are live together; buffers that may overlap count only with what the lead makes them
    stick out, and with what chains of them need (`chains`). With explicit conflicts: the largest buffer together with a
    greedy clique around it.
    """
    members = list(members)
    if problem.conflicts is not None:
        return _clique_bound(problem, members)
    if not problem.leads:
        return _live_sizes(problem, members)
    times = sorted({first for i in members for first, _ in problem.buffers[i].ranges})
    chosen = set(members)
    partners: dict[int, list[int]] = {}
    for a, b in sorted(problem.leads):
        partners.setdefault(a, []).append(b)
        partners.setdefault(b, []).append(a)
    starts = sorted((first, last, i) for i in chosen for first, last in problem.buffers[i].ranges if first < last)
    moments: list[tuple[int, list[int]]] = []
    live: list[tuple[int, int]] = []
    position = 0
    for time in times:
        live = [(last, i) for last, i in live if last > time]
        while position < len(starts) and starts[position][0] <= time:
            live.append((starts[position][1], starts[position][2]))
            position += 1
        moments.append((sum(problem.buffers[i].size for _, i in live), [i for _, i in live]))
    best, groups = 0, dict[int, dict[frozenset[int], int]]()
    # Where most is live the bound is high at once, and no more than all sizes is live anywhere.
    for number, (total, of_moment) in sorted(enumerate(moments), key=lambda moment: -moment[1][0]):
        if total <= best:
            break
        groups[number] = _groups(problem, of_moment, partners)
        best = max(best, sum(groups[number].values()))
    if sum(len(of_moment) for _, of_moment in moments) > MOST_LIVE:
        return best
    tight = [groups[number] for number, (total, _) in enumerate(moments) if total > best]
    return chain_bound(problem, members, pairs_of(problem, tight), best)


def _live_sizes(problem: Problem, members: Sequence[int]) -> int:
    """The most bytes that are live at a time, overlaps aside."""
    if len(members) >= MANY and is_plain(problem, members):
        first, last, sizes, _ = columns(problem, members)
        return live_bytes(first, last, sizes)
    changes: dict[int, int] = {}
    for i in members:
        buffer = problem.buffers[i]
        end = None
        for first, last in sorted(buffer.ranges):
            # Ranges that touch or overlap count once.
            if end is not None and first < end:
                first = end
            if first < last:
                changes[first] = changes.get(first, 0) + buffer.size
                changes[last] = changes.get(last, 0) - buffer.size
                end = last
    most = live = 0
    for time in sorted(changes):
        live += changes[time]
        most = max(most, live)
    return most


def _groups(problem: Problem, live: Sequence[int], partners: Mapping[int, Sequence[int]]) -> dict[frozenset[int], int]:
    """Groups of live buffers that may overlap one another, with the bytes that each needs at least."""
    groups: dict[frozenset[int], int] = {}
    waiting = set(live)
    for start in live:
        group, found = list[int](), [start]
        while found:
            index = found.pop()
            if index in waiting:
                waiting.remove(index)
                group.append(index)
                found += partners.get(index, ())
        if group:
            groups[frozenset(group)] = _group_bytes(problem, group, partners)
    return groups


def _group_bytes(problem: Problem, group: list[int], partners: Mapping[int, Sequence[int]]) -> int:
    """Two buffers: what their leads make them take together. More: the most that lie apart from each other for sure."""
    sizes = {i: problem.buffers[i].size for i in group}
    if len(group) == 2:
        a, b = group
        joint = [
            max(sizes[below], sizes[above] + max(0, problem.leads[below, above]))
            for below, above in ((a, b), (b, a))
            if (below, above) in problem.leads
        ]
        return min(sum(sizes.values()), *joint)
    best = 0
    for seed in group:
        apart = [seed]
        for i in sorted(group, key=lambda i: (-sizes[i], i)):
            if i not in apart and not any(j in partners.get(i, ()) for j in apart):
                apart.append(i)
        best = max(best, sum(sizes[i] for i in apart))
    return best


def _clique_bound(problem: Problem, members: list[int]) -> int:
    chosen = set(members)
    adjacent = {i: {j for j in problem.neighbours[i] if j in chosen} for i in members}
    best = 0
    for seed in members:
        clique, common = [seed], set(adjacent[seed])
        while common:
            nearest = max(common, key=lambda j: (problem.buffers[j].size, -j))
            clique.append(nearest)
            common &= adjacent[nearest]
        best = max(best, sum(problem.buffers[i].size for i in clique))
    return best

"""Lower bounds on the size of a pool."""

from __future__ import annotations

from collections.abc import Iterable

from .problem import Problem


def lower_bound(problem: Problem, members: Iterable[int]) -> int:
    """Bytes that no plan of `members` can do without.

    The largest sum of sizes that are live together; a buffer that may overlap its dying input counts only with what
    the lead makes it stick out. With explicit conflicts: the largest buffer together with a greedy clique around it.
    """
    members = list(members)
    if problem.conflicts is not None:
        return _clique_bound(problem, members)
    times = sorted({first for i in members for first, _ in problem.buffers[i].ranges})
    chosen = set(members)
    best = 0
    starts = sorted((first, last, i) for i in chosen for first, last in problem.buffers[i].ranges if first < last)
    live: list[tuple[int, int]] = []
    position = 0
    for time in times:
        live = [(last, i) for last, i in live if last > time]
        while position < len(starts) and starts[position][0] <= time:
            live.append((starts[position][1], starts[position][2]))
            position += 1
        best = max(best, _live_bytes(problem, [i for _, i in live]))
    return best


def _live_bytes(problem: Problem, live: list[int]) -> int:
    """Bytes that a set of live buffers needs at least, pairs with a lead counted as one."""
    sizes = {i: problem.buffers[i].size for i in live}
    present, merged, total = set(live), set[int](), 0
    for (a, b), lead in sorted(problem.leads.items()):
        if a in present and b in present and a not in merged and b not in merged:
            merged |= {a, b}
            # The output begins `lead` below the input or apart from it; either way both ends must fit.
            total += min(sizes[a] + sizes[b], max(sizes[a], lead + sizes[b]))
    return total + sum(size for i, size in sizes.items() if i not in merged)


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

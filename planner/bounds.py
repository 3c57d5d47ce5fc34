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
    """Bytes that a set of live buffers needs at least; an output and the inputs it may overlap count as one group."""
    sizes = {i: problem.buffers[i].size for i in live}
    partners: dict[int, list[int]] = {}
    for a, b in sorted(problem.leads):
        if a in sizes and b in sizes:
            partners.setdefault(a, []).append(b)
    total, counted = 0, set[int]()
    for output, inputs in sorted(partners.items()):
        fresh = [i for i in inputs if i not in counted]
        if output in counted or not fresh:
            continue
        counted |= {output, *fresh}
        if len(inputs) == 1:
            ahead = problem.leads[output, inputs[0]] + sizes[inputs[0]]
            total += min(sizes[output] + sizes[inputs[0]], max(sizes[output], ahead))
        else:
            # Inputs are apart from each other, but may all lie within the output.
            total += max(sizes[output], sum(sizes[i] for i in fresh))
    return total + sum(size for i, size in sizes.items() if i not in counted)


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

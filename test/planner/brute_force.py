"""The least pool by exhaustion: independent of the planner, quick enough for 14 buffers."""

from __future__ import annotations

from stillpool.planner import Problem


def least_pool(problem: Problem) -> int:
    """Bytes of the least plan of buffers with one live range each, in one pool.

    A skyline over time grows by one buffer after another. Any plan can be pushed down until every buffer lies on the
    skyline of those with lower offsets, so only sequences in which offsets never fall are looked at, and in which no
    buffer has room below all that follow.
    """
    buffers = problem.buffers
    moments = sorted({b.ranges[0][0] for b in buffers})
    spans = [[n for n, t in enumerate(moments) if b.ranges[0][0] <= t < b.ranges[0][1]] for b in buffers]
    best = sum(b.size + b.alignment for b in buffers)
    waiting = [0] * len(moments)
    for b, span in zip(buffers, spans, strict=True):
        for n in span:
            waiting[n] += b.size
    bound = max(waiting)
    seen: set[tuple[frozenset[int], int, tuple[int, ...]]] = set()

    def grow(rest: frozenset[int], skyline: list[int], lowest: int) -> None:
        nonlocal best
        if not rest:
            best = min(best, max(skyline))
            return
        # What no later buffer can reach is level ground.
        level = [max(top, lowest) if waiting[n] else 0 for n, top in enumerate(skyline)]
        if max(max(skyline), max(top + more for top, more in zip(level, waiting, strict=True))) >= best:
            return
        state = (rest, max(skyline), tuple(level))
        if state in seen:
            return
        seen.add(state)
        choices: list[tuple[int, int]] = []
        for i in rest:
            floor, step = max(skyline[n] for n in spans[i]), buffers[i].alignment
            choices.append((-(-floor // step) * step, i))
        ceiling = min(at + buffers[i].size for at, i in choices)
        for at, i in sorted(choices):
            if best == bound:
                return
            if not lowest <= at < ceiling:
                continue
            raised = list(skyline)
            for n in spans[i]:
                raised[n] = at + buffers[i].size
                waiting[n] -= buffers[i].size
            grow(rest - {i}, raised, at)
            for n in spans[i]:
                waiting[n] += buffers[i].size

    grow(frozenset(range(len(buffers))), [0] * len(moments), 0)
    return best

"""Whether a plan is sound: independent of the planner."""

from __future__ import annotations

from stillpool.planner import Placement, Plan, Problem


def clash(problem: Problem, answer: Plan) -> str | None:
    """What is wrong with a plan, by looking at every pair of buffers and every byte boundary."""
    for i, (a, p) in enumerate(zip(problem.buffers, answer.placements, strict=True)):
        if p.offset % a.alignment:
            return f"{a.name} is misaligned"
        size = next(pool.size for pool in answer.pools if pool.name == p.pool)
        if p.offset < 0 or p.offset + a.size > size:
            return f"{a.name} leaves its pool"
        for j in range(i):
            b, q = problem.buffers[j], answer.placements[j]
            times_a = {t for first, last in a.ranges for t in range(first, last)}
            times_b = {t for first, last in b.ranges for t in range(first, last)}
            if p.pool != q.pool or not times_a & times_b:
                continue
            apart = p.offset + a.size <= q.offset or q.offset + b.size <= p.offset
            led = ((i, j) in problem.leads and p.offset + problem.leads[i, j] <= q.offset) or (
                (j, i) in problem.leads and q.offset + problem.leads[j, i] <= p.offset
            )
            if not apart and not led:
                return f"{a.name} and {b.name} share bytes"
    for block in problem.blocks:
        first = answer.placements[block.first]
        for i, at in block.offsets.items():
            if answer.placements[i] != Placement(first.pool, first.offset + at):
                return f"{problem.buffers[i].name} is not in its place of the block"
    return None

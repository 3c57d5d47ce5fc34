"""Local search over placement orders, after Apache TVM's `hill_climb`: swap what stands in the highest buffer's way."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .bounds import lower_bound
from .first_fit import height, place_in_order
from .greedy import greedy_by_size
from .layout import Effort, Layout
from .problem import Problem

ATTEMPTS = 500
"""Orders that are tried; the search is deterministic."""


def hill_climb(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """The best plan found by swapping buffers in the placement order, starting from `greedy_by_size`."""
    best = greedy_by_size(problem, members, effort).offsets
    bound = lower_bound(problem, members)
    order = sorted(members, key=lambda i: (-problem.buffers[i].size, i))
    current, current_height = best, height(problem, best)
    best_height = current_height
    source = random.Random(0)
    for attempt in range(ATTEMPTS):
        if best_height <= bound:
            break
        highest = max(current, key=lambda i: (current[i] + problem.buffers[i].size, i))
        below = [j for j in problem.neighbours[highest] if j in current]
        if not below:
            break
        first, second = highest, source.choice(below)
        swapped = list(order)
        i, j = swapped.index(first), swapped.index(second)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        candidate = place_in_order(problem, swapped)
        candidate_height = height(problem, candidate)
        # A worse order is kept now and then at first, never towards the end.
        if candidate_height <= current_height or source.random() < 0.3 * (1 - attempt / ATTEMPTS):
            order, current, current_height = swapped, candidate, candidate_height
        if candidate_height < best_height:
            best, best_height = candidate, candidate_height
    return Layout(best)

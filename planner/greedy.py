"""The greedy algorithms of Apache TVM's USMP, under its names: an order of the buffers, then first fit.

Unlike TVM's, the fit fills every gap below.
"""

from __future__ import annotations

from collections.abc import Sequence

from .first_fit import place_in_order
from .layout import Effort, Layout
from .problem import Problem


def _span(problem: Problem, index: int) -> int:
    return sum(last - first for first, last in problem.buffers[index].ranges)


def greedy_by_size(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Largest buffers first; the longer-lived of two equals before the other."""
    order = sorted(members, key=lambda i: (-problem.buffers[i].size, -_span(problem, i), i))
    return Layout(place_in_order(problem, order))


def greedy_by_conflicts(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Buffers with most conflicts first; the larger of two equals before the other."""
    order = sorted(members, key=lambda i: (-len(problem.neighbours[i]), -problem.buffers[i].size, i))
    return Layout(place_in_order(problem, order))

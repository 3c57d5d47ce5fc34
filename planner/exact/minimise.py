"""The algorithm `exact`: the least pool that is found within the effort, and what is proved about it.

Up to some hundred buffers are searched. Blocks are searched for at one place only, and more buffers not at all: there
ejection goes on from what a search without leads finds, which is quick and proves its own optimum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .. import large
from ..blocks import settled
from ..bounds import lower_bound
from ..columns import columns, is_plain
from ..ejection import LEAST_GAIN, Ejection
from ..first_fit import height
from ..greedy import greedy_by_size
from ..layout import Effort, Layout
from ..problem import Problem
from .least import first_fit, least, lowered, nodes_of

SEARCHED = 600
"""Buffers that a search can do something with."""
LED = 150
"""Buffers up to which a search with leads finds more than one without."""
EJECTED = 5_000
"""Buffers whose pairs can be looked at again and again, however many there are."""
PAIRS = 2_000_000
"""Pairs of buffers, live together, that can be looked at again and again."""
AFTER_EJECTION = 24
"""Part of the effort for a search below what ejection found."""
SHARE = 16
"""Part of the effort for each search before ejection."""
USUAL = 60
"""Buffers of which a search makes as many placements in a second as are counted; of more it makes fewer."""


def exact(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Offsets of `members`, the least height that was found, and the highest that is proved to be necessary."""
    if not members:
        return Layout({}, 0)
    if len(members) <= (LED if problem.leads else SEARCHED) and not problem.blocks:
        return least(problem, members, effort)
    if len(members) <= EJECTED:
        return _Crowd(problem, members, effort).run()
    if is_plain(problem, members):
        # What it proves holds without leads.
        fitted = large.place(problem, members, effort)
        if large.pairs(*columns(problem, members)[:2]) <= PAIRS:
            return _lowered(problem, members, effort, fitted.offsets)
        return Layout(fitted.offsets) if problem.leads else fitted
    return greedy_by_size(settled(problem), members, effort)


def _lowered(problem: Problem, members: Sequence[int], effort: Effort, fitted: Mapping[int, int]) -> Layout:
    """A plan that is known, or one of first fit, without the buffers that stand out."""
    bound, begins = lower_bound(problem, members), [fitted, *([] if effort.known is None else [effort.known])]
    begin = min(begins, key=lambda offsets: height(problem, dict(offsets)))
    return Layout(Ejection(problem, members, effort.seconds).lower(begin, bound, effort.limit), bound)


class _Crowd:
    """Many buffers or such with blocks, in one pool: one attempt after another until one reaches the bound."""

    def __init__(self, problem: Problem, members: Sequence[int], effort: Effort):
        self._problem = problem
        self._members = members
        self._effort = effort
        self._bound = lower_bound(problem, members)
        self._best = None if effort.known is None else dict(effort.known)

    def run(self) -> Layout:
        """The best of all attempts."""
        if self._best is None:
            return Layout(self._anew(), self._bound)
        self._search_with_leads()
        if not self._is_least():
            self._best = self._ejected(self._problem, self._best, self._bound)
        return Layout(self._best, self._bound)

    def _anew(self) -> dict[int, int]:
        """A plan where none is known.

        Ejection goes on from one in which nothing overlaps. Where that ends above the bound of such plans, which can
        mostly be reached, it goes on from there once more, if there are no more buffers than are searched.
        """
        plain = replace(self._problem, leads={})
        plain_bound = lower_bound(plain, self._members)
        begin = self._best = self._searched(plain, plain_bound)
        self._search_with_leads()
        if not self._is_least():
            self._best = self._ejected(self._problem, self._best, self._bound)
        count = len(self._members)
        few = count <= LED
        is_above = few or (count <= SEARCHED and height(plain, self._best) > (1 + LEAST_GAIN) * plain_bound)
        if self._problem.leads and is_above:
            apart = self._ejected(plain, begin, plain_bound)
            if few or height(plain, apart) < height(plain, self._best):
                self._consider(self._ejected(self._problem, apart, self._bound))
        if self._problem.leads or self._problem.blocks:
            self._consider(self._fitted(settled(self._problem), self._bound))
        assert self._best is not None, "something was found"
        if not self._is_least() and self._problem.leads and not self._problem.blocks and count <= SEARCHED:
            nodes = nodes_of(self._effort) // AFTER_EJECTION
            self._best = lowered(self._problem, self._members, self._best, self._bound, nodes)
        return self._best

    def _search_with_leads(self) -> None:
        if not self._is_least() and len(self._members) <= LED:
            self._consider(self._searched(self._problem, self._bound))
            self._consider(self._glanced(settled(self._problem)))

    def _searched(self, problem: Problem, bound: int) -> dict[int, int]:
        """A plan of the search at the bound; of too many buffers by first fit.

        Blocks end at the bound: what they free is one piece there with what is free below them.
        """
        placed = settled(problem, dict.fromkeys((pool.name for pool in problem.pools), bound))
        return (
            self._fitted(placed, bound)
            if len(self._members) > (SEARCHED if not self._problem.leads else LED)
            else self._glanced(placed)
        )

    def _fitted(self, placed: Problem, bound: int) -> dict[int, int]:
        """A plan by first fit, over fewer orders where there are very many buffers."""
        if len(self._members) <= SEARCHED:
            return first_fit(placed, self._members, bound)
        if is_plain(placed, self._members) and not placed.leads:
            return large.place(placed, self._members, self._effort).offsets
        return greedy_by_size(placed, self._members, self._effort).offsets

    def _glanced(self, placed: Problem) -> dict[int, int]:
        nodes = nodes_of(self._effort) * USUAL // (SHARE * max(USUAL, len(self._members)))
        return least(placed, self._members, self._effort, nodes).offsets

    def _ejected(self, problem: Problem, offsets: Mapping[int, int], bound: int) -> dict[int, int]:
        return Ejection(problem, self._members, self._effort.seconds).lower(offsets, bound, self._effort.limit)

    def _consider(self, offsets: dict[int, int]) -> None:
        if self._best is None or height(self._problem, offsets) < height(self._problem, self._best):
            self._best = offsets

    def _is_least(self) -> bool:
        return self._best is not None and height(self._problem, self._best) <= self._bound

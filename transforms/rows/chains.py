"""Parts one behind the other that hand over columns: the chains with few bytes or few multiplications.

While a band of one part is computed, the columns that other parts wait for are live. So the bytes of a chain are those
of its fullest band, and of all columns that are handed over. States from left to right are kept where no other one has
both fewer bytes and fewer multiplications, `MOST` of them at each cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..nn.columns import Bands, Columns

MOST = 24
"""States that are kept at each cut."""


@dataclass(frozen=True)
class Link:
    """A part of a chain."""

    bands: Bands
    bytes: int
    """Live bytes if what is before it and behind it is whole."""
    macs: int
    """Multiplications that are made twice."""
    inner: int
    """Bytes of the fullest band without what is before it and what it makes."""
    made: Sequence[Columns]
    """The bands."""
    needed: Mapping[SSAValue, Sequence[Columns]]
    """For each band the columns of what is before it."""


@dataclass(frozen=True)
class HandedOver:
    """A tensor that one part makes and the next one uses up."""

    value: SSAValue
    column: int
    """Bytes of a column."""

    def held(self, before: Link, after: Link) -> int:
        """The most bytes that are there at once."""
        return self.column * max(
            sum(band.count for band in before.made if band.meets(wanted)) for wanted in after.needed[self.value]
        )


@dataclass(frozen=True)
class State:
    """The parts of a chain up to a cut, and what they hand over to each other."""

    links: tuple[Link, ...]
    handed: tuple[HandedOver, ...]
    held: int
    """Bytes that are handed over, if there are the most of all at once."""
    inner: int
    """Bytes of the fullest band."""
    macs: int

    @property
    def chain(self) -> tuple[Bands, ...]:
        """The parts as they are written."""
        return tuple(link.bands for link in self.links)

    def peak(self) -> int:
        """The most bytes that are live, without the chain's operands and its result, found by running all bands."""
        run = _Run(self)
        for band in range(len(self.links[-1].made)):
            run.band(len(self.links) - 1, band)
        return run.most


class _Run:
    """Bands of a chain as they are computed: each when it is needed first, there until it is needed last."""

    def __init__(self, state: State):
        self._links, self._handed = state.links, state.handed
        self._made: set[tuple[int, int]] = set()
        self._live = self.most = 0

    def band(self, number: int, band: int) -> None:
        """Compute a band of a part, and those before it that it needs."""
        self._made.add((number, band))
        link = self._links[number]
        needed = link.needed[self._handed[number - 1].value] if number else ()
        met = [n for n, one in enumerate(self._links[number - 1].made) if number and one.meets(needed[band])]
        for other in met:
            if (number - 1, other) not in self._made:
                self.band(number - 1, other)
        self._live += self._bytes(number, band)
        self.most = max(self.most, self._live + link.inner)
        for other in met:
            if not any(self._links[number - 1].made[other].meets(later) for later in needed[band + 1 :]):
                self._live -= self._bytes(number - 1, other)

    def _bytes(self, number: int, band: int) -> int:
        """What is handed over of a band; of the last part nothing is."""
        return self._handed[number].column * self._links[number].made[band].count if number < len(self._handed) else 0


def best_chains(
    links: Mapping[int, Sequence[Link]],
    cuts: Sequence[int],
    start: int,
    most: int,
    handed: Callable[[int, int, int], HandedOver | None],
) -> Iterator[State]:
    """Chains of two parts or more from a cut on.

    Args:
        links: parts by the cut at their end.
        cuts: places between operators, ascending.
        start: the cut.
        most: multiplications that may be made twice.
        handed: what is handed over in a chain from one cut at another, if a part up to a third comes next.
    """
    states: dict[int, list[State]] = {}
    for end in (cut for cut in cuts if cut > start):
        found: list[State] = []
        for link in links.get(end, ()):
            first = link.bands.first
            if first == start:
                found.append(State((link,), (), 0, link.inner, link.macs))
            if not (before := states.get(first)) or (value := handed(start, first, end)) is None:
                continue
            for state in before:
                held = state.held + value.held(state.links[-1], link)
                macs, inner = state.macs + link.macs, max(state.inner, link.inner)
                if macs <= most:
                    found.append(State((*state.links, link), (*state.handed, value), held, inner, macs))
        states[end] = _kept(found)
        yield from (state for state in states[end] if len(state.links) > 1)


def _kept(states: Sequence[State]) -> list[State]:
    """Those that are best in bytes for their multiplications, as many as are kept."""
    found: list[State] = []
    least = None
    for state in sorted(states, key=lambda one: (one.macs, one.held + one.inner, len(one.links))):
        if least is None or state.held + state.inner < least:
            least = state.held + state.inner
            found.append(state)
    if len(found) <= MOST:
        return found
    return [found[n * (len(found) - 1) // (MOST - 1)] for n in range(MOST)]

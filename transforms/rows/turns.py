"""In which order the operators of a segment are asked for rows, where the deepest first is not the best.

With branches, and with kernels of which some take much scratch, fewer bytes may be live when an operator makes its row
later, or sooner. Orders are searched by local search from the deepest first: an operator is moved in the order, and the
move stays unless the peak rises. Equal networks get equal orders.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ...progress import tell
from .network import Network
from .order import Run, Segment

_MOST_TRIALS = 600
"""Orders of a segment that are tried."""

_MOST_STEPS = 120_000
"""Limit of those orders in steps of operators, for long networks; a second or two of computing."""


def rearranged(network: Network, segments: Sequence[Segment]) -> list[Segment]:
    """The segments, those with the highest peak in the order in which it is lowest of what was tried."""
    run, made = Run(network), list(segments)
    peaks = [run.peak(segment) or 0 for segment in made]
    tried: set[int] = set()
    while (worst := max(range(len(made)), key=lambda n: peaks[n])) not in tried:
        tried.add(worst)
        tell(f"split-rows: order of rows, segment {len(tried)} of at most {len(made)}")
        floor = max((peak for n, peak in enumerate(peaks) if n != worst), default=0)
        made[worst], peaks[worst] = _lowered(network, run, made[worst], peaks[worst], floor)
    return made


def _lowered(network: Network, run: Run, segment: Segment, peak: int, floor: int) -> tuple[Segment, int]:
    """A segment with the best order that is found, and its peak; one that is not above `floor` will do."""
    best, least, order = segment, peak, list(segment.asked)
    steps = sum(network.operators[operator].steps for operator in order)
    draw = random.Random(0)
    for _ in range(min(_MOST_TRIALS, _MOST_STEPS // steps)):
        if least <= floor or len(order) < 3:
            break
        tried = list(order)
        for _ in range(draw.choice((1, 1, 2, 3))):
            tried.insert(draw.randrange(len(order)), tried.pop(draw.randrange(len(order))))
        found = run.peak(replace(segment, turns=tuple(tried)), limit=least)
        if found is None:
            continue
        order = tried
        if found < least:
            best, least = replace(segment, turns=tuple(tried)), found
    return best, least

"""In which order the operators of a segment are asked for rows, where the deepest first is not the best.

With branches, and with kernels of which some take much scratch, fewer bytes may be live when an operator makes its row
later, or sooner. Orders are searched by local search from the deepest first: an operator is moved in the order, and the
move stays unless the peak rises. Equal networks get equal orders.

No such order lets the branch of a residual block make its rows just before their sum. Patient orders do: there a step
waits until it frees memory or is all that another one waits for. They are taken where they need less.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ...progress import tell
from .network import Network
from .run import Run, Segment

_MOST_TRIALS = 600
"""Orders of a segment that are tried."""

_MOST_STEPS = 120_000
"""Limit of those orders in steps of operators, for long networks; a second or two of computing."""

_MOST_PATIENT_STEPS = 15_000
"""The same limit where steps wait: each takes longer to choose, and the first such order is mostly the best."""

_WORSE = 3
"""Orders in which steps wait are searched if they begin with at most an eighth more bytes than the best of others."""


def rearranged(network: Network, segments: Sequence[Segment]) -> list[Segment]:
    """The segments, those with the highest peak in the order in which it is lowest of what was tried."""
    run, made = Run(network), list(segments)
    peaks = [run.peak(segment) or 0 for segment in made]
    tried: set[int] = set()
    while (worst := max(range(len(made)), key=lambda n: peaks[n])) not in tried:
        tried.add(worst)
        tell(f"split-rows: order of rows, segment {len(tried)} of at most {len(made)}")
        floor = max((peak for n, peak in enumerate(peaks) if n != worst), default=0)
        found = _lowered(network, run, made[worst], peaks[worst], floor, _MOST_STEPS)
        patient = replace(made[worst], is_patient=True)
        peak = run.peak(patient, limit=found[1] + (found[1] >> _WORSE)) if found[1] > floor else None
        if peak is not None and peak != peaks[worst]:
            other = _lowered(network, run, patient, peak, floor, _MOST_PATIENT_STEPS)
            found = other if other[1] < found[1] else found
        made[worst], peaks[worst] = found
    return made


def _lowered(network: Network, run: Run, segment: Segment, peak: int, floor: int, most: int) -> tuple[Segment, int]:
    """A segment with the best order found in so many steps, and its peak; one that is not above `floor` will do."""
    best, least, order = segment, peak, list(segment.asked)
    steps = sum(network.operators[operator].steps for operator in order)
    draw = random.Random(0)
    for _ in range(min(_MOST_TRIALS, most // steps)):
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

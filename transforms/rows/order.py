"""An order of all steps in which few bytes are live.

The network is cut into segments that run one after the other. Inside a segment the deepest operator whose rows are
there goes next, so that rows are used up as soon as they can be, unless `turns` finds better. The cuts are those with
the smallest peak, found by dynamic programming; a segment of one operator computes whole tensors, as without rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...progress import counted
from .network import Network
from .run import Run, Segment, Step


def best_segments(network: Network) -> list[Segment]:
    """The cuts with the smallest peak; of several such those that interleave the fewest operators."""
    count = len(network.operators)
    run = Run(network)
    best: list[_Cut] = [_Cut(0, 0, 0)]
    for end in counted("split-rows: operator", range(1, count + 1)):
        if network.takes_rows and end == 1 < count and not network.operators[1].is_barrier:
            # What the application hands over is used as it comes: no run waits for all of it if it can go on.
            best.append(_Cut(sys.maxsize, 0, 0))
            continue
        found: _Cut | None = None
        # One that begins where the last one did is mostly good: most others need not be run to their ends.
        begins = sorted(_begins(network, end), key=lambda begin: (begin != best[end - 1].begin, -begin))
        for begin in begins:
            known, joined = best[begin].peak, best[begin].joined + end - begin - 1
            limit = None
            if found is not None:
                is_simpler = (joined, -begin) < (found.joined, -found.begin)
                limit = found.peak if is_simpler else found.peak - 1
                if max(known, run.least(begin, end)) > limit:
                    continue
            peak = run.peak(Segment(begin, end), known, limit)
            if peak is not None:
                found = _Cut(max(known, peak), joined, begin)
        assert found is not None, "an operator alone can always run"
        best.append(found)
    segments: list[Segment] = []
    end = count
    while end:
        segments.append(Segment(best[end].begin, end))
        end = segments[-1].begin
    return segments[::-1]


@dataclass(frozen=True)
class _Cut:
    """The best way to run all operators before a place."""

    peak: int
    """Bytes."""
    joined: int
    """Operators that run with others, one of each segment excepted."""
    begin: int
    """Where the last segment begins."""


def _begins(network: Network, end: int) -> Iterator[int]:
    """Where segments that end at a place may begin, the last place first; none has parts of two bands."""
    yield end - 1
    band = network.operators[end - 1].band
    for begin in reversed(range(end - 1)):
        operator = network.operators[begin]
        if operator.is_barrier or network.operators[end - 1].is_barrier:
            return
        own = operator.band
        if own is not None and band is not None and own != band:
            return
        band = own if band is None else band
        yield begin


def peak_of(network: Network, segments: Sequence[Segment]) -> int:
    """The most bytes that are live in any segment."""
    peak = Run(network).peak_of(segments)
    assert peak is not None, "there is no limit"
    return peak


def ordered(network: Network, segments: Sequence[Segment]) -> list[Step]:
    """All steps in order."""
    steps: list[Step] = []
    Run(network).peak_of(segments, steps=steps)
    return steps

"""Where a network is cut, and which of its operators run by rows at all."""

from __future__ import annotations

from dataclasses import dataclass

from .network import Network
from .order import best_segments, peak_of
from .pins import pinned, unpinned
from .run import Run, Segment
from .turns import rearranged

MOST_STEPS = 1_000_000
"""Steps that are run in the abstract to find which operators may be whole; those that are left go by rows."""


@dataclass(frozen=True)
class Choice:
    """A network, and its segments."""

    network: Network
    segments: list[Segment]


def choose(network: Network, *, is_taken_only: bool = False) -> Choice | None:
    """The segments that are pinned, else those with the smallest peak; None where rows make none smaller.

    With `is_taken_only` all operators run as a whole but those that take rows of the application.

    An operator that is a segment by itself runs as a whole unless its neighbours need its rows: whole operators are
    shorter, and may overlap their operands as they go.
    """
    if not network.operators:
        return None
    if (given := pinned(network)) is not None:
        network = network.with_whole(unpinned(network))
        return Choice(network, rearranged(network, given))
    whole = network.with_whole(range(len(network.operators)))
    if is_taken_only:
        return _taken(whole)
    segments = rearranged(network, best_segments(network))
    run = Run(network)
    least = run.peak_of(segments)
    assert least is not None, "there is no limit"
    if all(segment.is_single for segment in segments) or least >= peak_of(whole, segments):
        return _taken(whole)
    chosen: list[int] = []
    waiting = [[segment.begin for segment in segments if segment.is_single and _may_be_whole(network, segment)]]
    trials = MOST_STEPS // max(1, sum(operator.steps for operator in network.operators))
    while waiting and trials > 0:
        trials -= 1
        # Most may be whole together: those that may not are found by halves.
        numbers = waiting.pop()
        trial = Run(network.with_whole([*chosen, *numbers]), like=run)
        if trial.peak_of(segments, least) is not None:
            chosen += numbers
        elif len(numbers) > 1:
            half = len(numbers) // 2
            waiting += [numbers[half:], numbers[:half]]
    return Choice(network.with_whole(chosen), segments)


def _taken(whole: Network) -> Choice | None:
    """Every operator by itself, where the application hands over rows."""
    return Choice(whole, [Segment(n, n + 1) for n in range(len(whole.operators))]) if whole.takes_rows else None


def _may_be_whole(network: Network, segment: Segment) -> bool:
    """Whether a segment of one operator is no part of a band: there small buffers find room between large ones."""
    return network.operators[segment.begin].band is None

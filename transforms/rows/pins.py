"""Segments that somebody has chosen, instead of `segments.choose`: by `pool.row_segment` on calls, or by numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys
from ...dialects.pool import keys
from ...errors import UsageError
from .network import Network
from .run import Segment

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
REMEDY = "write the first and the last operator of a segment, as 0-3"


def parsed(text: str) -> tuple[int, int]:
    """First and last number of a text such as `0-3`, or `3` for one alone.

    Raises:
        ValueError: it is none, or ends before it begins.
    """
    found = _RANGE.fullmatch(text)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise ValueError(f"row segment '{text}' is no range of operators")
    return int(found[1]), int(found[2] or found[1])


def pin(network: Network, texts: Sequence[str]) -> None:
    """Write `pool.row_segment` on the operators of some ranges.

    Operators are numbered as in the model that they come from, else as they stand in the entry function.

    Raises:
        PassFailedException: a range is none, holds no operator, or one that another holds already.
    """
    numbers = _numbers(network)
    for segment, text in enumerate(texts):
        try:
            first, last = parsed(text)
        except ValueError as error:
            raise PassFailedException(f"split-rows: {error}: {REMEDY}") from error
        inside = [o for o, number in zip(network.operators, numbers, strict=True) if first <= number <= last]
        if not inside:
            words = f"split-rows: no operator has a number from {first} to {last}"
            raise PassFailedException(words) from UsageError(
                words, remedy=f"there are {min(numbers)} to {max(numbers)}"
            )
        if any(keys.ROW_SEGMENT.within(operator.op.attributes) for operator in inside):
            words = f"split-rows: an operator from {first} to {last} is in another segment already"
            raise PassFailedException(words) from UsageError(words, remedy="let segments follow one another")
        for operator in inside:
            keys.ROW_SEGMENT.put(operator.op.attributes, segment)


def _numbers(network: Network) -> list[int]:
    origins = [nn_keys.ORIGIN.get(operator.op.attributes) for operator in network.operators]
    known = [origin.index.data for origin in origins if origin is not None]
    if not known:
        return list(range(len(origins)))
    numbers, last = list[int](), known[0]
    for origin in origins:
        # What the compiler added goes with the operator before it.
        last = last if origin is None else origin.index.data
        numbers.append(last)
    return numbers


def pinned(network: Network) -> list[Segment] | None:
    """The segments that calls with `pool.row_segment` make, all others by themselves; None if there are none.

    Raises:
        PassFailedException: one is in pieces, or holds an operator that others may not run beside.
    """
    numbers = [keys.ROW_SEGMENT.get(operator.op.attributes) for operator in network.operators]
    if all(number is None for number in numbers):
        return None
    segments: list[Segment] = []
    for position, number in enumerate(numbers):
        if number is not None and position and numbers[position - 1] == number:
            segments[-1] = Segment(segments[-1].begin, position + 1)
            continue
        if number is not None and number in numbers[:position]:
            raise PassFailedException(f"split-rows: other operators stand between those of row segment {number}")
        segments.append(Segment(position, position + 1))
    for segment in segments:
        inside = network.operators[segment.begin : segment.end]
        if not segment.is_single and any(operator.is_barrier for operator in inside):
            raise PassFailedException(
                f"split-rows: row segment {numbers[segment.begin]} holds an operator that writes what others read or "
                "write: it runs alone"
            )
    return segments


def write(network: Network, segments: Sequence[Segment]) -> None:
    """Say by `pool.row_segment` which operators run together, as a hand would."""
    for number, segment in enumerate(one for one in segments if not one.is_single):
        for operator in network.operators[segment.begin : segment.end]:
            if not keys.ROW_SEGMENT.within(operator.op.attributes):
                keys.ROW_SEGMENT.put(operator.op.attributes, number)


def unpinned(network: Network) -> list[int]:
    """The operators that are in no segment, by position."""
    return [n for n, o in enumerate(network.operators) if not keys.ROW_SEGMENT.within(o.op.attributes)]

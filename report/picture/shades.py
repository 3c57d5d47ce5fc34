"""Which shade of its kind's colour a buffer has, so that buffers beside or on one another can be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from ...targets.interfaces.description import Buffer

SHADES = 4
"""Shades of each kind in the palette."""


def shades(buffers: Sequence[Buffer]) -> list[int]:
    """A shade for each buffer: the first that no neighbour of its kind has, else the one that fewest have.

    Rows of one tensor have one shade. Neighbours are live at the same or the next position, and touch or share bytes.
    Greedy colouring, in the order of time; equal plans have equal colours.
    """
    order = sorted(range(len(buffers)), key=lambda i: (buffers[i].first_use, buffers[i].offset, i))
    tensor = [(i if b.row is None else (b.kind, b.tensor)) for i, b in enumerate(buffers)]
    beside: dict[Hashable, Counter[Hashable]] = {tensor[index]: Counter() for index in order}
    recent: list[int] = []
    for index in order:
        buffer = buffers[index]
        recent = [other for other in recent if buffers[other].last_use + 1 >= buffer.first_use]
        for other in recent:
            if tensor[other] != tensor[index] and _touch(buffer, buffers[other]):
                beside[tensor[index]][tensor[other]] += 1
                beside[tensor[other]][tensor[index]] += 1
        recent.append(index)
    chosen: dict[Hashable, int] = {}
    for one, neighbours in beside.items():
        taken = [sum(count for other, count in neighbours.items() if chosen.get(other) == s) for s in range(SHADES)]
        chosen[one] = taken.index(min(taken))
    return [chosen[one] for one in tensor]


def _touch(one: Buffer, other: Buffer) -> bool:
    """Whether two buffers of one kind have bytes in common or beside each other."""
    if one.kind != other.kind:
        return False
    # A gap for alignment is too thin to be seen.
    gap = 16 + min(one.bytes, other.bytes) // 8
    return one.offset <= other.offset + other.bytes + gap and other.offset <= one.offset + one.bytes + gap

"""Placing one buffer after another at the lowest offset that is free: the core of all greedy algorithms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .problem import Problem


def align_up(value: int, alignment: int) -> int:
    """The least multiple of `alignment` that is not below `value`."""
    return -(-value // alignment) * alignment


def forbidden(problem: Problem, index: int, other: int, offset: int) -> tuple[int, int]:
    """Offsets (first, end) that `index` must not have because `other` lies at `offset`.

    Without a lead: every offset at which the two would share a byte. With a lead the output may begin that many bytes
    or more below the input, so the range ends or begins there.
    """
    first, end = offset - problem.buffers[index].size + 1, offset + problem.buffers[other].size
    ahead = problem.leads.get((index, other))
    if ahead is not None:
        first = max(first, offset - ahead + 1)
    behind = problem.leads.get((other, index))
    if behind is not None:
        end = min(end, offset + behind)
    return first, end


def lowest_offset(problem: Problem, index: int, offsets: Mapping[int, int]) -> int:
    """The least aligned offset at which `index` clashes with none of those that have an offset."""
    below, sizes, led = 1 - problem.sizes[index], problem.sizes, problem.led[index]
    ranges: list[tuple[int, int]] = []
    for other in problem.neighbours[index]:
        offset = offsets.get(other)
        if offset is not None:
            is_led = other in led
            ranges.append(
                forbidden(problem, index, other, offset) if is_led else (offset + below, offset + sizes[other])
            )
    ranges.sort()
    alignment = problem.buffers[index].alignment
    at = 0
    for first, end in ranges:
        if at < first:
            break
        if at < end:
            at = -(-end // alignment) * alignment
    return at


def fixed_offsets(problem: Problem, members: Sequence[int]) -> dict[int, int]:
    """Offsets of the members whose place is given."""
    given = ((index, problem.buffers[index].fixed) for index in members)
    return {index: fixed[1] for index, fixed in given if fixed is not None}


def place_in_order(problem: Problem, members: Sequence[int]) -> dict[int, int]:
    """Offsets of `members`: those that are fixed, then the others one by one in that order."""
    offsets = fixed_offsets(problem, members)
    for index in members:
        if index not in offsets:
            offsets[index] = lowest_offset(problem, index, offsets)
    return offsets


def height(problem: Problem, offsets: Mapping[int, int]) -> int:
    """Bytes up to the end of the highest buffer."""
    return max((offset + problem.buffers[index].size for index, offset in offsets.items()), default=0)

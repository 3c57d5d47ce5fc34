"""Traffic for want of registers: how often a body of code must keep numbers in memory.

Each number that is needed again stays in a register as long as there is one; when there is none left, that goes which
is needed last (Belady 1966). Compilers are not as good, and the table of a processor says by how much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class Traffic:
    """Numbers that go to memory and come back."""

    stored: int = 0
    loaded: int = 0


def traffic(
    uses: Sequence[tuple[Sequence[int], Sequence[int]]], inside: Sequence[int], ends: Sequence[int], registers: int
) -> Traffic:
    """Return the numbers that one pass of a body moves.

    Args:
        uses: what each step reads, and what it makes, by number.
        inside: the numbers that are there when it begins.
        ends: those that must be there when it ends: the next pass begins with them.
        registers: how many there are.
    """
    end = len(uses)
    following = defaultdict[int, list[int]](list)
    """Steps that need each number, the next one last."""
    for step, numbers in reversed(list(enumerate([*(reads for reads, _ in uses), ends]))):
        for number in numbers:
            following[number].append(step)
    found = Traffic()
    held: set[int] = set()
    in_memory: set[int] = set()

    def next_use(number: int) -> int:
        return following[number][-1] if following[number] else end + 1

    def hold(number: int) -> None:
        if len(held) >= registers:
            last = max(held, key=next_use)
            held.remove(last)
            if last not in in_memory and next_use(last) <= end:
                found.stored += 1
                in_memory.add(last)
        held.add(number)

    first = sorted(inside, key=next_use)
    held |= set(first[:registers])
    in_memory |= set(first[registers:])
    for step, (reads, makes) in enumerate(uses):
        for number in reads:
            if number not in held:
                found.loaded += 1
                in_memory.add(number)
                hold(number)
            while next_use(number) <= step:
                following[number].pop()
        held -= {number for number in reads if next_use(number) > end}
        for number in makes:
            if next_use(number) <= end:
                hold(number)
    return found

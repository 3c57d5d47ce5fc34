"""Traffic for want of registers: how often a body of code must keep numbers in memory.

Each number that is needed again stays in a register as long as there is one; when there is none left, that goes which
is needed last (Belady 1966). Compilers are not as good, and the table of a processor says by how much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


def traffic(
    uses: Sequence[tuple[Sequence[int], Sequence[int]]], inside: Sequence[int], ends: Sequence[int], registers: int
) -> tuple[int, int]:
    """Return how many numbers one pass of a body stores, and how many it loads.

    Args:
        uses: what each step reads, and what it makes, by number.
        inside: the numbers that are there when it begins.
        ends: those that must be there when it ends: the next pass begins with them.
        registers: how many there are.
    """
    end = len(uses)
    following = defaultdict[int, list[int]](lambda: [end + 1])
    """Steps that need each number, the next one last; the first is one after the end."""
    for step, numbers in reversed(list(enumerate([*(reads for reads, _ in uses), ends]))):
        for number in numbers:
            following[number].append(step)

    def next_use(number: int) -> int:
        return following[number][-1]

    first = sorted(inside, key=next_use)
    held, in_memory = set(first[:registers]), set(first[registers:])
    stored = loaded = 0

    def hold(number: int) -> None:
        nonlocal stored
        if len(held) >= registers:
            last = max(held, key=next_use)
            held.remove(last)
            if last not in in_memory and next_use(last) <= end:
                stored += 1
                in_memory.add(last)
        held.add(number)

    for step, (reads, makes) in enumerate(uses):
        for number in reads:
            if number not in held:
                loaded += 1
                hold(number)
            while next_use(number) <= step:
                following[number].pop()
        held -= {number for number in reads if next_use(number) > end}
        for number in makes:
            if next_use(number) <= end:
                hold(number)
    return stored, loaded

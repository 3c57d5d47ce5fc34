"""Round numbers for the axis of bytes."""

from __future__ import annotations


def ticks(end: int, count: int) -> list[int]:
    """At most `count` + 1 numbers from 0 to `end`, a power of two apart."""
    step = 1
    while end / step > count:
        step *= 2
    return list(range(0, end + 1, step))


def bytes_label(value: int) -> str:
    """A round number of bytes in the largest unit that divides it."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if value and value % unit == 0:
            return f"{value // unit} {name}"
    return f"{value:,}"

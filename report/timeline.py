"""Timeline of a plan for pictures and the report: which bytes of each pool are in use during each operator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..driver.compile.lost_channels import finding
from ..targets.interfaces.description import Buffer, Description, LostChannels, Operator, Pool

_SHOWN = 8
"""Equal peaks that are named."""


@dataclass(frozen=True)
class Chart:
    """One pool while one entry function runs."""

    pool: Pool
    buffers: tuple[Buffer, ...]
    """Buffers of the entry function that lie in the pool, by offset."""
    positions: int
    """Operator calls of the entry function, at least 1."""

    @cached_property
    def in_use(self) -> tuple[int, ...]:
        """Bytes in use during each operator; bytes that several buffers share count once."""
        live: list[list[Buffer]] = [[] for _ in range(self.positions)]
        for buffer in self.buffers:
            for position in range(buffer.first_use, buffer.last_use + 1):
                live[position].append(buffer)
        return tuple(map(occupied, live))

    @cached_property
    def peaks(self) -> tuple[int, ...]:
        """All positions at which most bytes are in use."""
        most = max(self.in_use)
        return tuple(position for position, value in enumerate(self.in_use) if value == most)

    @property
    def peak(self) -> int:
        """The first of them."""
        return self.peaks[0]

    @property
    def peak_bytes(self) -> int:
        """Bytes in use at the peak; less than the pool's where alignment or placement leaves gaps."""
        return self.in_use[self.peak]

    @property
    def also(self) -> str:
        """The other peaks, in words to put behind the first; empty if there are none."""
        others = [str(position) for position in self.peaks[1:]]
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        return f", as many at position {', '.join(others[:_SHOWN])}{more}" if others else ""

    def live(self, position: int) -> tuple[Buffer, ...]:
        """Buffers that are live during an operator, largest first."""
        found = [buffer for buffer in self.buffers if buffer.first_use <= position <= buffer.last_use]
        return tuple(sorted(found, key=lambda buffer: (-buffer.bytes, buffer.offset, buffer.name)))


@dataclass(frozen=True)
class Entry:
    """One model: its operators in order, and a chart for each pool that it uses."""

    name: str
    operators: tuple[Operator, ...]
    charts: tuple[Chart, ...]
    note: str = ""
    """Findings about the model itself, in a sentence."""
    lost: tuple[LostChannels, ...] = ()
    """Which of its channels went, by operator."""


def entry(model: Description) -> Entry:
    """The timeline of one model; pools in which it has no buffer are left out."""
    charts = (chart(model, pool) for pool in model.pools)
    drawn = tuple(chart for chart in charts if chart is not None)
    return Entry(model.name, model.operators, drawn, finding(model.lost) if model.lost else "", model.lost)


def chart(model: Description, pool: Pool) -> Chart | None:
    """One pool while the model runs; None if it has no buffer there."""
    inside = [buffer for buffer in model.buffers if buffer.pool == pool.name]
    if not inside:
        return None
    inside.sort(key=lambda buffer: (buffer.offset, buffer.first_use, buffer.name))
    last = max(buffer.last_use for buffer in model.buffers)
    return Chart(pool, tuple(inside), max(len(model.operators), last + 1))


def occupied(buffers: Iterable[Buffer]) -> int:
    """Bytes that the buffers cover; those of several buffers count once."""
    total = end = 0
    for buffer in sorted(buffers, key=lambda buffer: buffer.offset):
        start = max(end, buffer.offset)
        total += max(0, buffer.offset + buffer.bytes - start)
        end = max(end, buffer.offset + buffer.bytes)
    return total


def operator_label(operators: Sequence[Operator], position: int) -> str:
    """The operator at a position, for prose."""
    return operators[position].label if position < len(operators) else f"position {position}"

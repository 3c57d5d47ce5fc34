"""The placement problem: buffers with live ranges, pools with limits, and what a plan answers.

Nothing here knows IR. Bytes everywhere; time is any integer order of events, ranges are half-open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType


@dataclass(frozen=True)
class Buffer:
    """One buffer to place."""

    name: str
    size: int
    """Bytes."""
    ranges: tuple[tuple[int, int], ...]
    """Half-open times during which its bytes must stay: one range, or several for scratch of shared functions."""
    alignment: int = 1
    """Bytes, a power of two."""
    pools: tuple[str, ...] = ()
    """Pools it may lie in, in order of preference; none named means all pools of the problem in their order."""
    fixed: tuple[str, int] | None = None
    """Pool and offset (bytes) where it has to lie; its alignment does not bind then."""
    reads: int = 0
    """Bytes read from it, all its life: what a byte costs depends on the pool."""
    writes: int = 0
    """Bytes written to it, all its life."""

    def overlaps(self, other: Buffer) -> bool:
        """Whether both are live at some time."""
        return any(a < d and c < b for a, b in self.ranges for c, d in other.ranges)


@dataclass(frozen=True)
class Pool:
    """A pool that buffers are placed in."""

    name: str
    limit: int | None = None
    """Largest size, bytes."""
    alignment: int = 16
    """Alignment of the pool's start, bytes."""
    read_cost: float = 0.0
    """Cost of reading a byte, in any unit that all pools share."""
    write_cost: float = 0.0
    """Cost of writing a byte, in the same unit."""

    def cost(self, buffer: Buffer) -> float:
        """Cost of the buffer's traffic if it lies here."""
        return buffer.reads * self.read_cost + buffer.writes * self.write_cost


@dataclass(frozen=True)
class Block:
    """Buffers that lie as one piece, all in one pool: what is one for the application and dies part by part."""

    offsets: Mapping[int, int]
    """Bytes from the start of the piece, by index into the problem's buffers; one of them lies at its start."""

    @property
    def first(self) -> int:
        """The buffer at the start of the piece; of all alignments only its own binds."""
        return next(i for i, at in self.offsets.items() if at == 0)


@dataclass(frozen=True)
class Problem:
    """Buffers, the pools they may lie in, and which pairs of live buffers may share bytes nevertheless."""

    buffers: tuple[Buffer, ...]
    pools: tuple[Pool, ...] = (Pool("workspace"),)
    leads: Mapping[tuple[int, int], int] = field(default_factory=lambda: MappingProxyType({}))
    """`leads[a, b] = d`: buffers a and b may overlap if `offset(a) + d <= offset(b)` (indices into `buffers`).

    a is an operator's output and b an input that dies in the operator; 0 is in-place execution. Where `leads[b, a]`
    is there as well, the operator can also be run backwards, with its output at that distance above the input.
    """
    conflicts: frozenset[tuple[int, int]] | None = None
    """Pairs (i < j) that may not share bytes, instead of what the ranges say."""
    blocks: tuple[Block, ...] = ()
    """Pieces of several buffers; each buffer is in one of them at most, and has one candidate pool then."""

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each buffer the others that conflict with it in time."""
        found: list[list[int]] = [[] for _ in self.buffers]
        for i, j in self._pairs():
            found[i].append(j)
            found[j].append(i)
        return tuple(map(tuple, found))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of each buffer."""
        return tuple(buffer.size for buffer in self.buffers)

    @cached_property
    def led(self) -> tuple[frozenset[int], ...]:
        """For each buffer the others that it may share bytes with by a lead, of either of them."""
        found: list[set[int]] = [set() for _ in self.buffers]
        for i, j in self.leads:
            found[i].add(j)
            found[j].add(i)
        return tuple(map(frozenset, found))

    def _pairs(self) -> list[tuple[int, int]]:
        if self.conflicts is not None:
            return sorted(self.conflicts)
        # A sweep over the starts: only pairs that are live together are ever looked at.
        events = sorted(
            (first, last, i) for i, b in enumerate(self.buffers) for first, last in b.ranges if first < last
        )
        live: list[tuple[int, int]] = []
        pairs: set[tuple[int, int]] = set()
        for first, last, i in events:
            live = [(end, j) for end, j in live if end > first]
            pairs.update((min(i, j), max(i, j)) for _, j in live if i != j)
            live.append((last, i))
        return sorted(pairs)

    def candidates(self, index: int) -> tuple[str, ...]:
        """Pools that a buffer may lie in, in order of preference."""
        fixed = self.buffers[index].fixed
        if fixed is not None:
            return (fixed[0],)
        return self.buffers[index].pools or tuple(pool.name for pool in self.pools)


@dataclass(frozen=True)
class Placement:
    """Where a buffer lies."""

    pool: str
    offset: int


@dataclass(frozen=True)
class PoolPlan:
    """The outcome for one pool."""

    name: str
    size: int
    """Bytes that the plan needs."""
    lower_bound: int
    """No plan of the buffers placed here needs fewer bytes."""
    optimal: bool
    """Whether the size is proved to be the least."""
    algorithm: str


@dataclass(frozen=True)
class Plan:
    """Where every buffer lies, and how large the pools are."""

    placements: tuple[Placement, ...]
    pools: tuple[PoolPlan, ...]

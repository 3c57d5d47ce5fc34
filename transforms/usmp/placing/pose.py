"""From a module to the placement problems of the planner, one for each group of buffers that can share bytes.

Entry functions that exclude each other share the pools one after another: their times follow each other, and state
outlives them all. Concurrent ones are a problem each. The constants of constant pools never die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.keys import Concurrency
from ....dialects.pool.kinds import BufferKind
from ....planner import Block, Buffer, Pool, Problem
from ..analysis.concurrency import concurrency, shared_name
from ..analysis.contract import is_kept, is_slot
from ..analysis.liveness import Handover, Life, Liveness, is_state
from ..analysis.structure import alignment_of, buffer_name, constants, entries, pools, size_of, taken_by
from ..analysis.traffic import Traffic, traffic
from .directions import Directions
from .divided import Part, divided

Stored = memref.AllocOp | memref.GlobalOp
"""Kinds of buffers that have a place in a pool."""


@dataclass(frozen=True)
class Posed:
    """A problem, and what its buffers stand for."""

    problem: Problem
    members: tuple[tuple[Stored, ...], ...]
    """For each buffer of the problem the operations that make it: several where entry functions share it."""
    lives: dict[memref.AllocOp, Life]
    directions: Directions
    """Leads that the problem may have if operators run backwards; its own leads are those without."""


def pose(module: ModuleOp) -> list[Posed]:
    """The placement problems of a module; they share no byte, and each pool holds their plans side by side.

    Raises:
        PassFailedException: a buffer has no candidates, or belongs to entry functions that run at the same time.
    """
    everything, mode = entries(module), concurrency(module)
    # Counting is only worth its time where it decides something.
    moved = traffic(module) if any(pool.read_cost or pool.write_cost for pool in _declared(module)) else {}
    groups = [[entry] for entry in everything] if mode is Concurrency.CONCURRENT else [everything]
    posed = [_pose_entries(module, group, mode, moved) for group in groups if group]
    seen: set[memref.AllocOp] = set()
    for one in posed:
        for alloc in one.lives:
            if alloc in seen:
                raise PassFailedException(
                    f"buffer '{buffer_name(alloc)}' belongs to several entry functions, which run concurrently"
                )
        seen |= one.lives.keys()
    kept = [constant for constant in constants(module) if keys.CANDIDATES.within(constant.attributes)]
    if kept:
        buffers = [_buffer([constant], [[0, 0]], moved) for constant in kept]
        posed.append(
            Posed(Problem(tuple(buffers), _declared(module)), tuple((c,) for c in kept), {}, Directions([], {}))
        )
    return posed


def _pose_entries(
    module: ModuleOp, group: Sequence[func.FuncOp], mode: Concurrency, moved: Mapping[Operation, Traffic]
) -> Posed:
    lives: dict[memref.AllocOp, Life] = {}
    handovers: list[Handover] = []
    parts: dict[memref.AllocOp, list[Part]] = {}
    time = 0
    for entry in group:
        found = Liveness(module, entry)
        if len(group) == 1:
            own = {alloc: divided(alloc, found.steps) for alloc in found.lives}
            parts |= {alloc: several for alloc, several in own.items() if several is not None}
        for alloc, life in found.lives.items():
            total = lives.setdefault(alloc, Life())
            total.ranges += [[moment + time for moment in r] for r in life.ranges if r]
            total.operators += life.operators
        handovers += found.handed_over()
        time += found.end
    for alloc, life in lives.items():
        _extend(alloc, life, time, mode)
    members = _members(lives)
    buffers: list[Buffer] = []
    for together in members:
        ranges = sorted(r for member in together for r in lives[member].ranges)
        if len(together) > 1:
            ranges = [[min(r[0] for r in ranges), max(r[1] for r in ranges)]]
        buffers.append(_buffer(together, ranges, moved))
    order = {alloc: number for number, allocs in enumerate(members) for alloc in allocs}
    # What is divided has no life as a whole.
    whole = [h for h in handovers if not {h.input, h.output} & parts.keys() and not _is_part(h.input, h.output)]
    directions = Directions([h for h in whole if _is_whole_life(h, lives, members, order)], order)
    blocks = _divide(buffers, members, parts)
    problem = Problem(tuple(buffers), _declared(module), directions.below, blocks=blocks)
    return Posed(problem, tuple(members), lives, directions)


def _type(buffer: Stored) -> MemRefType:
    type = buffer.type if isinstance(buffer, memref.GlobalOp) else buffer.memref.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    return type


def _is_part(*allocs: memref.AllocOp) -> bool:
    """Whether one has a place in a larger buffer: it begins elsewhere than what is planned."""
    return any(keys.AT.within(alloc.attributes) for alloc in allocs)


def _divide(
    buffers: list[Buffer], members: list[tuple[memref.AllocOp, ...]], parts: Mapping[memref.AllocOp, Sequence[Part]]
) -> tuple[Block, ...]:
    """Put the parts of divided buffers, each buffer a block, in their stead; the first stands for the buffer."""
    blocks: list[Block] = []
    for number in range(len(buffers)):
        several = [part for alloc in members[number] for part in parts.get(alloc, ())]
        if not several:
            continue
        buffer = buffers[number]
        (begin, *_), (*_, end) = buffer.ranges[0], buffer.ranges[-1]
        is_output = keys.KIND.get(members[number][0].attributes) is BufferKind.OUTPUT
        made = [
            replace(
                buffer,
                name=f"{buffer.name} from byte {part.offset}",
                size=part.size,
                ranges=((part.first, end) if is_output else (begin, part.last + 1),),
                reads=buffer.reads * part.size // buffer.size,
                writes=buffer.writes * part.size // buffer.size,
            )
            for part in several
        ]
        places = [number, *range(len(buffers), len(buffers) + len(made) - 1)]
        blocks.append(Block({place: part.offset for place, part in zip(places, several, strict=True)}))
        buffers[number] = made[0]
        buffers += made[1:]
        members += [()] * (len(made) - 1)
    return tuple(blocks)


def _is_whole_life(
    h: Handover,
    lives: Mapping[memref.AllocOp, Life],
    members: Sequence[Sequence[memref.AllocOp]],
    order: Mapping[memref.AllocOp, int],
) -> bool:
    """Whether the input dies and the output is born for all allocs that are one buffer with them."""
    dies = max(r[1] for r in lives[h.input].ranges)
    born = min(r[0] for r in lives[h.output].ranges)
    return all(r[1] <= dies for other in members[order[h.input]] for r in lives[other].ranges) and all(
        r[0] >= born for other in members[order[h.output]] for r in lives[other].ranges
    )


def _extend(alloc: memref.AllocOp, life: Life, end: int, mode: Concurrency) -> None:
    """Lengthen the life of what outlives the run of its own entry function."""
    kind = keys.KIND.get(alloc.attributes)
    if is_state(alloc) or is_slot(alloc):
        life.ranges = [[0, end]]
    elif mode is Concurrency.PIPELINE and shared_name(alloc) is None and life.ranges:
        # The application may fill all inputs before the first model runs, and read all outputs after the last.
        if kind is BufferKind.INPUT:
            life.ranges[0][0] = 0
        if kind is BufferKind.OUTPUT or is_kept(alloc):
            life.ranges[-1][1] = end


def _members(lives: dict[memref.AllocOp, Life]) -> list[tuple[memref.AllocOp, ...]]:
    """The allocs, those that are one buffer together.

    Raises:
        PassFailedException: allocs that are to be one differ in size.
    """
    named: dict[str, list[memref.AllocOp]] = {}
    for alloc in lives:
        if (name := shared_name(alloc)) is not None:
            named.setdefault(name, []).append(alloc)
    for name, allocs in named.items():
        sizes = {size_of(_type(alloc)) for alloc in allocs}
        if len(sizes) > 1 and not all(keys.AT.within(alloc.attributes) for alloc in allocs):
            raise PassFailedException(f"buffers shared as '{name}' differ in size: {sorted(sizes)} bytes")
    members: list[tuple[memref.AllocOp, ...]] = []
    for alloc in lives:
        together = named.get(shared_name(alloc) or "", [alloc])
        if together[0] is alloc:
            members.append(tuple(together))
    return members


def _declared(module: ModuleOp) -> tuple[Pool, ...]:
    return tuple(
        Pool(
            name,
            None if pool.limit is None else pool.limit.value.data,
            pool.alignment,
            _cycles(pool.read_bandwidth, pool.read_latency, pool.burst),
            _cycles(pool.write_bandwidth, pool.write_latency, pool.burst),
        )
        for name, pool in pools(module).items()
    )


def _cycles(bandwidth: FloatAttr | None, latency: IntegerAttr | None, burst: IntegerAttr | None) -> float:
    """Processor cycles for a byte: its share of the transfer and of the wait before it; 0 if the pool does not say."""
    transfer = 0.0 if bandwidth is None else 1 / bandwidth.value.data
    return transfer + (0 if latency is None else latency.value.data) / (1 if burst is None else burst.value.data)


def _buffer(members: Sequence[Stored], ranges: Sequence[Sequence[int]], moved: Mapping[Operation, Traffic]) -> Buffer:
    return Buffer(
        buffer_name(members[0]),
        max((keys.AT.get(member.attributes) or 0) + taken_by(member, _type(member)) for member in members),
        tuple((first, last + 1) for first, last in ranges),
        max(alignment_of(member, _type(member)) for member in members),
        tuple(_candidates(members)),
        reads=sum(moved.get(member, Traffic()).reads for member in members),
        writes=sum(moved.get(member, Traffic()).writes for member in members),
    )


def _candidates(members: Sequence[Stored]) -> Sequence[str]:
    """The pools that all of them may lie in, in the order of preference."""
    common: Sequence[str] | None = None
    for op in members:
        own = keys.CANDIDATES.get(op.attributes)
        if own is None:
            raise PassFailedException(f"buffer '{buffer_name(op)}' has no pool.candidates; run usmp-assign-pools first")
        both = own if common is None else [pool for pool in common if pool in own]
        if not both:
            names = " and ".join(f"'{name}'" for name in dict.fromkeys(map(buffer_name, members)))
            raise PassFailedException(f"{names} are one buffer: there is no pool that all of them may lie in")
        common = both
    return common or ()

"""Inputs that die part by part, and outputs that are born so: one for the application, rows for the network.

What has been read of such an input is free for others, and so is what has not been written yet of such an output: for
the planner each part is a buffer with a life of its own, and the parts are a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ....dialects.pool import keys
from ....dialects.pool.kinds import BufferKind
from ..analysis.contract import is_kept, is_slot
from ..analysis.liveness import Step
from ..analysis.structure import size_of


@dataclass(frozen=True)
class Part:
    """Some bytes of an input or output."""

    offset: int
    """In the buffer."""
    size: int
    first: int
    """When they are used first; those of an input are there from the beginning."""
    last: int
    """When they are used last; those of an output are there until the end."""


def divided(alloc: memref.AllocOp, steps: Sequence[Step]) -> list[Part] | None:
    """The parts of an input or output that `pool.divided` says to take apart; None if anything uses it in other ways.

    Args:
        alloc: a buffer of an entry function.
        steps: the operations of the entry function, and when they run.
    """
    kinds = BufferKind.INPUT, BufferKind.OUTPUT
    is_divided = keys.KIND.get(alloc.attributes) in kinds and keys.DIVIDED.within(alloc.attributes)
    candidates = keys.CANDIDATES.get(alloc.attributes) or ()
    if (
        not is_divided
        or is_kept(alloc)
        or is_slot(alloc)
        or keys.SHARED.within(alloc.attributes)
        or len(candidates) != 1
    ):
        return None
    return parts_of(alloc, {step.op: (step.first, step.last) for step in steps})


def parts_of(alloc: memref.AllocOp, times: Mapping[Operation, tuple[int, int]]) -> list[Part] | None:
    """The parts of a buffer that calls take, and when each is used; None if anything uses it in other ways.

    Args:
        alloc: a buffer of an entry function.
        times: from when to when the operations of the entry function run.
    """
    views = list(_views(alloc.memref))
    if any(view is None or view.op not in times for view in views):
        return None
    read = [view for view in views if view is not None]
    ends = sorted({0, size_of(alloc.memref.type), *(v.begin for v in read), *(v.end for v in read)})
    used = [[times[v.op] for v in read if v.begin < end and begin < v.end] for begin, end in pairwise(ends)]
    return [
        Part(begin, end - begin, min((t[0] for t in moments), default=0), max((t[1] for t in moments), default=0))
        for (begin, end), moments in zip(pairwise(ends), used, strict=True)
    ]


@dataclass(frozen=True)
class _View:
    """A call that takes bytes `begin` up to `end` (excluded)."""

    op: Operation
    begin: int
    end: int


def _views(value: SSAValue) -> Iterator[_View | None]:
    """All calls; None for a use that is none of a known part."""
    for use in value.uses:
        match op := use.operation:
            case memref.ReinterpretCastOp() if [int(n) for n in op.static_offsets.get_values()] == [0]:
                yield from _views(op.result)
            case memref.ViewOp():
                yield from _parts(op)
            case _:
                yield None


def _parts(view: memref.ViewOp) -> Iterator[_View | None]:
    shift = view.byte_shift.owner
    number = shift.value if isinstance(shift, arith.ConstantOp) else None
    for use in view.result.uses:
        if isinstance(number, IntegerAttr) and isinstance(use.operation, func.CallOp):
            begin = number.value.data
            yield _View(use.operation, begin, begin + size_of(view.result.type))
        else:
            yield None

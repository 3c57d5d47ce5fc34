"""Contract of an input with the application, as attributes say it: kept, in slots, released after what."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Operation

from ....dialects.pool import keys


def is_kept(alloc: memref.AllocOp) -> bool:
    """Whether a run must leave the buffer as it is."""
    return keys.KEEP.within(alloc.attributes)


def is_slot(alloc: memref.AllocOp) -> bool:
    """Whether the buffer may be filled at any time, and so is nobody else's ever."""
    return keys.SLOT.within(alloc.attributes)


def released_after(op: Operation) -> list[int]:
    """The numbers of the inputs that may be refilled after an operation."""
    return list(keys.RELEASES.get(op.attributes) or ())

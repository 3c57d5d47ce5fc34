"""Which forms a task's schedule may have on a processor, and what each trades for what."""

from __future__ import annotations

from enum import Enum

from ...machines.cpus import Cpu


class Variant(Enum):
    """What constants of sums of products are packed into, and how much code a schedule may be."""

    SMALL = "small"
    """As `COMPACT`, in the shortest code."""
    COMPACT = "compact"
    """Bytes, taken apart where they are used; where these do not hold them, as `FAST`."""
    FAST = "fast"
    """What is multiplied as it is loaded."""


def variants(cpu: Cpu) -> tuple[Variant, ...]:
    """Those that differ on a processor, the fastest last."""
    return (Variant.COMPACT, Variant.FAST) if cpu.dsp else (Variant.FAST,)

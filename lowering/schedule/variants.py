"""Which forms a task's schedule may have on a processor, and what each trades for what."""

from __future__ import annotations

from enum import Enum

from ...machines.cpus import Cpu


class Variant(Enum):
    """Way to pack the constants of sums of products, and the limit of a schedule's code."""

    SMALL = "small"
    """Constants as in `COMPACT`, in the shortest code."""
    COMPACT = "compact"
    """Bytes, taken apart where they are used; where these do not hold them, as `FAST`."""
    FAST = "fast"
    """Constants as they are multiplied when they are loaded."""
    WINOGRAD = "winograd"
    """Transformed for fewer products where there are three taps side by side; elsewhere as `FAST`."""
    LEAN = "lean"
    """Constants as in `FAST`, of one point at a time, which takes less scratch memory, or none."""
    LOOPS = "loops"
    """Loops as compilers find vectors: over what lies side by side, one table for each thing."""


def variants(cpu: Cpu, *, winograd: bool = False, lean: bool = False) -> tuple[Variant, ...]:
    """Return the variants that differ on a processor, the fastest last.

    Args:
        cpu: the processor.
        winograd: whether there are those that transform constants, too.
        lean: whether there are those that take less scratch memory, too.
    """
    if cpu.vectorises:
        return (Variant.LOOPS,)
    if lean:
        return Variant.LEAN, *variants(cpu, winograd=winograd)
    if cpu.swar:
        return Variant.COMPACT, Variant.FAST
    if not cpu.dsp:
        return (Variant.FAST,)
    return (Variant.COMPACT, Variant.FAST, *((Variant.WINOGRAD,) if winograd else ()))

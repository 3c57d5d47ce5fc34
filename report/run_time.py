"""Estimated time of a run."""

from __future__ import annotations

from ..machines.cpus import get_cpu
from ..targets.interfaces.description import Estimates


def milliseconds(estimates: Estimates, clock_hz: int) -> tuple[float, bool]:
    """Time of one run with memory without wait states, and whether it counts one cycle an instruction, as no cycles
    of the processor are known.

    Args:
        estimates: the instructions, and the processor.
        clock_hz: cycles per second.
    """
    cycles = get_cpu(estimates.target).cycles_per_instruction
    return estimates.instructions * (cycles or 1.0) / clock_hz * 1e3, cycles is None

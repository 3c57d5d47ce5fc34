"""Instructions and bytes of code of a function on a processor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import func

from ....machines.costs import OTHER
from ....machines.cpus import Cpu
from .counts import Counts


@dataclass(frozen=True)
class Estimate:
    """Cost of a function."""

    instructions: float
    """Instructions of one call."""
    code: float
    """Bytes of machine code."""


def estimate(function: func.FuncOp, cpu: Cpu) -> Estimate:
    """Estimate the cost of a function of loops on memrefs on a processor, by its table in `machines.costs`."""
    counts, costs = Counts(function.body.block, cpu.registers), cpu.costs
    return Estimate(_weighed(counts.run, costs.instructions) + counts.instructions, _weighed(counts.static, costs.code))


def _weighed(counts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(count * weights.get(kind, weights[OTHER]) for kind, count in counts.items())

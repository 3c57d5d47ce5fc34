"""Ways to compile a model for a processor of which none is better in all of instructions, flash and workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..driver.compile.compilation import Compilation
from ..driver.compile.network_cost import flash, network_cost
from ..driver.compile.planned_bytes import workspace_bytes
from ..driver.models.entry import entry_function
from ..errors import UsageError
from ..frontends.mlir.import_mlir import is_of_tensors
from ..machines.cpus import get_cpu
from ..planner import PoolShort
from ..progress import tell
from ..transforms.tasks.choose import flash_steps
from .text_table import table

_LEAST_STEP = 0.8
"""Share of the instructions of one limit of flash that the next one may leave."""


@dataclass(frozen=True)
class Point:
    """One way to compile a model."""

    options: tuple[str, ...]
    """Words of the command line that ask for it, beside those that were given."""
    instructions: int
    """Instructions of one run, estimated."""
    flash: int
    """Bytes of constants, and of code, which is estimated."""
    workspace: int
    """Bytes of all workspace pools."""

    def is_beaten_by(self, other: Point) -> bool:
        """Whether another one is better in something and worse in nothing."""
        return self.figures != other.figures and all(b <= a for a, b in zip(self.figures, other.figures, strict=True))

    @property
    def figures(self) -> tuple[int, int, int]:
        """Figures that are compared."""
        return self.instructions, self.flash, self.workspace

    def document(self) -> dict[str, Any]:
        """The point in JSON."""
        figures = {"instructions": self.instructions, "flash": self.flash, "workspace": self.workspace}
        return {"options": " ".join(self.options), **figures}


def pareto_front(of: Compilation) -> list[Point]:
    """The best ways, fewest instructions first.

    Args:
        of: the model and what is asked for but the schedules, and rows if these are not asked for either; ways that do
            not keep within the limits of its pools are left out.

    Raises:
        UsageError: no schedules are known for its processor.
        StillpoolError: a pass refused the model.
    """
    if not of.plan.scheduled_for:
        raise UsageError("no schedules are chosen between without a processor", remedy="name one by --target")
    found: list[Point] = []
    for options, way in _ways(of):
        tell(f"planning {' '.join(options)}")
        try:
            module = way.placed()
        except PoolShort:
            continue
        workspace, cpu = sum(workspace_bytes(module).values()), of.plan.scheduled_for
        cost = network_cost(module, cpu)
        point = Point(options, cost.instructions, flash(module, cost), workspace)
        if all(point.figures != other.figures for other in found):
            found.append(point)
    best = [point for point in found if not any(point.is_beaten_by(other) for other in found)]
    return sorted(best, key=lambda point: (point.instructions, point.flash))


def text(points: Sequence[Point]) -> str:
    """The points as a table."""
    heads = ["instructions", "flash", "workspace", "options"]
    rows = [[one.instructions, one.flash, one.workspace, " ".join(one.options)] for one in points]
    return f"ways of which none is better in everything (instructions and code are estimated)\n{table(heads, rows)}\n"


def _ways(of: Compilation) -> Iterator[tuple[tuple[str, ...], Compilation]]:
    """Words and what they ask for; what was given stays, so that they can be added to it."""
    cpu = get_cpu(of.plan.scheduled_for)
    for rows in _rows(of):
        base = replace(of.plan, rows=rows)
        word, is_asked = "off" if rows == "off" else "on", "--rows" in of.options
        said = ("--rows", word) if of.plan.rows not in (rows, word) and (word == "on" or is_asked) else ()
        plain = replace(of, plan=replace(base, scheduled_for=""))
        if base.schedule_flash is None and not base.winograd and not base.schedules:
            yield ("--optimize", "size", *said), replace(of, plan=replace(base, objective="size"))
        fastest = replace(base, objective="speed")
        yield ("--optimize", "speed", *said), replace(of, plan=fastest)
        balanced = () if base.objective == "balanced" else ("--optimize", "balanced")
        for most in _limits(flash_steps(plain.module("tasks"), cpu, winograd=base.winograd)):
            plan = replace(base, objective="balanced", schedule_flash=most)
            yield ("--spend", f"flash={most}", *balanced, *said), replace(of, plan=plan)
        if cpu.dsp and not cpu.vector and not base.winograd:
            yield ("--optimize", "speed", "--winograd", *said), replace(of, plan=replace(fastest, winograd=True))


def _rows(of: Compilation) -> tuple[Literal["off", "split"], ...]:
    """Whether tensors become rows, in the ways to compare."""
    if not is_of_tensors(entry_function(of.model.nn)):
        return ("off",)
    return ("split",) if of.plan.rows in ("on", "split") else ("off", "split")


def _limits(steps: Sequence[tuple[float, float]]) -> list[int]:
    """Limits of flash each of which saves a good part of what is left; `steps` are bytes and instructions."""
    limits: list[int] = []
    (_, last), *rest = steps
    for bytes, left in rest:
        if left <= _LEAST_STEP * last:
            limits.append(max(0, -int(-bytes // 1)))
            last = left
    return limits

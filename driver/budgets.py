"""Budgets of one inference on a processor: flash, RAM, stack and instructions that it may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import BudgetError
from .timeline import chart, operator_label

if TYPE_CHECKING:
    from ..targets.interfaces.description import Description
    from .emulate.figures import Figures

LEVELS = ("s", "2", "3")
"""Levels of `-O` that are tried, in this order, when the code of another one is over budget."""


@dataclass(frozen=True)
class Budgets:
    """What one inference may take at most; None for no limit. All but instructions in bytes."""

    flash: int | None = None
    """Code, constants, tables and initial values of variables."""
    ram: int | None = None
    """Pools, the caller's inputs and outputs, and variables; without the stack."""
    stack: int | None = None
    """The worst case, or where that is unknown the most that was observed."""
    instructions: int | None = None

    def given(self) -> list[str]:
        """Names of those that are limits."""
        return [name for name in ("flash", "ram", "stack", "instructions") if getattr(self, name) is not None]

    def check(self, model: Description, opt: str, measure: Callable[[str], Figures]) -> Figures:
        """The figures of `model` at `-O` level `opt`; `measure` gives those of any level.

        Raises:
            BudgetError: they exceed a budget. Names each, by how much, and a level that would fit, if there is one.
        """
        figures = measure(opt)
        over = self.excess(model, figures)
        if not over:
            return figures
        remedy = None
        # No level of optimisation changes the pools.
        if self.ram is None or figures.sizes.ram <= self.ram:
            fitting = (level for level in LEVELS if level != opt and not self.excess(model, measure(level)))
            level = next(fitting, None)
            remedy = None if level is None else f"compiled with -O{level} it fits"
        raise BudgetError(
            f"{model.name} is over budget on {figures.target} at -O{opt}: {', '.join(over)}", remedy=remedy
        )

    def excess(self, model: Description, figures: Figures) -> list[str]:
        """What exceeds its budget and by how much, in words."""
        worst = figures.worst_case_stack
        stack = figures.stack_bytes if worst is None else worst
        return [
            *_over("flash", figures.sizes.flash, self.flash, " bytes"),
            *(text + _at_peak(model) for text in _over("RAM", figures.sizes.ram, self.ram, " bytes")),
            *_over("stack" if worst is not None else "observed stack", stack, self.stack, " bytes"),
            *_over("instructions", figures.instructions, self.instructions, ""),
        ]


def _over(what: str, value: int, budget: int | None, unit: str) -> list[str]:
    if budget is None or value <= budget:
        return []
    return [f"{what} by {value - budget:,}{unit} ({value:,} of {budget:,})"]


def _at_peak(model: Description) -> str:
    """Where the largest workspace pool is fullest: the operator that a smaller model would have to shrink."""
    pool = max(model.workspace_pools, key=lambda pool: pool.bytes, default=None)
    found = chart(model, pool) if pool is not None else None
    if pool is None or found is None or found.peak >= len(model.operators):
        return ""
    return f" with pool '{pool.name}' fullest at operator {operator_label(model.operators, found.peak)}"

"""Budgets of one inference on a processor: flash, RAM, stack and instructions that it may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import BudgetError
from ..report.explain.smallest import Change, best_change, flash_changes, ram_change
from ..report.timeline import chart, operator_label
from ..report.use import Use

if TYPE_CHECKING:
    from ..driver.compile.compilation import Compilation
    from ..targets.interfaces.description import Description
    from .emulate.figures import Figures

LEVELS = ("s", "2", "3")
"""Levels of `-O` that are tried, in this order, when the code of another one is over budget."""
Measure = Callable[[str], "Figures"]
"""The figures at a level of `-O`."""


@dataclass(frozen=True)
class Budgets:
    """Budgets of one inference; None for no limit. All but instructions in bytes."""

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

    def check(self, request: Compilation, model: Description, opt: str, measure: Measure) -> Figures:
        """The figures of `model`, the outcome of `request`, at `-O` level `opt`.

        Raises:
            BudgetError: they exceed a budget. Names each, by how much, and the smallest change that would fit, if one
                is known: a level, a change of the memory plan, or both.
        """
        figures = measure(opt)
        over = self.excess(model, figures)
        if not over:
            return figures
        raise BudgetError(
            f"{model.name} is over budget on {figures.target} at -O{opt}: {', '.join(over)}",
            remedy=self._remedy(request, model, opt, measure),
        )

    def uses(self, figures: Figures) -> list[Use]:
        """Use of each budget that is given."""
        worst = figures.worst_case_stack
        stack = figures.stack_bytes if worst is None else worst
        measured = {
            "flash": figures.sizes.flash,
            "ram": figures.sizes.ram,
            "stack": stack,
            "instructions": figures.instructions,
        }
        return [Use(name, measured[name], getattr(self, name)) for name in self.given()]

    def excess(self, model: Description, figures: Figures) -> list[str]:
        """Budgets that are exceeded and by how much, in words."""
        worst = figures.worst_case_stack
        stack = figures.stack_bytes if worst is None else worst
        return [
            *_over("flash", figures.sizes.flash, self.flash, " bytes"),
            *(text + _at_peak(model) for text in _over("RAM", figures.sizes.ram, self.ram, " bytes")),
            *_over("stack" if worst is not None else "observed stack", stack, self.stack, " bytes"),
            *_over("instructions", figures.instructions, self.instructions, ""),
        ]

    def _remedy(self, request: Compilation, model: Description, opt: str, measure: Measure) -> str | None:
        """A change that would fit, in words; None where nothing that is known does."""
        ram = measure(opt).sizes.ram
        parts: list[str] = []
        if self.ram is not None and ram > self.ram:
            found = ram_change(request, [model], ram - self.ram)
            if found is None or found.bytes_saved < ram - self.ram:
                return _most("RAM", found, ram - self.ram)
            parts.append(f"{found.option} saves {found.bytes_saved:,} bytes of RAM")
        # No level of optimisation changes the pools.
        rest = replace(self, ram=None)
        if rest.excess(model, measure(opt)):
            fitting = (level for level in LEVELS if level != opt and not rest.excess(model, measure(level)))
            level = next(fitting, None)
            if level is None:
                return " and ".join([*parts, *self._shorter(request, measure(opt))]) or None
            parts.append(f"compiled with -O{level} it fits")
        return " and ".join(parts)

    def _shorter(self, request: Compilation, figures: Figures) -> list[str]:
        """Changes that would save flash, if that is over its budget."""
        over = 0 if self.flash is None else figures.sizes.flash - self.flash
        if over <= 0:
            return []
        found = best_change(flash_changes(request), over)
        if found is None or found.bytes_saved < over:
            return [_most("flash", found, over)]
        return [f"{found.option} saves about {found.bytes_saved:,} bytes of flash"]


def _over(what: str, value: int, budget: int | None, unit: str) -> list[str]:
    if budget is None or value <= budget:
        return []
    return [f"{what} by {value - budget:,}{unit} ({value:,} of {budget:,})"]


def _most(what: str, change: Change | None, excess: int) -> str:
    """The change that saves most, where that is too little."""
    if change is None:
        return f"none of the options that were tried saves {what}"
    about = "about " if what == "flash" else ""
    return (
        f"{change.option} saves most of the options that were tried, {about}{change.bytes_saved:,} bytes of {what}; "
        f"{excess - change.bytes_saved:,} more are needed"
    )


def _at_peak(model: Description) -> str:
    """Where the largest workspace pool is fullest: the operator that a smaller model would have to shrink."""
    pool = max(model.workspace_pools, key=lambda pool: pool.bytes, default=None)
    found = chart(model, pool) if pool is not None else None
    if pool is None or found is None or found.peak >= len(model.operators):
        return ""
    return f" with pool '{pool.name}' fullest at {operator_label(model.operators, found.peak)}"

"""`--rows auto` and `on`: a model is planned as it is and row by row, and goes the way of rows where that is worth it.

With `on` it is wherever rows take fewer bytes of workspace. With `auto` rows must also save enough and, for a processor
whose costs are known, take few more instructions; where the objective is RAM, more of them the more they save.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ..planner import PoolShort
from ..targets.interfaces.description import RowChoice
from .describe import Signature
from .network_cost import instructions
from .planned_bytes import workspace_bytes

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from .compilation import Compilation

LEAST_SAVING_PERCENT = 10
"""Part of the workspace that rows must save, for they cost code."""

MOST_COST_PERCENT = 3
"""Instructions that rows may take more."""

SAVING_PER_COST = 10
"""Percents of the workspace that pay for one percent of the instructions, where the objective is RAM."""


def is_worth_it(whole: int, by_rows: int) -> bool:
    """Whether a network saves enough row by row.

    Args:
        whole: bytes of all workspace pools as it is.
        by_rows: the same row by row.
    """
    return by_rows < whole and 100 * (whole - by_rows) >= LEAST_SAVING_PERCENT * whole


def is_quick_enough(whole: int, by_rows: int, most: float = MOST_COST_PERCENT) -> bool:
    """Whether a network takes few enough instructions row by row.

    Args:
        whole: instructions of a run as it is.
        by_rows: the same row by row.
        most: percents that they may be more.
    """
    return 100 * (by_rows - whole) <= most * whole


def most_cost(whole: int, by_rows: int) -> float:
    """Percents of instructions that rows may take more where the objective is RAM: bytes of workspace decide."""
    return max(MOST_COST_PERCENT, 100 * (whole - by_rows) / whole / SAVING_PER_COST)


@dataclass(frozen=True)
class Way:
    """A compilation with `rows` decided, and its module at level `pools`."""

    compilation: Compilation
    signature: Signature
    module: ModuleOp

    @property
    def instructions(self) -> int | None:
        """Of a run, estimated before there is a plan; None where no processor is named."""
        cpu = self.compilation.plan.scheduled_for
        return instructions(self.module, cpu) if cpu else None


def choose(of: Compilation) -> Way:
    """The better of both ways to run a model; of the other one nothing but the memory is planned.

    A way that keeps within the limits of the pools is better than one that does not.

    Raises:
        PoolShort: neither does; of the way that lacks less.
        StillpoolError: a pass refused the model.
    """
    whole, by_rows = _unplanned(of, "off"), _unplanned(of, "split")
    costs = whole.instructions, by_rows.instructions
    is_same = by_rows.module.is_structurally_equivalent(whole.module)
    before = _plan(whole)
    after = before if is_same else _plan(by_rows)
    if isinstance(before, PoolShort) and isinstance(after, PoolShort):
        raise after if after.missing < before.missing else before
    if isinstance(before, PoolShort) or isinstance(after, PoolShort):
        is_taken = isinstance(before, PoolShort)
    elif of.plan.rows == "on":
        is_taken = after < before
    else:
        is_taken = is_worth_it(before, after) and _is_quick_enough(
            *costs, most_cost(before, after) if of.plan.is_for_ram else MOST_COST_PERCENT
        )
    made = RowChoice(is_taken, _known(before), _known(after), *costs)
    way = by_rows if is_taken else whole
    return replace(way, compilation=replace(way.compilation, row_choice=made))


def _is_quick_enough(whole: int | None, by_rows: int | None, most: float) -> bool:
    return whole is None or by_rows is None or is_quick_enough(whole, by_rows, most)


def _unplanned(of: Compilation, rows: Literal["off", "split"]) -> Way:
    decided = replace(of, plan=replace(of.plan, rows=rows))
    return Way(decided, *decided.lowered())


def _plan(way: Way) -> int | PoolShort:
    """Bytes of all workspace pools, or why there is no plan."""
    try:
        way.compilation.place(way.module)
    except PoolShort as short:
        return short
    return sum(workspace_bytes(way.module).values())


def _known(planned: int | PoolShort) -> int | None:
    return None if isinstance(planned, PoolShort) else planned

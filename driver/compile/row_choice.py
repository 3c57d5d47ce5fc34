"""`--rows auto` and `on`: a model is planned as it is and row by row, and goes the way of rows where that is worth it.

With `on` it is wherever rows take fewer bytes of workspace. With `auto` rows must also save enough and, for a processor
whose costs are known, cost no more instructions than their price allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Literal, TypeVar

from xdsl.dialects.builtin import ModuleOp

from ...lowering.schedule.cost.counts import Estimate
from ...planner import PoolShort
from ...targets.interfaces.description import RowChoice
from ..pipeline import Plan
from .band_choice import in_bands, macs_again
from .describe import Signature
from .network_cost import NetworkCost, network_cost
from .planned_bytes import workspace_bytes
from .scratch_choice import lean_functions
from .ways import Way

W = TypeVar("W", bound=Way)


def is_worth_it(whole: int, by_rows: int, least: float) -> bool:
    """Whether a network saves enough row by row.

    Args:
        whole: bytes of all workspace pools as it is.
        by_rows: the same row by row.
        least: percents that rows must save.
    """
    return by_rows < whole and 100 * (whole - by_rows) >= least * whole


def is_quick_enough(whole: int, by_rows: int, most: float) -> bool:
    """Whether a network takes few enough instructions row by row.

    Args:
        whole: instructions of a run as it is.
        by_rows: the same row by row.
        most: percents that they may be more.
    """
    return 100 * (by_rows - whole) <= most * whole


@dataclass(frozen=True)
class Lowered(Generic[W]):
    """A compilation with `rows` decided, and its module at level `memref`; from `choose` its buffers have places."""

    compilation: W
    signature: Signature
    module: ModuleOp
    known: Mapping[str, Estimate] = field(default_factory=lambda: {}, repr=False)
    """Estimates of functions that are as they were in another way."""

    @cached_property
    def cost(self) -> NetworkCost | None:
        """Estimates before there is a plan; None where no processor is named."""
        cpu = self.compilation.plan.scheduled_for
        return network_cost(self.module, cpu, self.known) if cpu else None

    @property
    def instructions(self) -> int | None:
        """Instructions of a run, estimated before there is a plan; None where no processor is named."""
        return None if self.cost is None else self.cost.instructions


def choose(of: W) -> Lowered[W]:
    """The better of both ways to run a model; of the other one nothing but the memory is planned.

    A way that keeps within the limits of the pools is better than one that does not.

    Raises:
        PoolShort: neither does; of the way that lacks less.
        StillpoolError: a pass refused the model.
    """
    whole, by_rows = _unplanned(of, "off"), _unplanned(of, "split")
    # Known before there are plans, which change what is estimated.
    price, _ = whole.instructions, by_rows.instructions
    is_same = by_rows.module.is_structurally_equivalent(whole.module)
    before = _plan(whole)
    if is_same:
        after = before
    else:
        by_rows, after = _leanest(by_rows, price)
    by_rows, after = _in_bands(by_rows, after, price)
    costs = whole.instructions, by_rows.instructions
    if isinstance(before, PoolShort) and isinstance(after, PoolShort):
        raise after if after.missing < before.missing else before
    reason = ""
    if isinstance(before, PoolShort) or isinstance(after, PoolShort):
        is_taken = isinstance(before, PoolShort)
    elif of.plan.rows == "on":
        is_taken = after < before
    else:
        reason = _refusal(of.plan, before, after, *costs)
        is_taken = after < before and not reason
    if not is_taken:
        whole, before = _leanest(whole, price, before)
    sizes, again = (_known(before), _known(after)), macs_again(by_rows.compilation)
    made = RowChoice(is_taken, *sizes, whole.instructions, by_rows.instructions, again, reason)
    way = by_rows if is_taken else whole
    return replace(way, compilation=way.compilation.decided_as(made))


def _leanest(
    way: Lowered[W], whole: int | None, planned: int | PoolShort | None = None
) -> tuple[Lowered[W], int | PoolShort]:
    """A way with less scratch memory of schedules, planned, if that takes fewer bytes for its price; else as it is.

    Args:
        way: the way.
        whole: instructions of the network as it is, of which the price is a part.
        planned: what is known of its plan.
    """
    lean = _leaner(way, whole)
    if lean is None:
        return way, _plan(way) if planned is None else planned
    other, least = lean
    found = _plan(other)
    if planned is None and isinstance(found, int) and found < least:
        return other, found
    planned = _plan(way) if planned is None else planned
    is_less = isinstance(found, int) and (isinstance(planned, PoolShort) or found < planned)
    return (other, found) if is_less else (way, planned)


def _in_bands(way: Lowered[W], planned: int | PoolShort, whole: int | None) -> tuple[Lowered[W], int | PoolShort]:
    """A way that runs in bands, planned, if that takes fewer bytes; else as it is.

    Args:
        way: row by row.
        planned: what is known of its plan.
        whole: instructions of the network as it is.
    """
    of = way.compilation
    plan = in_bands(of) if of.plan.recompute else of.plan
    if plan == of.plan:
        return way, planned
    other = _unplanned(of.planned_as(plan), "split")
    if of.plan.rows == "auto" and whole is not None and other.instructions is not None:
        if not is_quick_enough(whole, other.instructions, of.plan.row_price):
            return way, planned
    other, found = _leanest(other, whole)
    is_less = isinstance(found, int) and (isinstance(planned, PoolShort) or found < planned)
    return (other, found) if is_less else (way, planned)


def _leaner(way: Lowered[W], whole: int | None) -> tuple[Lowered[W], int] | None:
    """The same way with less scratch memory within the price, not planned, and bytes that it would need as it is."""
    of = way.compilation
    if not of.plan.weighs_scratch or way.cost is None or whole is None:
        return None
    most = whole + of.plan.row_price * whole / 100 - way.cost.instructions
    found, needed = lean_functions(of, of.lowered_once(), most)
    if not found:
        return None
    decided = of.planned_as(replace(of.plan, lean_functions=found))
    known = {name: one for name, one in way.cost.functions.items() if name not in found}
    lean = Lowered(decided, *decided.lowered(), known)
    assert lean.instructions is not None, "a processor is named"
    return (lean, needed) if is_quick_enough(whole, lean.instructions, of.plan.row_price) else None


def _refusal(plan: Plan, before: int, after: int, whole: int | None, by_rows: int | None) -> str:
    """Why rows that take fewer bytes are given up, and what takes them; empty if they are not."""
    if after < before and not is_worth_it(before, after, plan.row_saving):
        return f"{before - after:,} bytes are less than {plan.row_saving:g} % of the workspace; --rows on takes them"
    if after >= before or whole is None or by_rows is None or is_quick_enough(whole, by_rows, plan.row_price):
        return ""
    cost = 100 * (by_rows - whole) / whole
    # Rounded up, so that the price that is named is enough.
    enough = -int(-10 * cost // 1) / 10
    return (
        f"{before - after:,} bytes of workspace are given up, for they cost {cost:.1f} % more instructions, above the "
        f"{plan.row_price:g} % of --spend instructions; --spend instructions={enough:g} takes them"
    )


def _unplanned(of: W, rows: Literal["off", "split"]) -> Lowered[W]:
    decided = of.planned_as(replace(of.plan, rows=rows))
    return Lowered(decided, *decided.lowered())


def _plan(way: Lowered[W]) -> int | PoolShort:
    """Bytes of all workspace pools, or why there is no plan."""
    try:
        way.compilation.place_unproved(way.module)
    except PoolShort as short:
        return short
    return sum(workspace_bytes(way.module).values())


def _known(planned: int | PoolShort) -> int | None:
    return None if isinstance(planned, PoolShort) else planned

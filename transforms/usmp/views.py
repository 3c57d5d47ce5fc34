"""The pass `usmp-views`: operators that only move elements become views, where no pool grows by it.

A concatenation goes when the operators before it write straight into its result, a slice or split when those after it
read out of its operand. That saves the copies, and mostly memory; but a buffer that is there for longer can also cost
some, so that the plan decides: first all such operators are tried together, then one after another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from .plan_pass import UsmpPlanPass
from .structure import entries, functions, pools
from .views_rewrite import PARTS, Views

MOST_TRIALS = 32
"""Operators that are tried on their own at most; those behind them stay."""

Sizes = dict[str, int]
"""Bytes of each pool."""


@dataclass(frozen=True)
class UsmpViewsPass(ModulePass):
    """Turn calls with `pool.parts` into views."""

    name: ClassVar[str] = "usmp-views"

    algorithm: str = UsmpPlanPass.algorithm
    """The placement algorithm that the plan will be made with."""
    seconds: float = UsmpPlanPass.seconds
    """What the search may take in each pool."""
    always: bool = False
    """Do so whatever it costs."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        everything = range(len(_candidates(op)))
        chosen: Collection[int] = everything
        if not everything:
            return
        if not self.always:
            chosen = self._cheapest(ctx, op, everything)
        _rewrite(op, chosen)

    def _cheapest(self, ctx: Context, op: ModuleOp, everything: range) -> Collection[int]:
        """The candidates that make no pool larger."""
        trial = op.clone()
        if not _rewrite(trial, everything):
            return ()
        before, after = self._sizes(ctx, op.clone()), self._sizes(ctx, trial)
        if _is_at_most(after, before):
            return everything
        chosen: list[int] = []
        for number in everything[:MOST_TRIALS]:
            trial = op.clone()
            _rewrite(trial, [*chosen, number])
            after = self._sizes(ctx, trial)
            if _is_at_most(after, before):
                chosen.append(number)
                before = after
        return chosen

    def _sizes(self, ctx: Context, op: ModuleOp) -> Sizes | None:
        """What the plan takes; None if there is none within the limits."""
        try:
            UsmpPlanPass(self.algorithm, self.seconds).apply(ctx, op)
        except PassFailedException:
            return None
        return {name: 0 if pool.size is None else pool.size.value.data for name, pool in pools(op).items()}


def _is_at_most(after: Sizes | None, before: Sizes | None) -> bool:
    if after is None or before is None:
        return after is not None or before is None
    return all(size <= before[name] for name, size in after.items())


def _candidates(module: ModuleOp) -> list[func.CallOp]:
    """The calls of entry functions that may become views, in order."""
    return [
        op
        for entry in entries(module)
        for op in entry.body.block.ops
        if isinstance(op, func.CallOp) and isinstance(op.attributes.get(PARTS), ArrayAttr)
    ]


def _rewrite(module: ModuleOp, chosen: Collection[int]) -> bool:
    """Turn the chosen candidates into views; says whether there was any that could be."""
    views, before = Views(module), _called(module)
    done = [views.replace(call) for number, call in enumerate(_candidates(module)) if number in chosen]
    after, table = _called(module), functions(module)
    for name in before:
        if name not in after:
            table[name].detach()
            table[name].erase()
    return any(done)


def _called(module: ModuleOp) -> dict[str, None]:
    """The names of functions that are called, in order."""
    return dict.fromkeys(op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp))

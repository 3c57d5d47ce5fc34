"""The pass `usmp-views`: operators that only move elements become views, where no pool grows by it.

A concatenation goes when the operators before it write straight into its result, a slice or split when those after it
read out of its operand. That saves the copies, and mostly memory; but a buffer that is there for longer can also cost
some, so that the plan decides: first all such operators are tried together, then one after another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....progress import counted
from ..analysis.sound import require_sound
from ..analysis.structure import callee, entries, functions
from ..rewriting.moves import moves_as_said
from ..rewriting.views_rewrite import Views
from .plan_pass import Outcome, UsmpPlanPass

MOST_TRIALS = 32
"""Operators that are tried on their own at most; those behind them stay."""
MOST_CALLS = 100_000
"""Calls of entry functions in all trials together: long ones are tried less often."""
SHARE = 4
"""Part of a plan's search for each plan that is only compared; less where these are many."""


@dataclass(frozen=True)
class UsmpViewsPass(ModulePass):
    """Turn calls with `pool.parts` into views."""

    name: ClassVar[str] = "usmp-views"

    algorithm: str = UsmpPlanPass.algorithm
    """The placement algorithm that the plan will be made with."""
    seconds: float = UsmpPlanPass.seconds
    """Search in each pool."""
    always: bool = False
    """Do so whatever it costs."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        everything = provable(op)
        chosen: Collection[int] = everything
        if not everything:
            return
        if not self.always:
            chosen = self._cheapest(op, everything)
        rewrite(op, chosen)

    def _cheapest(self, op: ModuleOp, everything: Sequence[int]) -> Collection[int]:
        """The candidates that make no pool larger."""
        trial = op.clone()
        if not rewrite(trial, everything):
            return ()
        calls = sum(1 for entry in entries(op) for one in entry.body.block.ops if isinstance(one, func.CallOp))
        tried = everything[: min(MOST_TRIALS, MOST_CALLS // max(1, calls))]
        plan = UsmpPlanPass(self.algorithm, self.seconds / max(SHARE, len(tried) / 2))
        before, after = plan.outcome(op), plan.outcome(trial)
        if _is_at_most(after, before):
            return everything
        chosen: list[int] = []
        accepted, left = op, list(range(len(candidates(op))))
        for number in counted("usmp-views: operator", tried):
            trial = accepted.clone()
            if not rewrite(trial, [left.index(number)]):
                continue
            # Where a bound tells that the plan takes more it is not made.
            after = plan.if_no_larger(trial, before)
            if after is not None and _is_at_most(after, before):
                chosen.append(number)
                left.remove(number)
                accepted, before = trial, after
        return chosen


def _is_at_most(after: Outcome, before: Outcome) -> bool:
    """Whether a plan is no worse: what keeps within the limits is better than what does not."""
    if after.fits != before.fits:
        return after.fits
    return all(size <= before.sizes[name] for name, size in after.sizes.items())


def candidates(module: ModuleOp) -> list[func.CallOp]:
    """The calls of entry functions that may become views, in order."""
    return [
        op
        for entry in entries(module)
        for op in entry.body.block.ops
        if isinstance(op, func.CallOp) and keys.PARTS.within(op.attributes)
    ]


def provable(module: ModuleOp) -> Sequence[int]:
    """The numbers of the candidates that are shown to move what their parts say, and no more."""
    table, known, found = functions(module), dict[tuple[str, Attribute], bool](), list[int]()
    for number, call in enumerate(candidates(module)):
        function = callee(table, call)
        key = function.sym_name.data, call.attributes[keys.PARTS.name]
        if key not in known:
            known[key] = moves_as_said(call, keys.PARTS.get(call.attributes) or (), function)
        if known[key]:
            found.append(number)
    return found


def rewrite(module: ModuleOp, chosen: Collection[int], *, copies: bool = False) -> bool:
    """Turn the chosen candidates into views, with `copies` else into copies; says whether there was any."""
    views, idle = Views(module), functions(module).keys() - _called(module)
    done = [views.replace(call, copies=copies) for number, call in enumerate(candidates(module)) if number in chosen]
    called = _called(module)
    for name, function in functions(module).items():
        # A copy that takes one strided part is for nothing where another one takes two.
        if name not in called and name not in idle:
            function.detach()
            function.erase()
    return any(done)


def _called(module: ModuleOp) -> set[str]:
    """The names of functions that are called."""
    return {op.callee.string_value() for op in all_of(module, func.CallOp)}

"""The pass `roll-rows`: a straight line of calls on rows becomes a loop over tables.

It runs when all places are decided and proved, after `usmp-materialize-offsets`. Calls that are the same but for
offsets into pools become one call in a `scf.index_switch`; tables of bytes say which of them is next, and one table has
the offsets that are no multiples of a counter: those of rows, over which windows slide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.func_keys import NO_INLINE
from ..byte_views import drop_unused
from ..usmp.analysis.structure import entries, functions
from .roll.calls import SETUP, Run, runs
from .roll.rewrite import Rolled
from .roll.streamed import roll_streamed, streamed_argument

_LEAST_CALLS = 8
"""Calls that a loop must save: below, the loop and its tables are more code than the calls."""


@dataclass(frozen=True)
class RollRowsPass(ModulePass):
    """Roll calls of entry functions into loops where that makes less code."""

    name: ClassVar[str] = "roll-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in entries(op):
            if (argument := streamed_argument(entry)) is not None:
                _keep_apart(op, [roll_streamed(op, entry, argument)])
                continue
            chosen = [run for run in runs(entry.body.block) if _pays(run)]
            for run in chosen:
                Rolled(op, entry, run).emit()
            if chosen:
                drop_unused(entry.body.block, *SETUP)
                _keep_apart(op, chosen)


def _keep_apart(module: ModuleOp, rolled: Sequence[Run]) -> None:
    """Let C compilers not put functions into the loop: what the loop keeps in registers, functions would lack."""
    table = functions(module)
    for run in rolled:
        for kind in run.kinds:
            NO_INLINE.put(table[kind.call.callee.string_value()].attributes, True)


def _pays(run: Run) -> bool:
    return len(run.order) - len(run.kinds) >= _LEAST_CALLS

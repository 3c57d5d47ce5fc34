"""Calls that tell the application which operator has just run, to measure each on its board.

`usmp-name-hook` says which C function hears of it, `usmp-operator-hooks` adds the calls to a planned program: no buffer
moves for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ..analysis.structure import entries, is_operator
from .application_calls import call_after, take_names


@dataclass(frozen=True)
class UsmpNameHookPass(ModulePass):
    """Name the function that entry functions call after each operator."""

    name: ClassVar[str] = "usmp-name-hook"

    function: str
    """The C function that is called with an operator's position in the run."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in entries(op):
            keys.OPERATOR_HOOK.put(entry.attributes, self.function)


@dataclass(frozen=True)
class UsmpOperatorHooksPass(ModulePass):
    """Call the function that an entry function's `pool.operator_hook` names after each operator."""

    name: ClassVar[str] = "usmp-operator-hooks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry, hook in take_names(op, keys.OPERATOR_HOOK):
            operators = [one for one in entry.body.walk() if is_operator(one)]
            if not operators:
                raise PassFailedException(f"@{entry.sym_name.data} calls no operators that @{hook} could hear of")
            for position, operator in enumerate(operators):
                call_after(operator, hook, position, keys.HOOK)

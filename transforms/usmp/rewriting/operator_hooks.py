"""Calls that tell the application which operator has just run, to measure each on its board.

`usmp-name-hook` says which C function hears of it, `usmp-operator-hooks` adds the calls to a planned program: no buffer
moves for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ....dialects import nn_keys
from ....dialects.operations import operations
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
    """Call the function that an entry function's `pool.operator_hook` names after each operator.

    A loop that `roll-rows` has made tells of one operator in each round.
    """

    name: ClassVar[str] = "usmp-operator-hooks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry, hook in take_names(op, keys.OPERATOR_HOOK):
            operators = [one for one in operations(entry.body) if is_operator(one)]
            if not operators:
                raise PassFailedException(f"@{entry.sym_name.data} calls no operators that @{hook} could hear of")
            loops: dict[scf.ForOp, list[int]] = {}
            position = 0
            for operator in operators:
                rounds = nn_keys.POSITIONS.get(operator.attributes)
                if rounds is None:
                    call_after(operator, hook, position, keys.HOOK)
                    position += 1
                else:
                    loops.setdefault(_loop(operator), []).extend(rounds)
                    position += len(rounds)
            _tell_of_rounds(loops, hook)


def _loop(operator: Operation) -> scf.ForOp:
    """The loop that runs an operator, one of its cases, at several positions."""
    parent = operator.parent_op()
    while not isinstance(parent, scf.ForOp):
        assert parent is not None, "calls with positions stand in a loop over these"
        parent = parent.parent_op()
    return parent


def _tell_of_rounds(loops: Mapping[scf.ForOp, Sequence[int]], hook: str) -> None:
    """Call the function at the end of each round: the first one, whose counter is 0, is the first position."""
    for loop, positions in loops.items():
        block = loop.body.block
        assert block.last_op is not None, "loops end in a terminator"
        builder = Builder(InsertPoint.before(block.last_op))
        at = builder.insert(arith.IndexCastOp(block.args[0], i32)).result
        if first := min(positions):
            offset = builder.insert(arith.ConstantOp(IntegerAttr(first, i32))).result
            at = builder.insert(arith.AddiOp(at, offset)).result
        keys.HOOK.put(builder.insert(func.CallOp(hook, [at], [])).attributes, True)

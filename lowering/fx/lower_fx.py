"""Lowers `fx` operations to calls of private functions in `arith`, one per kind of operation that the module uses.

It stands before the conversion to C, where each becomes a small static function that reads like its definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.operations import operations
from .helper import Helper
from .helpers import helper_of


@dataclass(frozen=True)
class LowerFxPass(ModulePass):
    """Replace `fx` operations by calls of functions `@fx_...`, which stand first in the module."""

    name: ClassVar[str] = "lower-fx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = _Functions(op)
        functions.call_helpers(op)
        Rewriter.insert_op(tuple(functions.made.values()), InsertPoint.at_start(op.body.block))


class _Functions:
    """The helpers' functions that the module has, and those made for it."""

    def __init__(self, module: ModuleOp):
        functions = (f for f in module.body.block.ops if isinstance(f, func.FuncOp))
        self._existing = {f.sym_name.data: f for f in functions}
        self.made: dict[str, func.FuncOp] = {}
        """By helper, callees before their callers."""

    def call_helpers(self, root: Operation) -> None:
        """Replace the `fx` operations inside `root`."""
        found = [(user, helper) for user in operations(root) if (helper := helper_of(user)) is not None]
        for user, helper in found:
            call = func.CallOp(self._symbol(helper), user.operands, [i32])
            call.res[0].name_hint = user.results[0].name_hint
            Rewriter.replace_op(user, call)

    def _symbol(self, helper: Helper) -> str:
        """The symbol of the helper's function; it is made unless the module has one with the same body."""
        if helper.name in self.made:
            return self.made[helper.name].sym_name.data
        function = helper.build()
        self.call_helpers(function)
        name, number = helper.name, 0
        while (existing := self._existing.get(name)) is not None:
            if existing.body.is_structurally_equivalent(function.body):
                return name
            name, number = f"{helper.name}_{number}", number + 1
        function.sym_name = StringAttr(name)
        self.made[helper.name] = function
        return name

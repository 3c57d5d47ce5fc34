"""Which functions keep constants in four bits."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....dialects.task.steps import Dual


def functions_with_nibbles(module: ModuleOp) -> frozenset[str]:
    """The functions of which a schedule keeps constants in four bits."""
    return frozenset(
        function.sym_name.data
        for function in module.ops
        if isinstance(function, func.FuncOp)
        for nest in all_of(function, NestOp)
        for step in nest.steps
        if isinstance(step, Dual) and step.nibbles
    )

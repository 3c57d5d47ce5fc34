"""The pass `lower-vector-to-scalar`: vectors of static shape become scalars, one for each element.

Memory planning sees loads and stores of elements then, in the order in which the vectors were read and written. The
C compiler makes vectors again where the processor has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, scf, ub
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import operations
from . import elementwise, memory, shapes
from .elements import Elements, Handlers, is_vector, refuse_unknown
from .regions import carries_vectors, rebuild, spread_arguments

HANDLERS: Handlers = {**elementwise.HANDLERS, **memory.HANDLERS, **shapes.HANDLERS}
"""Lowering of each operation that is not elementwise."""


@dataclass(frozen=True)
class LowerVectorToScalarPass(ModulePass):
    """Lower `vector`, and `arith` and `math` on vectors, to scalars; `ub.poison` to zero."""

    name: ClassVar[str] = "lower-vector-to-scalar"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if not isinstance(function, func.FuncOp):
                continue
            if any(is_vector(type_) for type_ in (*function.function_type.inputs, *function.function_type.outputs)):
                name = function.sym_name.data
                raise PassFailedException(f"@{name} takes or returns vectors, which have no equivalent in C")
            if any(_concerns(inner) for inner in operations(function)):
                elements = Elements()
                for block in function.body.blocks:
                    _lower(block, elements)


def _concerns(op: Operation) -> bool:
    return any(is_vector(value.type) for value in (*op.operands, *op.results)) or isinstance(op, ub.PoisonOp)


def _lower(block: Block, elements: Elements) -> None:
    spread = spread_arguments(block, elements)
    replaced: list[Operation] = []
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                # What a loop carries must have elements before its body is lowered.
                _lower(inner, elements)
        if _concerns(op):
            _lower_operation(op, elements)
            replaced.append(op)
    for op in reversed(replaced):
        op.detach()
        op.erase(safe_erase=False)
    for argument in spread:
        block.erase_arg(argument, safe_erase=False)


def _lower_operation(op: Operation, elements: Elements) -> None:
    refuse_unknown(op)
    if isinstance(op, scf.ForOp | scf.IfOp | scf.YieldOp) and carries_vectors(op):
        rebuild(op, elements)
        return
    build = Builder(InsertPoint.before(op))
    if handler := HANDLERS.get(type(op)):
        handler(op, elements, build)
    elif elementwise.is_elementwise(op):
        elementwise.lower_elementwise(op, elements, build)
    else:
        types = ", ".join(str(v.type) for v in (*op.operands, *op.results) if is_vector(v.type))
        raise PassFailedException(f"'{op.name}' op of {types} cannot be lowered to scalars")

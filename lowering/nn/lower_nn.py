"""Lowers `nn` on tensors to loops on memrefs: operators become functions, the model a straight line of calls.

It stands between the graph, where operators are fused and ordered, and memory planning, which needs buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.passes import ModulePass
from xdsl.traits import SymbolOpInterface

from ...targets.identifiers import UniqueNames
from . import operators as operators  # registers the lowerings
from .constants import Globals
from .entry import EntryLowering
from .operator_functions import OperatorFunctions


@dataclass(frozen=True)
class LowerNnPass(ModulePass):
    """Lower `nn` operations to loops in functions, and the functions on tensors that use them to calls.

    Other functions stay as they are. New constants stand first in the module, then operator functions.
    """

    name: ClassVar[str] = "lower-nn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sources = [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and _is_on_tensors(f)]
        names = UniqueNames(_symbols(op), first=0)
        constants, functions = Globals(names), OperatorFunctions(names)
        lowered = [EntryLowering(source, functions, constants).lower() for source in sources]
        for source, entry in zip(sources, lowered, strict=True):
            entry.attributes |= source.attributes
            op.body.block.insert_ops_before([entry], source)
            source.detach()
            source.erase()
        new = [*constants.operations, *functions.operations]
        first = op.body.block.first_op
        if first is not None:
            op.body.block.insert_ops_before(new, first)


def _is_on_tensors(function: func.FuncOp) -> bool:
    """Whether the function has a body that computes with tensors."""
    if not function.body.blocks:
        return False
    types = [*function.function_type.inputs, *function.function_type.outputs]
    types += [result.type for op in function.body.block.ops for result in op.results]
    return any(isinstance(type, TensorType) for type in types)


def _symbols(module: ModuleOp) -> list[str]:
    """The symbols of the module's operations."""
    symbols: list[str] = []
    for op in module.body.block.ops:
        trait = op.get_trait(SymbolOpInterface)
        name = None if trait is None else trait.get_sym_attr_name(op)
        symbols += [name.data] if isinstance(name, StringAttr) else []
    return symbols

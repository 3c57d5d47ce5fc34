"""The pass `usmp-overlap`: which outputs of a function may take the place of an input that dies in the call.

Read off the function's body: an output is safe to lie on an input when every element is loaded before the store to
the same element, in the same iteration, and never again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.pool.attributes import LeadAttr
from .structure import element_size, functions, is_entry, size_of


@dataclass(frozen=True)
class UsmpOverlapPass(ModulePass):
    """Write `pool.lead` on output arguments of private functions."""

    name: ClassVar[str] = "usmp-overlap"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions(op).values():
            if not is_entry(function) and not function.is_declaration:
                _annotate(function)


def _annotate(function: func.FuncOp) -> None:
    arguments = function.body.block.args
    attributes = [dict(a.data) for a in function.arg_attrs or [DictionaryAttr({})] * len(arguments)]
    for output in arguments:
        leads = [LeadAttr.get(given.index, 0) for given in arguments if _is_pointwise(given, output)]
        if leads:
            attributes[output.index]["pool.lead"] = ArrayAttr(leads)
    if any("pool.lead" in a for a in attributes):
        function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in attributes])


def _is_pointwise(given: BlockArgument, output: BlockArgument) -> bool:
    """Whether `output[i]` is stored once, after all loads of `given[i]`, for each i of one sweep."""
    a, b = given.type, output.type
    if given is output or not isinstance(a, MemRefType) or not isinstance(b, MemRefType):
        return False
    if a.get_shape() != b.get_shape() or element_size(a) != element_size(b) or size_of(a) != size_of(b):
        return False
    loads = [use.operation for use in given.uses]
    stores = [use.operation for use in output.uses]
    if not loads or len(stores) != 1 or not all(isinstance(op, memref.LoadOp) for op in loads):
        return False
    (store,) = stores
    if not isinstance(store, memref.StoreOp) or store.memref is not output:
        return False
    indices = list(store.indices)
    if not _is_sweep(indices, store):
        return False
    return all(
        isinstance(load, memref.LoadOp)
        and list(load.indices) == indices
        and load.parent is store.parent
        and load.is_before_in_block(store)
        for load in loads
    )


def _is_sweep(indices: list[SSAValue], at: Operation) -> bool:
    """Whether the indices are the variables of exactly the loops around `at`, so that no element comes twice."""
    variables: list[SSAValue] = []
    block = at.parent
    while isinstance(block, Block) and isinstance(loop := block.parent_op(), scf.ForOp):
        variables.append(block.args[0])
        block = loop.parent
    is_top = isinstance(block, Block) and isinstance(block.parent_op(), func.FuncOp)
    return is_top and len(set(indices)) == len(indices) and set(variables) == set(indices)

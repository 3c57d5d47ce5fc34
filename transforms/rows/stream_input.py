"""The pass `stream-input`: an input that the application hands over row by row.

The function reads it through a copy, of which `split-rows` makes rows: each is a buffer of its own, filled as late as
it can be. `roll-rows` then makes a function that runs from one such copy to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Region
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys
from ...dialects.pool import keys
from ...dialects.pool.keys import Side
from ...dialects.task import DimsAttr, NestOp, YieldOp
from ...dialects.task.syntax import Access
from ...targets.identifiers import UniqueNames
from ..usmp.analysis.structure import entries
from .layout import RowLayout


@dataclass(frozen=True)
class StreamInputPass(ModulePass):
    """Let the entry function take an input row by row."""

    name: ClassVar[str] = "stream-input"

    input: str
    """The input's name."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = list(entries(op))
        if len(found) != 1:
            raise PassFailedException(f"stream-input: one entry function is needed, there are {len(found)}")
        (entry,) = found
        attributes = [dict(each.data) for each in entry.arg_attrs or [DictionaryAttr({})] * len(entry.body.block.args)]
        argument = _argument(entry, attributes, self.input)
        type = argument.type
        assert isinstance(type, MemRefType), "inputs are memrefs"
        layout = RowLayout.of(type)
        if layout is None or layout.rows == 1:
            raise PassFailedException(
                f"stream-input: input '{self.input}' is {type}: only what has two rows or more comes row by row"
            )
        keys.STREAMED.put(attributes[argument.index], layout.rows)
        entry.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(each) for each in attributes)
        _read_copy(op, entry, argument, type)


def _argument(entry: func.FuncOp, attributes: list[dict[str, Attribute]], name: str) -> BlockArgument:
    inputs: dict[str, BlockArgument] = {}
    for argument, each in zip(entry.body.block.args, attributes, strict=True):
        if keys.IO.get(each) is not Side.OUTPUT and isinstance(argument.type, MemRefType):
            given = nn_keys.NAME.get(each)
            inputs[argument.name_hint or "" if given is None else given] = argument
    if name not in inputs:
        known = ", ".join(f"'{each}'" for each in inputs)
        raise PassFailedException(f"stream-input: there is no input '{name}'; there are {known}")
    return inputs[name]


def _read_copy(module: ModuleOp, entry: func.FuncOp, argument: BlockArgument, type: MemRefType) -> None:
    """Let all that reads the argument read a buffer that it is copied to."""
    taken = (name.data for op in module.ops if isinstance(name := op.properties.get("sym_name"), StringAttr))
    function = _copying(UniqueNames(taken).fresh("take"), type)
    Rewriter.insert_op(function, InsertPoint.before(entry))
    alloc = memref.AllocOp([], [], type)
    alloc.memref.name_hint = argument.name_hint
    given = nn_keys.NAME.get(entry.arg_attrs.data[argument.index].data if entry.arg_attrs else {})
    if given is not None:
        keys.NAME.put(alloc.attributes, given)
    argument.replace_all_uses_with(alloc.memref)
    call = func.CallOp(function.sym_name.data, [argument, alloc.memref], [])
    Rewriter.insert_op([alloc, call], InsertPoint.at_start(entry.body.block))


def _copying(name: str, type: MemRefType) -> func.FuncOp:
    """A function that copies a whole tensor, as a task."""
    block = Block(arg_types=[type, type])
    block.args[0].name_hint, block.args[1].name_hint = "input", "output"
    dims = [AffineExpr.dimension(d) for d in range(len(type.get_shape()))]
    finish = Block(arg_types=[type.element_type])
    finish.args[0].name_hint = "value"
    finish.add_op(YieldOp(*finish.args))
    nest = NestOp(
        DimsAttr(tuple((f"i{d}", extent) for d, extent in enumerate(type.get_shape()))),
        DimsAttr(()),
        [],
        [[], [], [Access(block.args[0], tuple(dims))], [Access(block.args[1], tuple(dims))]],
        [Region(), Region(), Region(finish)],
    )
    block.add_ops([nest, func.ReturnOp()])
    function = func.FuncOp(name, ([type, type], []), Region(block), StringAttr("private"))
    nn_keys.COMMENT.put(function.attributes, "the input")
    return function

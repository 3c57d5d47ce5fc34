"""Copies in entry functions that move the bytes of one buffer to another."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.pool import keys
from ....targets.identifiers import UniqueNames


class Copies:
    """Makes copies for the entry functions of one module."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._made: dict[tuple[Attribute, Attribute], str] = {}
        """Functions that copy, by the types of source and target."""

    def of(self, call: func.CallOp, source: SSAValue, target: SSAValue) -> Operation:
        """Return the operation that copies `source` to `target` in the place of a call.

        A function that takes its input row by row does nothing but call operators, so that it can be left and entered
        between them: there the copy is a call.
        """
        entry = call.parent_op()
        assert isinstance(entry, func.FuncOp), "calls of entry functions are looked at"
        if not any(keys.STREAMED.within(given.data) for given in entry.arg_attrs or ()):
            return memref.CopyOp(source, target)
        types = source.type, target.type
        if types not in self._made:
            self._made[types] = self._function(entry, *types)
        return func.CallOp(self._made[types], [source, target], [])

    def _function(self, entry: func.FuncOp, source: Attribute, target: Attribute) -> str:
        taken = (name.data for op in self._module.ops if isinstance(name := op.properties.get("sym_name"), StringAttr))
        block = Block(arg_types=[source, target])
        block.args[0].name_hint, block.args[1].name_hint = "input", "output"
        block.add_ops([memref.CopyOp(*block.args), func.ReturnOp()])
        types = [source, target], []
        function = func.FuncOp(UniqueNames(taken).fresh("copy"), types, Region(block), StringAttr("private"))
        Rewriter.insert_op(function, InsertPoint.before(entry))
        return function.sym_name.data

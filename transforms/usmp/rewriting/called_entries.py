"""Entry functions that others of the module call too: what they do moves into a private function that all call.

So the application's inputs and outputs may become buffers, while callers in the module go on passing their own.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Region

from ....dialects.operations import all_of
from ..analysis.structure import entries, free_symbol

SUFFIX = "_body"


def split_called_entries(module: ModuleOp) -> None:
    """Leave of each called entry function only a call of a private one with its body."""
    calls = all_of(module, func.CallOp)
    for entry in entries(module):
        own = [call for call in calls if call.callee.string_value() == entry.sym_name.data]
        if own:
            _split(module, entry, own)


def _split(module: ModuleOp, entry: func.FuncOp, calls: list[func.CallOp]) -> None:
    public, private = entry.sym_name.data, free_symbol(module, entry.sym_name.data + SUFFIX)
    block = Block(arg_types=entry.function_type.inputs.data)
    for outer, inner in zip(block.args, entry.body.block.args, strict=True):
        outer.name_hint = inner.name_hint
    call = func.CallOp(private, block.args, entry.function_type.outputs.data)
    block.add_ops([call, func.ReturnOp(*call.results)])
    wrapper = func.FuncOp(
        public,
        entry.function_type,
        Region(block),
        entry.sym_visibility,
        arg_attrs=entry.arg_attrs,
        res_attrs=entry.res_attrs,
    )
    entry.properties |= {"sym_name": StringAttr(private), "sym_visibility": StringAttr("private")}
    for key in ("arg_attrs", "res_attrs"):
        entry.properties.pop(key, None)
    for other in calls:
        other.properties["callee"] = SymbolRefAttr(private)
    module.body.block.insert_op_after(wrapper, entry)

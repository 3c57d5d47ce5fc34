"""The pass `usmp-inputs`: what the application may rely on about the inputs that lie in the workspace.

A kept input still holds its values after the run. A double-buffered one has two slots: the run reads one of them while
the application fills the other. A callback tells when an input has been released, as `usmp-release-inputs` finds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
)
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ....dialects import nn_keys
from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....dialects.pool.keys import Side
from ....dialects.pool.kinds import BufferKind
from ..analysis.concurrency import shared_name
from ..analysis.sound import require_sound
from ..analysis.structure import buffer_name, entries

SLOTS = 2
"""Places of a double-buffered input."""


@dataclass(frozen=True)
class UsmpInputsPass(ModulePass):
    """Mark inputs as kept, give them two slots, name the callback."""

    name: ClassVar[str] = "usmp-inputs"

    keep: bool = False
    """Whether runs leave all inputs as they are."""
    double: bool = False
    """Whether inputs have two slots; what another model of a pipeline passes on has one."""
    callback: str = ""
    """The C function that is called with an input's number when its bytes may be refilled; none if empty."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        for entry in entries(op):
            inputs = [o for o in all_of(entry, memref.AllocOp) if keys.KIND.get(o.attributes) is BufferKind.INPUT]
            for alloc in inputs:
                if self.keep:
                    keys.KEEP.put(alloc.attributes, True)
                if self.double and shared_name(alloc) is None:
                    _give_slots(entry, alloc)
            if self.callback:
                keys.RELEASED_CALLBACK.put(entry.attributes, self.callback)


def _give_slots(entry: func.FuncOp, alloc: memref.AllocOp) -> None:
    """The function reads an argument; that is one of two buffers, which it does not touch."""
    block, number = entry.body.block, keys.INPUT.get(alloc.attributes)
    attributes = list(entry.arg_attrs or [DictionaryAttr({})] * len(block.args))
    argument = block.insert_arg(alloc.memref.type, len(block.args))
    argument.name_hint = alloc.memref.name_hint
    described: dict[str, Attribute] = {
        **keys.IO.item(Side.INPUT),
        **nn_keys.NAME.item(buffer_name(alloc)),
        **keys.SLOTS.item(True),
    }
    if number is not None:
        keys.INPUT.put(described, number)
    alloc.memref.replace_all_uses_with(argument)
    for slot in range(SLOTS):
        made = alloc.clone()
        made.attributes |= keys.KEEP.item(True) | keys.SLOT.item(slot)
        made.memref.name_hint = alloc.memref.name_hint
        block.insert_op_before(made, alloc)
    alloc.detach()
    alloc.erase()
    entry.properties["arg_attrs"] = ArrayAttr([*attributes, DictionaryAttr(described)])
    entry.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in block.args], entry.function_type.outputs.data
    )

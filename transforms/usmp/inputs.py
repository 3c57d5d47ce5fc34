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
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from .concurrency import shared_name
from .structure import buffer_name, entries, integer

SLOTS = 2
"""Places of a double-buffered input."""

KEEP, SLOT, OF_SLOTS, NUMBER = "pool.keep", "pool.slot", "pool.slots", "pool.input"
"""Of a buffer: its bytes stay as the application wrote them; which slot it is. Of an argument: it is given a slot.
Of both: the position among the model's inputs."""

CALLBACK = "pool.released_callback"
"""Of an entry function: the C function to call for each input that is released."""


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
        for entry in entries(op):
            inputs = [
                o
                for o in entry.walk()
                if isinstance(o, memref.AllocOp) and o.attributes.get("pool.kind") == StringAttr("input")
            ]
            for alloc in inputs:
                if self.keep:
                    alloc.attributes[KEEP] = UnitAttr()
                if self.double and shared_name(alloc) is None:
                    _give_slots(entry, alloc)
            if self.callback:
                entry.attributes[CALLBACK] = StringAttr(self.callback)


def _give_slots(entry: func.FuncOp, alloc: memref.AllocOp) -> None:
    """The function reads an argument; that is one of two buffers, which it does not touch."""
    block, number = entry.body.block, integer(alloc, NUMBER)
    attributes = list(entry.arg_attrs or [DictionaryAttr({})] * len(block.args))
    argument = block.insert_arg(alloc.memref.type, len(block.args))
    argument.name_hint = alloc.memref.name_hint
    described: dict[str, Attribute] = {
        "pool.io": StringAttr("input"),
        "nn.name": StringAttr(buffer_name(alloc)),
        OF_SLOTS: UnitAttr(),
    }
    if number is not None:
        described[NUMBER] = IntegerAttr(number, i64)
    alloc.memref.replace_all_uses_with(argument)
    for slot in range(SLOTS):
        made = alloc.clone()
        made.attributes |= {KEEP: UnitAttr(), SLOT: IntegerAttr(slot, i64)}
        made.memref.name_hint = alloc.memref.name_hint
        block.insert_op_before(made, alloc)
    alloc.detach()
    alloc.erase()
    entry.properties["arg_attrs"] = ArrayAttr([*attributes, DictionaryAttr(described)])
    entry.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in block.args], entry.function_type.outputs.data
    )


def is_kept(alloc: memref.AllocOp) -> bool:
    """Whether a run must leave the buffer as it is."""
    return KEEP in alloc.attributes


def is_slot(alloc: memref.AllocOp) -> bool:
    """Whether the buffer may be filled at any time, and so is nobody else's ever."""
    return SLOT in alloc.attributes

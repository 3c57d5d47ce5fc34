"""The pass `usmp-place-io`: where inputs and outputs will lie, said on the arguments of entry functions.

Passes that choose an order of operators ask it long before there are pools: memory of the caller takes nothing from
them, and what a run may not change is never free. `usmp-io-allocs` carries it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument
from xdsl.passes import ModulePass

from ....dialects import nn_keys
from ....dialects.pool import keys
from ....dialects.pool.keys import Side
from ..analysis.structure import entries
from ..analysis.uses import Writers


@dataclass(frozen=True)
class UsmpPlaceIoPass(ModulePass):
    """Mark arguments that stay the caller's, that runs leave as they are, and that have two slots."""

    name: ClassVar[str] = "usmp-place-io"

    tensors: tuple[str, ...] = ("all",)
    """Tensors in the workspace, as `tensors` of `usmp-io-allocs`; names that it does not know are refused there."""
    keep: bool = False
    """Whether runs leave all inputs in the workspace as they are, as `keep` of `usmp-inputs`."""
    double: bool = False
    """Whether inputs in the workspace have two slots, as `double` of `usmp-inputs`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        writers = Writers(op)
        for entry in entries(op):
            attributes = [dict(a.data) for a in entry.arg_attrs or [DictionaryAttr({})] * len(entry.body.block.args)]
            for argument, attribute in zip(entry.body.block.args, attributes, strict=True):
                tensor = IoTensor.of(argument, attribute, writers)
                if tensor is None or tensor.is_callers:
                    continue
                if not tensor.is_inside(self.tensors):
                    keys.CALLERS.put(attribute, True)
                elif tensor.side is Side.INPUT and self.double:
                    keys.SLOTS.put(attribute, True)
                elif tensor.side is Side.INPUT and self.keep:
                    keys.KEEP.put(attribute, True)
            _write(entry, attributes)


@dataclass(frozen=True)
class IoTensor:
    """An argument of an entry function that may become a buffer of the workspace."""

    side: Side
    name: str
    is_callers: bool
    """Whether it is said to stay memory of the caller."""

    @staticmethod
    def of(argument: BlockArgument, attributes: Mapping[str, Attribute], writers: Writers) -> IoTensor | None:
        """Read an argument; None where it is no tensor, or a pool."""
        if not isinstance(argument.type, MemRefType) or keys.POOL.within(attributes):
            return None
        side = keys.IO.get(attributes) or (Side.OUTPUT if writers.is_written(argument) else Side.INPUT)
        name = nn_keys.NAME.get(attributes) or argument.name_hint or f"argument_{argument.index}"
        is_callers = keys.STREAMED.within(attributes) or keys.CALLERS.within(attributes)
        return IoTensor(side, name, is_callers)

    def is_inside(self, tensors: tuple[str, ...]) -> bool:
        """Whether it is among `tensors` of `usmp-io-allocs`."""
        return not self.is_callers and bool({"all", f"{self.side.value}s", self.name} & {*tensors})


def _write(entry: func.FuncOp, attributes: list[dict[str, Attribute]]) -> None:
    if any(attributes):
        entry.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(each) for each in attributes)

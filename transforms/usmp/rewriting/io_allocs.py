"""The pass `usmp-io-allocs`: inputs and outputs of the entry function become buffers of the workspace.

An application then writes its input straight into the pool and reads the output from it; the planner uses the bytes of
an input again as soon as it is dead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ....dialects import nn_keys
from ....dialects.accesses import storage
from ....dialects.pool import keys
from ....dialects.pool.bytes import BytesOp
from ....dialects.pool.keys import Side
from ....dialects.pool.kinds import BufferKind
from ...byte_views import drop_unused, made_of_bytes
from ..analysis.sound import require_sound
from ..analysis.structure import entries
from ..analysis.uses import Writers
from .called_entries import split_called_entries
from .place_io import IoTensor

_CARRIED_OUT = (keys.CALLERS.name, keys.SLOTS.name)
"""Keys of `usmp-place-io` that hold for no buffer: slots are made by `usmp-inputs`."""


@dataclass(frozen=True)
class UsmpIoAllocsPass(ModulePass):
    """Turn arguments (and returned memrefs) of entry functions into allocs."""

    name: ClassVar[str] = "usmp-io-allocs"

    tensors: tuple[str, ...] = ("all",)
    """`all`, `none`, `inputs`, `outputs`, or names of tensors."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        for entry in entries(op):
            _number_inputs(entry)
        if self.tensors == ("none",):
            return
        split_called_entries(op)
        known: set[str] = set()
        for entry in entries(op):
            known |= _move_inside(op, entry, self.tensors)
        unknown = [t for t in self.tensors if t not in known and t not in ("all", "none", "inputs", "outputs")]
        if unknown:
            raise PassFailedException(
                f"no input or output is called '{unknown[0]}'; there are {', '.join(sorted(known))}"
            )


def _number_inputs(entry: func.FuncOp) -> None:
    """Write their position on the arguments that are declared to be inputs: they keep it wherever they go."""
    number, numbered = 0, [dict(attributes.data) for attributes in entry.arg_attrs or ()]
    for attributes in numbered:
        if keys.IO.get(attributes) is Side.INPUT:
            keys.INPUT.put(attributes, number)
            number += 1
    if number:
        entry.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(attributes) for attributes in numbered)


def _move_inside(module: ModuleOp, entry: func.FuncOp, tensors: tuple[str, ...]) -> set[str]:
    """Move the chosen tensors of one entry function; returns the names of all of them."""
    block = entry.body.block
    attributes = [dict(a.data) for a in entry.arg_attrs or [DictionaryAttr({})] * len(block.args)]
    kept: list[DictionaryAttr] = []
    made: list[memref.AllocOp] = []
    known: set[str] = set()
    writers, first = Writers(module), block.first_op
    assert first is not None, "a function's body ends with a return"
    for argument, attribute in zip(list(block.args), attributes, strict=True):
        tensor = IoTensor.of(argument, attribute, writers)
        if tensor is None:
            kept.append(DictionaryAttr(attribute))
            continue
        known.add(tensor.name)
        attribute = {k: v for k, v in attribute.items() if k not in _CARRIED_OUT}
        if not tensor.is_inside(tensors):
            kept.append(DictionaryAttr(attribute | keys.IO.item(tensor.side) | nn_keys.NAME.item(tensor.name)))
            continue
        assert isinstance(argument.type, MemRefType), "tensors are memrefs"
        alloc = memref.AllocOp([], [], argument.type)
        alloc.attributes |= {k: v for k, v in attribute.items() if k != keys.IO.name}
        alloc.attributes |= keys.KIND.item(BufferKind(tensor.side.value)) | keys.NAME.item(tensor.name)
        alloc.memref.name_hint = argument.name_hint
        block.insert_op_before(alloc, first)
        argument.replace_all_uses_with(alloc.memref)
        block.erase_arg(argument)
        made.append(alloc)
    for alloc in made:
        _make_of_bytes(alloc, block)
    results = _release_results(entry, tensors, known)
    entry.properties["arg_attrs"] = ArrayAttr(kept)
    entry.properties["function_type"] = FunctionType.from_lists([a.type for a in block.args], results)
    return known


def _make_of_bytes(alloc: memref.AllocOp, block: Block) -> None:
    """If somebody asks for the bytes of a buffer, it is a buffer of bytes."""
    asked = [use.operation for use in alloc.memref.uses if isinstance(use.operation, BytesOp)]
    if asked:
        bytes_ = made_of_bytes(alloc)
        for op in asked:
            Rewriter.replace_op(op, [], [bytes_])
        Rewriter.erase_op(alloc)
        drop_unused(block, memref.ViewOp, arith.ConstantOp)


def _release_results(entry: func.FuncOp, tensors: tuple[str, ...], known: set[str]) -> list[Attribute]:
    """Mark returned buffers as outputs instead of returning them; gives the result types that stay."""
    terminator = entry.body.block.last_op
    assert isinstance(terminator, func.ReturnOp), "a function's body ends with a return"
    kept: list[SSAValue] = []
    for number, value in enumerate(terminator.operands):
        root = storage(value)
        name = f"result_{number}"
        if not isinstance(value.type, MemRefType) or not {"all", "outputs", name} & set(tensors):
            kept.append(value)
            continue
        if not isinstance(root.owner, memref.AllocOp):
            raise PassFailedException(f"@{entry.sym_name.data}: result {number} is no buffer of the function")
        known.add(name)
        if not keys.NAME.within(root.owner.attributes):
            keys.NAME.put(root.owner.attributes, root.name_hint or name)
        keys.KIND.put(root.owner.attributes, BufferKind.OUTPUT)
    if len(kept) != len(terminator.operands):
        block = entry.body.block
        block.insert_op_before(func.ReturnOp(*kept), terminator)
        terminator.detach()
        terminator.erase()
        entry.properties.pop("res_attrs", None)
    return [value.type for value in kept]

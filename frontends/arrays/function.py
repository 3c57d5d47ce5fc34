"""The function of a network as a module of its own."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects import nn_keys
from ...targets.identifiers import identifier
from ..emission import erase_unused
from .body import Operand
from .scale import as_f32


def module_of(name: str, source: Block, inputs: Mapping[str, Operand], outputs: Mapping[str, Operand]) -> ModuleOp:
    """A module with one public function on tensors.

    Args:
        name: the function's, before it becomes an identifier.
        source: the operations, which are copied.
        inputs: by name, in the order of the block's arguments.
        outputs: by name, in their order.
    """
    mapping: dict[SSAValue, SSAValue] = {}
    block = Block(arg_types=[argument.type for argument in source.args])
    mapping.update(zip(source.args, block.args, strict=True))
    for argument, input in zip(block.args, inputs, strict=True):
        argument.name_hint = identifier(input)
    for op in source.ops:
        block.add_op(op.clone(value_mapper=mapping))
    returned = [mapping[tensor.value] for tensor in outputs.values()]
    block.add_op(ReturnOp(*returned))
    types = [argument.type for argument in block.args], [value.type for value in returned]
    function = FuncOp(identifier(name), types, Region(block))
    function.arg_attrs = _attributes(inputs)
    function.res_attrs = _attributes(outputs)
    erase_unused(function)
    module = ModuleOp([function])
    module.verify()
    return module


def _attributes(tensors: Mapping[str, Operand]) -> ArrayAttr[DictionaryAttr]:
    """Names, and scales of int8 elements."""
    found: list[DictionaryAttr] = []
    for name, tensor in tensors.items():
        items = nn_keys.NAME.item(name)
        if tensor.scale is not None:
            nn_keys.SCALE.put(items, [as_f32(tensor.scale.scale)])
            nn_keys.ZERO_POINT.put(items, [tensor.scale.zero_point])
        found.append(DictionaryAttr(items))
    return ArrayAttr(found)

"""A program that runs one function of a network: its operands come from the caller, its constants are the network's."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, MemRefType, ModuleOp, NoneAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects import nn_keys
from ..dialects.pool import keys
from ..dialects.pool.keys import Side
from ..dialects.pool.kinds import BufferKind
from ..transforms.usmp.analysis.uses import Writers

ENTRY = "task"
"""The name of the program."""


class NoProgram(Exception):
    """A call cannot stand in a program of its own; says why."""


def program_of(module: ModuleOp, call: func.CallOp) -> ModuleOp:
    """A module with the function that a call calls, all that it needs, and an entry with that call alone.

    Buffers that are written become outputs, others inputs; what keeps state is a part of the program.

    Raises:
        NoProgram: an operand is no buffer of a plain layout and no constant.
    """
    block = Block()
    values: dict[SSAValue, SSAValue] = {}
    for operand in dict.fromkeys(call.operands):
        owner = operand.owner
        if isinstance(owner, memref.GetGlobalOp | arith.ConstantOp) or _keeps_state(owner):
            assert isinstance(owner, Operation), "it is one of these"
            block.add_op(copy := owner.clone())
            values[operand] = copy.results[0]
        elif isinstance(operand.type, MemRefType) and isinstance(operand.type.layout, NoneAttr):
            values[operand] = block.insert_arg(operand.type, len(block.args))
            values[operand].name_hint = operand.name_hint
        else:
            raise NoProgram(f"it is called with a value of type {operand.type}")
    block.add_ops([call.clone(values), func.ReturnOp()])
    types = FunctionType.from_lists(list(block.arg_types), [])
    entry = func.FuncOp(ENTRY, types, Region(block), visibility="public")
    needed = dict.fromkeys(_needed(module, call))
    made = ModuleOp([*(op.clone() for op in module.ops if op in needed), entry])
    writers = Writers(made)
    told = [
        keys.IO.item(Side.OUTPUT if writers.is_written(argument) else Side.INPUT)
        | nn_keys.NAME.item(f"operand_{argument.index}")
        for argument in block.args
    ]
    entry.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(one) for one in told)
    return made


def _keeps_state(owner: object) -> bool:
    return isinstance(owner, memref.AllocOp) and keys.KIND.get(owner.attributes) is BufferKind.STATE


def _needed(module: ModuleOp, call: func.CallOp) -> Iterator[Operation]:
    """Operations that a call and its operands name, and those that these name in turn."""
    symbols: dict[str, Operation] = {}
    for op in module.ops:
        if isinstance(op, func.FuncOp | memref.GlobalOp):
            symbols[op.sym_name.data] = op
    waiting = [call.callee.string_value()]
    waiting += [one.owner.name_.string_value() for one in call.operands if isinstance(one.owner, memref.GetGlobalOp)]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in symbols:
            continue
        seen.add(name)
        yield symbols[name]
        for op in symbols[name].walk():
            if isinstance(op, func.CallOp):
                waiting.append(op.callee.string_value())
            elif isinstance(op, memref.GetGlobalOp):
                waiting.append(op.name_.string_value())

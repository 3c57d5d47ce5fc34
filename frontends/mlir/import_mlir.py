"""A module of functions on memrefs as a model: its public function takes inputs and outputs as arguments.

Buffers that the function returns, and scalars, become arguments too, as an application passes them.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects import nn_keys
from ...dialects.pool import keys
from ...errors import InputError, UsageError
from .diagnostics import is_of_input, one_line
from .parser import LocatedParser
from .verify import verify


def parse(ctx: Context, data: bytes, source: str) -> ModuleOp:
    """Read and verify a module.

    Raises:
        InputError: it is malformed; says where.
    """
    parser: LocatedParser | None = None
    try:
        parser = LocatedParser(ctx, data, source)
        module = parser.parse_module()
        verify(module)
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 at byte {error.start}") from error
    except (ParseError, DiagnosticException) as error:
        failed: Exception = error
    except Exception as error:
        # Some verifiers and parsers of xDSL raise what their authors had at hand.
        if not (parser is not None and parser.reading is not None) and not is_of_input(error):
            raise
        failed = error
    else:
        return module
    reading = None if parser is None else parser.reading
    raise InputError(one_line(failed, reading).replace(": error: ", ": ", 1).removeprefix("error: ")) from failed


def public_functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions that an application could call."""
    return [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and not op.is_declaration
        and (op.sym_visibility is None or op.sym_visibility.data != "private")
    ]


def choose_entry(module: ModuleOp, source: str, entry: str | None) -> func.FuncOp:
    """The function that is the model; the other public ones become private.

    Raises:
        InputError: there is no public function.
        UsageError: there is none of this name, or there are several and none is named.
    """
    functions = {function.sym_name.data: function for function in public_functions(module)}
    if not functions:
        raise InputError(f"{source}: no public func.func with a body, which could be the model")
    if entry is None and len(functions) > 1:
        raise UsageError(
            f"{source}: several public functions: {', '.join(functions)}", remedy="choose one with --signature"
        )
    name = entry or next(iter(functions))
    if name not in functions:
        raise UsageError(f"{source}: no public function '{name}'", remedy=f"there are {', '.join(functions)}")
    for function in functions.values():
        if function.sym_name.data != name:
            function.properties["sym_visibility"] = StringAttr("private")
    _drop_unused(module, functions[name])
    return functions[name]


def _drop_unused(module: ModuleOp, entry: func.FuncOp) -> None:
    """Take private functions and globals out that the entry does not reach: they belong to other models."""
    symbols = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp | memref.GlobalOp)}
    reached, waiting = {entry.sym_name.data}, [entry.sym_name.data]
    while waiting:
        for op in symbols[waiting.pop()].walk():
            match op:
                case func.CallOp():
                    name = op.callee.string_value()
                case memref.GetGlobalOp():
                    name = op.name_.string_value()
                case _:
                    continue
            if name in symbols and name not in reached:
                reached.add(name)
                waiting.append(name)
    for name, op in symbols.items():
        if name not in reached:
            op.detach()
            op.erase(safe_erase=False)


def is_of_tensors(function: func.FuncOp) -> bool:
    """Whether a function is at level `nn`, from where the model is lowered as any other."""
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return any(isinstance(type_, TensorType) for type_ in types)


def results_to_arguments(function: func.FuncOp, source: str) -> None:
    """Make further arguments of what the function returns; scalar arguments become memrefs of one element, of i32 where
    they are of type index.

    Raises:
        InputError: a type has no place in memory.
    """
    block = function.body.block
    attributes = [dict(a.data) for a in function.arg_attrs or [DictionaryAttr({})] * len(block.args)]
    for argument in list(block.args):
        if not isinstance(argument.type, MemRefType):
            _scalar_in_memory(argument)
    ending = block.last_op
    assert isinstance(ending, func.ReturnOp), "verified: a function ends in func.return"
    given = [dict(a.data) for a in function.res_attrs or [DictionaryAttr({})] * len(ending.operands)]
    for number, (value, own) in enumerate(zip(list(ending.operands), given, strict=True)):
        name = nn_keys.NAME.get(own) or f"result_{number}"
        attributes.append(own | nn_keys.NAME.item(name) | keys.IO.item(keys.Side.OUTPUT))
        _result_in_memory(value, ending)
    if ending.operands:
        block.insert_op_before(func.ReturnOp(), ending)
        ending.detach()
        ending.erase()
    function.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(entry) for entry in attributes)
    function.properties.pop("res_attrs", None)
    function.properties["function_type"] = FunctionType.from_lists([a.type for a in block.args], [])
    for argument in block.args:
        assert isinstance(argument.type, MemRefType), "all arguments are in memory by now"
        if not argument.type.has_static_shape():
            raise InputError(f"{source}: argument {argument.index} of @{function.sym_name.data} has a dynamic shape")


def _scalar_in_memory(argument: BlockArgument) -> None:
    block = argument.block
    first = block.first_op
    assert first is not None, "verified: a block ends in a terminator"
    place = block.insert_arg(MemRefType(_stored(argument.type), []), argument.index)
    place.name_hint = argument.name_hint
    load = memref.LoadOp.get(place, [])
    block.insert_op_before(load, first)
    value = load.res
    if value.type != argument.type:
        cast = arith.IndexCastOp(value, argument.type)
        block.insert_op_before(cast, first)
        value = cast.result
    argument.replace_all_uses_with(value)
    block.erase_arg(argument)


def _stored(scalar: Attribute) -> Attribute:
    """The type of a scalar in memory: an index is int32_t in C."""
    return i32 if isinstance(scalar, IndexType) else scalar


def _result_in_memory(value: SSAValue, ending: func.ReturnOp) -> None:
    block = ending.parent_block()
    assert block is not None, "the return stands in the function"
    if not isinstance(value.type, MemRefType):
        stored = _stored(value.type)
        place = block.insert_arg(MemRefType(stored, []), len(block.args))
        if stored != value.type:
            cast = arith.IndexCastOp(value, stored)
            block.insert_op_before(cast, ending)
            value = cast.result
        block.insert_op_before(memref.StoreOp.get(value, place, []), ending)
        return
    place = block.insert_arg(value.type, len(block.args))
    owner = value.owner
    once = sum(use.operation is ending for use in value.uses) == 1
    if isinstance(owner, memref.AllocOp) and owner.parent_block() is block and once:
        value.replace_all_uses_with(place)
        owner.detach()
        owner.erase()
        # The return still names the argument; it goes away with the others.
        return
    block.insert_op_before(memref.CopyOp(value, place), ending)

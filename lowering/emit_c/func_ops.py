"""The `func` dialect: functions, calls and returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, MemRefType, ModuleOp, f32, f64
from xdsl.ir import Attribute, Block, Region, SSAValue, TypeAttribute
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc, nn_keys, task_keys
from ...dialects.func_keys import NO_INLINE
from ...dialects.operations import all_of
from ...dialects.pool import keys
from ...targets.identifiers import library
from .builder import Builder
from .comments import put_comment, put_text
from .hints import specifiers
from .lowering import Lowering, Patterns
from .module import Symbols
from .operator_comment import operator_comment
from .types import c_type, is_const_pointer, pointer

_SAID = (nn_keys.BAND, nn_keys.COMMENT, nn_keys.ORIGIN, nn_keys.POSITIONS, nn_keys.REMARK, keys.LEAD)
CONSUMED = tuple(key.name for key in (NO_INLINE, task_keys.SCHEDULED, *_SAID))
"""Attributes that say nothing more about the C. MLIR's own tools, which know neither dialect, could not parse them."""


def lower_function(op: func.FuncOp, symbols: Symbols, patterns: Patterns) -> tuple[emitc.FuncOp, set[str]]:
    """The function in C, and the headers that it needs.

    Private functions become static, declarations extern. Memrefs become pointers to their first element, `const` where
    nothing is written through them.
    """
    name = symbols.names[op.sym_name.data]
    outputs = [_border_type(type) for type in op.function_type.outputs]
    if len(outputs) > 1:
        raise PassFailedException(
            f"'{op.name}' op @{op.sym_name.data} has {len(outputs)} results: C allows one; memrefs become parameters "
            "with mlir-opt's buffer-results-to-out-params{modify-public-functions=1}"
        )
    if not op.body.blocks:
        _require_own_name(op, name)
        inputs = [_border_type(type) for type in op.function_type.inputs]
        return _make(op, name, inputs, outputs, Region(), ("extern",)), set()
    if len(op.body.blocks) > 1:
        raise PassFailedException(f"'{op.name}' op @{op.sym_name.data} has several blocks: use scf for control flow")

    source = op.body.block
    block = Block()
    at = Lowering(Builder(block), symbols, patterns)
    for argument in source.args:
        at.define(argument, block.insert_arg(at.type(argument), len(block.args)))
    private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    if not private and name != op.sym_name.data:
        reason = ": C has another use for this name" if name == f"{op.sym_name.data}_" else ""
        put_text(f"@{op.sym_name.data} of the module{reason}", at)
    put_comment(op, at)
    terminator = at.lower_block(source)
    at.build.add(emitc.ReturnOp(*(at.value(operand) for operand in terminator.operands)))

    inputs = [argument.type for argument in block.args]
    visibility = ("static",) if private else ()
    return _make(op, name, inputs, outputs, Region(block), (*specifiers(op), *visibility)), at.build.includes


def _require_own_name(op: func.FuncOp, name: str) -> None:
    """Refuse another declaration of a function that C has already, which compilers warn of."""
    if name not in library.FUNCTIONS:
        return
    real, types = f32 if library.takes_float(name) else f64, op.function_type
    if (*types.inputs, *types.outputs) != (real,) * ((library.reals_of(name) or 0) + 1) or library.reals_of(
        name
    ) is None:
        raise PassFailedException(
            f"'{op.name}' op @{op.sym_name.data} is a function of the C library, of another type than {types}: "
            "give the declared function another name"
        )


def _make(
    op: func.FuncOp,
    name: str,
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
    body: Region,
    before: Sequence[str],
) -> emitc.FuncOp:
    arg_attrs = op.arg_attrs and ArrayAttr(DictionaryAttr(_lasting(attributes.data)) for attributes in op.arg_attrs)
    made = emitc.FuncOp(name, FunctionType.from_lists(inputs, outputs), body, specifiers=before, arg_attrs=arg_attrs)
    made.attributes.update(_lasting(op.attributes))
    return made


def _lasting(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {key: value for key, value in attributes.items() if key not in CONSUMED}


def _border_type(type: Attribute) -> TypeAttribute:
    """Type of something that crosses a border at which nothing is known of writes."""
    if isinstance(type, MemRefType):
        return pointer(c_type(type.element_type), const=False)
    return c_type(type)


def use_arguments(function: emitc.FuncOp) -> None:
    """`(void)x;` for every argument without a use, which compilers warn of."""
    block = function.body.block
    unused = [argument for argument in block.args if not argument.uses]
    place = block.first_op
    assert place is not None, "a function ends in a return"
    if isinstance(place, emitc.VerbatimOp) and place.next_op is not None:
        place = place.next_op
    block.insert_ops_before([emitc.VerbatimOp("(void){};", [argument]) for argument in unused], place)


def callees_first(module: ModuleOp) -> list[func.FuncOp]:
    """The functions in an order in which C needs no declarations; otherwise that of the module.

    Raises PassFailedException for recursion, which the C code must not have.
    """
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    calls = {name: [call.callee.string_value() for call in all_of(op, func.CallOp)] for name, op in functions.items()}
    ordered: list[func.FuncOp] = []
    state: dict[str, str] = {}
    for root in functions:
        stack = [(root, iter(calls[root]))] if root not in state else []
        while stack:
            name, rest = stack[-1]
            state[name] = "open"
            callee = next((callee for callee in rest if callee in functions and state.get(callee) != "done"), None)
            if callee is None:
                stack.pop()
                state[name] = "done"
                ordered.append(functions[name])
            elif state.get(callee) == "open":
                raise PassFailedException(f"'func.func' op @{callee} calls itself: recursion cannot be lowered to C")
            else:
                stack.append((callee, iter(calls[callee])))
    return ordered


def _call(op: func.CallOp, at: Lowering) -> None:
    build, symbols = at.build, at.symbols
    callee = op.callee.string_value()
    parameters = symbols.parameters.get(callee)
    if parameters is None:
        raise PassFailedException(f"'{op.name}' op symbol @{callee} is not a function of this module")
    put_comment(op, at, operator_comment(op, [is_const_pointer(parameter) for parameter in parameters]))
    arguments: list[SSAValue] = []
    for operand, parameter in zip(op.arguments, parameters, strict=True):
        argument = at.value(operand)
        # The only cast that this can be adds `const` to the pointee.
        arguments.append(build.cast(argument, parameter))
    call = build.add(emitc.CallOp(symbols.names[callee], arguments, [at.type(result) for result in op.res]))
    call.attributes.update(_lasting(op.attributes))
    for result, value in zip(op.res, call.results, strict=True):
        at.define(result, value)


PATTERNS: Patterns = {func.CallOp: _call}

"""Functions that differ in constants alone become one, which takes these as arguments: code for speed.

Functions are merged whose operations are the same, in the same order, on values that correspond, as LLVM's IROutliner
and Swift's merge-functions pass do it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, IntegerType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ...dialects import emitc
from ...dialects.operations import all_of
from .even_out import even_out, put_back

MERGED = "merged"
"""Attribute of a function: the names of those that became it, beside its own."""
_FIXED: dict[type[Operation], tuple[int, ...]] = {emitc.DivOp: (1,), emitc.RemOp: (1,), emitc.ForOp: (2,)}
"""Operands that stay constants: divisors, for which compilers have shorter code than a division, and steps of loops."""
_BYTES_OF_OPERATION = 3
"""Estimated bytes of code of an operation."""
_BYTES_OF_ARGUMENT = 6
"""To pass one, and to fetch it."""

_Key: TypeAlias = tuple[Hashable, ...]


@dataclass
class _Member:
    """A function taken apart: what must be the same in others, and the constants that may differ."""

    function: emitc.FuncOp
    key: _Key = ()
    operations: int = 0
    slots: list[tuple[Operation, int, IntegerAttr]] = field(default_factory=list)
    """Uses of constants: operation, number of the operand, value; in order."""

    @staticmethod
    def of(function: emitc.FuncOp) -> _Member:
        member = _Member(function)
        numbers: dict[SSAValue, int] = {}
        rest = {name: value for name, value in function.properties.items() if name != "sym_name"}
        member.key = (
            tuple(sorted(rest.items())),
            tuple(sorted((name, value) for name, value in function.attributes.items() if name != MERGED)),
            *member._region(function.body, numbers),
        )
        return member

    def _region(self, region: Region, numbers: dict[SSAValue, int]) -> Iterator[Hashable]:
        for block in region.blocks:
            for argument in block.args:
                numbers[argument] = len(numbers)
            yield tuple(argument.type for argument in block.args)
            for op in block.ops:
                if _constant(op) is None and not _is_comment(op):
                    yield self._operation(op, numbers)

    def _operation(self, op: Operation, numbers: dict[SSAValue, int]) -> _Key:
        self.operations += 1
        operands: list[Hashable] = []
        for number, operand in enumerate(op.operands):
            constant = None if isinstance(operand, BlockArgument) else _constant(operand.owner)
            if constant is None:
                operands.append(numbers[operand])
            elif not _is_word(constant) or number in _FIXED.get(type(op), ()):
                operands.append(constant)
            else:
                operands.append(constant.type)
                self.slots.append((op, number, constant))
        for result in op.results:
            numbers[result] = len(numbers)
        regions = tuple(tuple(self._region(region, numbers)) for region in op.regions)
        results = tuple(result.type for result in op.results)
        said = (*sorted(op.properties.items()), *sorted(op.attributes.items()))
        return op.name, tuple(operands), results, said, regions


def share_functions(functions: Sequence[emitc.FuncOp]) -> list[emitc.FuncOp]:
    """Merge static functions that differ in constants of 32 bits alone, where that makes less code.

    Args:
        functions: all of a module, before expressions are formed; callees first.

    Returns:
        Those that are left, in the same order. Calls name the first of several, with its constants as last arguments.
    """
    static = [function for function in functions if function.body.blocks and _is_static(function)]
    for function in static:
        even_out(function)
    left, alike = list(functions), list(static)
    # Callers of functions that became one may be alike now.
    while gone := _merge_alike(alike, left):
        left = [function for function in left if function not in gone]
        static = [function for function in static if function not in gone]
        alike = [function for function in static if _calls(function)]
    for function in static:
        put_back(function)
    return left


def _merge_alike(static: Sequence[emitc.FuncOp], functions: Sequence[emitc.FuncOp]) -> set[emitc.FuncOp]:
    """Merge functions that differ in constants alone, once; those that are gone."""
    groups: dict[_Key, list[_Member]] = {}
    for function in static:
        member = _Member.of(function)
        groups.setdefault(member.key, []).append(member)
    calls: dict[str, list[emitc.CallOp]] = {}
    for function in functions:
        for op in _calls(function):
            calls.setdefault(op.callee.string_value(), []).append(op)
    gone: set[emitc.FuncOp] = set()
    for members in groups.values():
        if len(members) > 1:
            gone |= _merge(members, calls)
    for function in gone:
        function.erase()
    return gone


def _calls(function: emitc.FuncOp) -> list[emitc.CallOp]:
    return all_of(function, emitc.CallOp)


def _merge(members: Sequence[_Member], calls: dict[str, list[emitc.CallOp]]) -> set[emitc.FuncOp]:
    """Make one function of several; returns those that are not needed any more."""
    first, *others = members
    values = list(zip(*([value for _, _, value in member.slots] for member in members), strict=True))
    differing = list(dict.fromkeys(each for each in values if len(set(each)) > 1))
    sites = [calls.get(_name(member.function), []) for member in members]
    passed = len(differing) * (1 + sum(map(len, sites)))
    if len(others) * first.operations * _BYTES_OF_OPERATION <= passed * _BYTES_OF_ARGUMENT:
        return set()
    block = first.function.body.block
    arguments: dict[tuple[IntegerAttr, ...], SSAValue] = {}
    for each in differing:
        arguments[each] = block.insert_arg(each[0].type, len(block.args))
    for (op, number, _), each in zip(first.slots, values, strict=True):
        if each in arguments:
            argument, constant = arguments[each], op.operands[number]
            argument.name_hint = argument.name_hint or _hint(op, number)
            op.operands[number] = argument
            if constant.first_use is None and isinstance(constant, OpResult):
                Rewriter.erase_op(constant.op)
    for argument in arguments.values():
        argument.name_hint = argument.name_hint or "constant"
    kind = first.function.function_type
    first.function.function_type = FunctionType.from_lists(
        [argument.type for argument in block.args], kind.outputs.data
    )
    _tell(first, others, block)
    for number, own in enumerate(sites):
        for call in own:
            made = [emitc.ConstantOp(each[number], each[number].type) for each in differing]
            Rewriter.insert_op(made, InsertPoint.before(call))
            call.operands = [*call.operands, *(op.result for op in made)]
            call.properties["callee"] = SymbolRefAttr(_name(first.function))
    names = [*_merged(first.function)]
    for member in others:
        names += [_name(member.function), *_merged(member.function)]
    first.function.attributes[MERGED] = ArrayAttr(map(StringAttr, names))
    return {member.function for member in others}


def merged_functions(module: ModuleOp) -> dict[str, str]:
    """Return, for each function that was merged into another, the name of that one."""
    functions = [op for op in module.ops if isinstance(op, emitc.FuncOp)]
    return {name: _name(function) for function in functions for name in _merged(function)}


def _merged(function: emitc.FuncOp) -> list[str]:
    """The names of those that became it."""
    names = function.attributes.get(MERGED)
    return [name.data for name in names.data] if isa(names, ArrayAttr[StringAttr]) else []


def _tell(first: _Member, others: Sequence[_Member], block: Block) -> None:
    """Let the first function say what the others said of themselves."""
    own = _comments(first.function)
    last = own[-1] if own else None
    for member in others:
        for comment in _comments(member.function):
            point = InsertPoint.at_start(block) if last is None else InsertPoint.after(last)
            last = emitc.VerbatimOp(comment.value.data)
            Rewriter.insert_op(last, point)


def _comments(function: emitc.FuncOp) -> list[emitc.VerbatimOp]:
    """Return the comments of a function on itself, in front of its first operation."""
    first = takewhile(_is_comment, function.body.block.ops)
    return [op for op in first if isinstance(op, emitc.VerbatimOp)]


def _is_comment(op: Operation) -> bool:
    return isinstance(op, emitc.VerbatimOp) and not op.operands and op.value.data.startswith("/*")


def _hint(op: Operation, number: int) -> str | None:
    """A name for a constant: for bounds that of the loop's counter."""
    if isinstance(op, emitc.ForOp) and number == 1:
        counter = op.body.block.args[0].name_hint
        return counter and f"{counter}_count"
    return None


def _constant(op: Operation | Block) -> IntegerAttr | None:
    if isinstance(op, emitc.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value
    return None


def _is_word(constant: IntegerAttr) -> bool:
    """Whether a C function takes it in a register of 32 bits, whatever its sign."""
    return isinstance(constant.type, IntegerType) and constant.type.width.data == 32


def _is_static(function: emitc.FuncOp) -> bool:
    return function.specifiers is not None and StringAttr("static") in function.specifiers.data


def _name(function: emitc.FuncOp) -> str:
    return function.sym_name.data

"""Operations on lanes and on sixteen bytes become calls of functions that `lane_functions` has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IntegerType, MemRefType, i8, i32
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd import LanesOfOp, function_of
from ...dialects.simd.dots import SumProductsOp, SumWindowOp
from ...dialects.simd.lanes import SixteenOfOp
from ...dialects.simd.moves import LoadLanesOp, LoadSixteenOp, StoreLanesOp, StoreSixteenOp
from .c_function import Instruction, call, pointers
from .lane_functions import (
    BYTES,
    FOUR,
    HEADER,
    LANES_OF,
    LANEWISE,
    SIXTEEN_OF,
    SUM_PRODUCTS,
    Vector,
    sum_window,
)
from .lowering import Lowering, Patterns
from .types import c_type

_Move = LoadLanesOp | StoreLanesOp | LoadSixteenOp | StoreSixteenOp
_MOVES: Mapping[type[Operation], Vector] = {
    LoadLanesOp: FOUR,
    StoreLanesOp: FOUR,
    LoadSixteenOp: BYTES,
    StoreSixteenOp: BYTES,
}
"""The vector that an operation loads or stores."""
_SAME: Mapping[type[Operation], Instruction] = {
    **LANEWISE,
    LanesOfOp: LANES_OF,
    SixteenOfOp: SIXTEEN_OF,
    SumProductsOp: SUM_PRODUCTS,
}
"""Functions that are the same for all operations of a class."""


def _is_part(op: _Move) -> bool:
    return op.count.value.data < _MOVES[type(op)].count


def _function(op: Operation) -> tuple[str, Instruction] | None:
    """The name and the definition of the function that computes an operation; None if it is none on vectors."""
    kind, name = type(op), function_of(op)
    if kind in _SAME:
        return name, _SAME[kind]
    if isinstance(op, SumWindowOp):
        rows, columns = op.extents.get_values()
        return f"{name}_{rows}x{columns}", sum_window(rows, columns)
    if kind not in _MOVES:
        return None
    assert isinstance(op, _Move), "a class of the table"
    vector, is_part, unsigned = _MOVES[kind], _is_part(op), isinstance(op, LoadLanesOp) and op.unsigned is not None
    type_in_memory = op.memref.type.element_type if isinstance(op.memref.type, MemRefType) else None
    assert isinstance(type_in_memory, IntegerType), "verified"
    bits = type_in_memory.width.data
    name += (f"_{'u' if unsigned else 'i'}{bits}" if vector is FOUR else "") + ("_part" if is_part else "")
    if isinstance(op, LoadLanesOp | LoadSixteenOp):
        return name, vector.load(bits, unsigned=unsigned, is_part=is_part)
    return name, vector.store(bits, is_part=is_part)


def used(module: Operation) -> dict[str, Instruction]:
    """Return the functions that the module's operations need, by name, in alphabetical order."""
    found = dict(function for op in operations(module) if (function := _function(op)) is not None)
    return dict(sorted(found.items()))


def definitions(instructions: Mapping[str, Instruction]) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    texts = [instruction.definition(name, "STILLPOOL_MVE") for name, instruction in instructions.items()]
    return [emitc.VerbatimOp(text) for text in ([HEADER, *texts] if texts else [])]


def _call(op: Operation, operands: Sequence[SSAValue], at: Lowering) -> None:
    found = _function(op)
    assert found is not None, "an operation on vectors"
    if op.results:
        at.define(op.results[0], at.build.call(found[0], operands, c_type(op.results[0].type)))
    else:
        call(at, found[0], *operands)


def _values(op: Operation, at: Lowering) -> None:
    _call(op, [at.value(operand) for operand in op.operands], at)


def _sixteen_of(op: SixteenOfOp, at: Lowering) -> None:
    _call(op, [at.build.constant(op.byte.value.data, i8)], at)


def _memory(op: _Move, at: Lowering) -> None:
    operands = pointers(op, at)
    if isinstance(op, StoreLanesOp | StoreSixteenOp):
        operands.append(at.value(op.value))
    if _is_part(op):
        operands.append(at.build.constant(op.count.value.data, i32))
    _call(op, operands, at)


def _sum_products(op: SumProductsOp, at: Lowering) -> None:
    bytes, weights = pointers(op, at)
    count = at.build.constant(op.count.value.data, i32)
    _call(op, [bytes, count, weights, *(at.value(start) for start in op.starts)], at)


def _sum_window(op: SumWindowOp, at: Lowering) -> None:
    elements, weights = pointers(op, at)
    row, column = (at.build.constant(step, i32) for step in op.steps.get_values())
    _call(op, [elements, row, column, weights, at.value(op.sum)], at)


PATTERNS: Patterns = {
    **dict.fromkeys([*LANEWISE, LanesOfOp], _values),
    **dict.fromkeys(_MOVES, _memory),
    SixteenOfOp: _sixteen_of,
    SumProductsOp: _sum_products,
    SumWindowOp: _sum_window,
}
"""Patterns of operations that are functions of vectors, or touch memory for them."""

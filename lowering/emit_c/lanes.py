"""Operations on lanes and on sixteen bytes become calls of functions that `lane_functions` has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IntegerType, MemRefType, i8, i32
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd import LANES, SIXTEEN, LanesOfOp, function_of
from ...dialects.simd.lane_memory import LoadLanesOp, StoreLanesOp, SumWindowOp
from ...dialects.simd.sixteen import LoadSixteenOp, SixteenOfOp, StoreSixteenOp, SumProductsOp
from .c_function import Instruction, call, pointers
from .lane_functions import (
    HEADER,
    LANES_OF,
    LANEWISE,
    SIXTEEN_OF,
    SUM_PRODUCTS,
    load,
    load_sixteen,
    store,
    store_sixteen,
    sum_window,
)
from .lowering import Lowering, Patterns
from .types import c_type


def _element_bits(op: LoadLanesOp | StoreLanesOp) -> int:
    type = op.memref.type
    assert isinstance(type, MemRefType), "verified"
    element = type.element_type
    assert isinstance(element, IntegerType), "verified"
    return element.width.data


def _is_part(op: LoadLanesOp | StoreLanesOp | LoadSixteenOp | StoreSixteenOp) -> bool:
    return op.count.value.data < (LANES if isinstance(op, LoadLanesOp | StoreLanesOp) else SIXTEEN)


def _function(op: Operation) -> tuple[str, Instruction] | None:
    """The name and the definition of the function that computes an operation; None if it is none on vectors."""
    name = function_of(op)
    match op:
        case LoadLanesOp():
            bits, unsigned = _element_bits(op), op.unsigned is not None
            name = f"{name}_{'u' if unsigned else 'i'}{bits}{'_part' if _is_part(op) else ''}"
            return name, load(bits, unsigned=unsigned, is_part=_is_part(op))
        case StoreLanesOp():
            name = f"{name}_i{_element_bits(op)}{'_part' if _is_part(op) else ''}"
            return name, store(_element_bits(op), is_part=_is_part(op))
        case LoadSixteenOp() | StoreSixteenOp():
            made = load_sixteen if isinstance(op, LoadSixteenOp) else store_sixteen
            return f"{name}{'_part' if _is_part(op) else ''}", made(is_part=_is_part(op))
        case SixteenOfOp():
            return name, SIXTEEN_OF
        case SumProductsOp():
            return name, SUM_PRODUCTS
        case SumWindowOp():
            rows, columns = op.extents.get_values()
            return f"{name}_{rows}x{columns}", sum_window(rows, columns)
        case LanesOfOp():
            return name, LANES_OF
        case _:
            found = LANEWISE.get(type(op))
            return None if found is None else (name, found)


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


def _memory(op: LoadLanesOp | StoreLanesOp | LoadSixteenOp | StoreSixteenOp, at: Lowering) -> None:
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
    **dict.fromkeys([LoadLanesOp, StoreLanesOp, LoadSixteenOp, StoreSixteenOp], _memory),
    SixteenOfOp: _sixteen_of,
    SumProductsOp: _sum_products,
    SumWindowOp: _sum_window,
}
"""Patterns of operations that are functions of vectors, or touch memory for them."""

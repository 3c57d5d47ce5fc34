"""Checks of a module that MLIR makes and xDSL 0.74 does not: order of values, types of symbols, ranges of numbers."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, ModuleOp, ShapedType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.utils.exceptions import VerifyException

from ...dialects import symbols

_INDICES = range(-(2**63), 2**63)


def verify(module: ModuleOp) -> None:
    """Verify a module as MLIR does.

    Raises:
        VerifyException: an operation is wrong: its own verifier says so, it uses a value that is not computed before, a
            constant has another type than its use, or an index takes more than 64 bits.
    """
    symbols.verify(module)
    numbers = {op: number for number, op in enumerate(module.walk())}
    globals = {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)}
    for op in numbers:
        _verify_operands(op, numbers)
        _verify_indices(op)
        if isinstance(op, memref.GlobalOp):
            _verify_global(op)
        elif isinstance(op, memref.GetGlobalOp):
            _verify_use(op, globals)


def _verify_operands(op: Operation, numbers: Mapping[Operation, int]) -> None:
    for number, operand in enumerate(op.operands):
        if not _is_before(operand, op, numbers):
            name = f"%{operand.name_hint}" if operand.name_hint else f"operand {number}"
            raise VerifyException(f"'{op.name}' op uses {name}, which is not computed before")


def _is_before(value: SSAValue, op: Operation, numbers: Mapping[Operation, int]) -> bool:
    """Whether a value is known wherever an operation runs."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    if block is None:
        return False
    around = block.find_ancestor_op_in_block(op)
    if around is not None:
        return isinstance(value.owner, Block) or numbers[value.owner] < numbers[around]
    region = block.parent
    other = region.find_ancestor_block_in_region(op.parent) if region is not None and op.parent is not None else None
    if region is None or other is None:
        return False
    order = DominanceInfo(region)
    # Nothing runs in a block that the first one does not lead to.
    return order.dominates(block, other) or not order.dominates(region.blocks[0], other)


def _verify_indices(op: Operation) -> None:
    for value in (*op.properties.values(), *op.attributes.values()):
        if isinstance(value, IntegerAttr) and isinstance(value.type, IndexType) and value.value.data not in _INDICES:
            raise VerifyException(f"'{op.name}' op index {str(value.value.data)[:40]} takes more than 64 bits")


def _verify_global(op: memref.GlobalOp) -> None:
    value, type = op.initial_value, op.type
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return
    assert isinstance(value.type, ShapedType), "verified: elements are of a tensor, vector or memref"
    if (value.get_element_type(), value.get_shape()) != (type.element_type, type.get_shape()):
        raise VerifyException(f"'{op.name}' op @{op.sym_name.data} has type {type}, and its value {value.type}")


def _verify_use(op: memref.GetGlobalOp, globals: Mapping[str, memref.GlobalOp]) -> None:
    name = op.name_.string_value()
    if name not in globals:
        raise VerifyException(f"'{op.name}' op @{name} is no memref.global of this module")
    if (type := globals[name].type) != op.memref.type:
        raise VerifyException(f"'{op.name}' op has type {op.memref.type}, but @{name} has {type}")

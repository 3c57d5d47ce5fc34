"""Inserting operations at a moving place, with constants at the start of the function."""

from __future__ import annotations

from typing import Self

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, f32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from .folding import Value

_INDEX = IndexType()


class Emitter:
    """Emits operations; constants stand once, at the start of the function's block."""

    def __init__(self, block: Block):
        self.block = block
        self.builder = Builder(InsertPoint.at_end(block))
        self._constants: dict[Attribute, SSAValue] = {}
        self._integers: dict[tuple[int, Attribute], SSAValue] = {}
        """Integer constants by number and type: an attribute takes longer to make than to look up."""
        self._last_constant: Operation | None = None

    @classmethod
    def in_block(cls, block: Block) -> Self:
        """Emits into a function that exists: the constants at the start of its block are used again."""
        made = cls(block)
        for op in block.ops:
            if not isinstance(op, arith.ConstantOp):
                break
            made._constants[op.value] = op.result
            made._last_constant = op
        return made

    def emit(self, op: Operation, hint: str | None = None) -> SSAValue:
        """Insert `op` and return its only result, named `hint`."""
        self.builder.insert(op)
        result = op.results[0]
        if hint is not None:
            result.name_hint = hint
        return result

    def value(self, value: Value, type: Attribute) -> SSAValue:
        """`value` as an SSA value; a Python int becomes a constant of the given type."""
        if isinstance(value, SSAValue):
            return value
        known = self._integers.get((value, type))
        if known is None:
            assert isinstance(type, IntegerType | IndexType), "integer constants have integer or index type"
            hint = f"c{value}" if isinstance(type, IndexType) else f"c{value}_{type}"
            known = self._integers[value, type] = self._constant(IntegerAttr(value, type), hint)
        return known

    def index(self, value: Value) -> SSAValue:
        """`value` as an SSA value of index type."""
        return self.value(value, _INDEX)

    def floating(self, value: float | SSAValue, type: AnyFloat = f32) -> SSAValue:
        """`value` as an SSA value of a float type."""
        return value if isinstance(value, SSAValue) else self._constant(FloatAttr(value, type), "cst")

    def _constant(self, attribute: IntegerAttr | FloatAttr, hint: str) -> SSAValue:
        known = self._constants.get(attribute)
        if known is None:
            op = arith.ConstantOp(attribute)
            op.result.name_hint = hint
            if self._last_constant is not None:
                self.block.insert_ops_after([op], self._last_constant)
            elif self.block.first_op is not None:
                self.block.insert_ops_before([op], self.block.first_op)
            else:
                self.block.add_op(op)
            self._last_constant = op
            known = self._constants[attribute] = op.result
        return known

"""Operators that normalise rows: the elements along the last dimension."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.nn.integers import integer_range
from ...dialects.nn.interfaces import element_type_of, is_quantised, shape_of
from ..builder import Value
from .kernel import Kernel
from .requantise import FLOAT32_LOWEST


@dataclass(frozen=True)
class Rows:
    """Operand and result of such an operator, both seen as matrices."""

    k: Kernel
    source: SSAValue
    target: SSAValue
    count: int
    depth: int
    lowest: SSAValue
    """Value that is not greater than any element of the operand: a float, or an i32."""

    @staticmethod
    def of(k: Kernel, operand: SSAValue, result: SSAValue) -> Rows:
        """The operands and result as the operator's arguments."""
        *outer, depth = shape_of(operand)
        shape = (math.prod(outer), depth)
        element = element_type_of(operand)
        lowest = k.value(integer_range(element)[0], i32) if is_quantised(element) else k.floating(FLOAT32_LOWEST)
        return Rows(k, k.input(operand, "input", shape), k.output(result, shape=shape), *shape, lowest)

    def load(self, row: Value, i: Value) -> SSAValue:
        """An element of the operand, integers as i32."""
        value = self.k.load(self.source, [row, i])
        return value if value.type == self.lowest.type else self.k.extend(value)

    def store(self, value: SSAValue, row: Value, i: Value) -> None:
        """Set an element of the result."""
        self.k.store(value, self.target, [row, i])

    def maximum(self, row: Value) -> SSAValue:
        """The largest element of a row."""
        k = self.k

        def larger(i: Value, largest: SSAValue) -> SSAValue:
            value = self.load(row, i)
            if value.type == i32:
                return k.max(largest, value, "largest")
            return k.select(k.comparef("olt", largest, value), value, largest, "largest")

        return self.fold(self.lowest, larger, "largest")

    def fold(self, initial: SSAValue, step: Callable[[Value, SSAValue], SSAValue], hint: str = "total") -> SSAValue:
        """Fold `step(i, accumulator)` over the places of a row."""
        return self.k.reduce("i", 0, self.depth, initial, step, hint)

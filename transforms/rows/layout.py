"""How the elements of a tensor are divided into rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr

from ...dialects.strides import row_major


@dataclass(frozen=True)
class RowLayout:
    """A dense tensor as equal rows, one behind the other."""

    rows: int
    elements: int
    """Elements of one row."""

    @staticmethod
    def of(type: MemRefType) -> RowLayout | None:
        """The rows of a buffer: along its first dimension that is not 1, the last one excepted; else it is one row.

        Images so have the rows that cameras send, and sequences of one dimension a row for each moment.
        None for what is not dense, empty, or of dynamic shape.
        """
        shape = type.get_shape()
        if DYNAMIC_INDEX in shape or 0 in shape or not isinstance(type.layout, NoneAttr):
            return None
        rows = next((extent for extent in shape[:-1] if extent != 1), 1)
        return RowLayout(rows, math.prod(shape) // rows)

    def axis_of(self, type: MemRefType) -> Axis | None:
        """The dimension along which the rows lie in another view of the tensor; None if they lie along none of them."""
        shape = type.get_shape()
        if not isinstance(type.layout, NoneAttr) or math.prod(shape) != self.rows * self.elements:
            return None
        for d, (extent, stride) in enumerate(zip(shape, row_major(shape), strict=True)):
            if extent == 1 and d < len(shape) - 1:
                continue
            if self.elements % stride or extent % max(1, self.elements // stride):
                return None
            return Axis(d, self.elements // stride)
        return None

    def row_type(self, type: MemRefType, count: int = 1) -> MemRefType:
        """The type of some neighbouring rows in a view of the tensor that has them along a dimension."""
        axis = self.axis_of(type)
        assert axis is not None, "asked before"
        shape = list(type.get_shape())
        shape[axis.dim] = axis.extent * count
        return MemRefType(type.element_type, shape)


@dataclass(frozen=True)
class Axis:
    """Where the rows of a tensor lie."""

    dim: int
    """Dimension of the memref."""
    extent: int
    """Points of one row along it."""

"""Dot products in C: calls of a function that `dot_kernels` has."""

from __future__ import annotations

from ...dialects.simd import function_of
from ...dialects.simd.dots import AddDotProductsOp
from .c_function import Kernels, call, pointers
from .dot_kernels import ADD_DOT_PRODUCTS, NAMES
from .dot_kernels import KERNELS as INSTRUCTIONS
from .lowering import Lowering, Patterns


class _Kernel:
    """The function for all channels."""

    definition = ADD_DOT_PRODUCTS

    def __init__(self, op: AddDotProductsOp):
        self.name = function_of(op)


def _add_dot_products(op: AddDotProductsOp, at: Lowering) -> None:
    (rows, columns), (row, column) = op.extents.get_values(), op.steps.get_values()
    bytes, weights, sums = pointers(op, at)
    window = (rows, row, columns, column, op.count.value.data)
    call(at, function_of(op), sums, op.channels, bytes, *window, weights)


KERNELS = Kernels({AddDotProductsOp: _Kernel}, [INSTRUCTIONS], *NAMES)
PATTERNS: Patterns = {AddDotProductsOp: _add_dot_products}
"""Patterns of operations that call the function."""

"""Dot products in C: calls of a function that `dot_kernels` has."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.operations import all_of
from ...dialects.simd import function_of
from ...dialects.simd.dots import AddDotProductsOp
from .buffers import address
from .dot_kernels import ADD_DOT_PRODUCTS, KERNELS, NAMES
from .lanes import pointer
from .lowering import Lowering, Patterns


def names(module: Operation) -> tuple[str, ...]:
    """The names of the functions and types that the module's operations need."""
    found = next(iter(all_of(module, AddDotProductsOp)), None)
    return () if found is None else (*NAMES, function_of(found))


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """These functions, which stand before all others."""
    return [emitc.VerbatimOp(text) for text in ((KERNELS, ADD_DOT_PRODUCTS) if names(module) else ())]


def _add_dot_products(op: AddDotProductsOp, at: Lowering) -> None:
    (rows, columns), (row, column) = op.extents.get_values(), op.steps.get_values()
    sums = address(at.build, *at.buffer(op.sums), const=False)
    bytes = pointer(op.memref, [op.first], at, const=True)
    weights = pointer(op.weights, [op.first_weight], at, const=True)
    channels, *window = (
        at.build.constant(n, i32) for n in (op.channels, rows, row, columns, column, op.count.value.data)
    )
    at.build.add(EmitC_CallOpaqueOp(function_of(op), [sums, channels, bytes, *window, weights], []))


PATTERNS: Patterns = {AddDotProductsOp: _add_dot_products}
"""Patterns of operations that call the function."""

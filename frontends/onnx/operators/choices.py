"""Comparisons, logic and Where."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....dialects.nn.element_functions import Binary, BinaryOp, CompareOp, Predicate, Unary, UnaryOp
from ....dialects.nn.select import SelectOp
from ...reasons import Unsupported
from ..node import ELEMENTS, Node
from ..registry import operator
from ..stored import Stored, permuted, type_of, typed
from ..tensors import Tensor
from .arithmetic import aligned

_PREDICATES: Mapping[str, Predicate] = {
    "Equal": Predicate.EQUAL,
    "Greater": Predicate.GREATER,
    "GreaterOrEqual": Predicate.GREATER_EQUAL,
    "Less": Predicate.LESS,
    "LessOrEqual": Predicate.LESS_EQUAL,
    "Xor": Predicate.NOT_EQUAL,
}
_LOGIC: Mapping[str, Binary] = {"And": Binary.LOGICAL_AND, "Or": Binary.LOGICAL_OR}
_NUMBERS = ("float32", "int16", "int32", "int64")
_TAKEN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_PREDICATES, _NUMBERS),
    **dict.fromkeys((*_LOGIC, "Xor"), ("bool",)),
    "Equal": (*_NUMBERS, "bool"),
}
"""Types of elements that each operator takes."""


@operator(*_PREDICATES, *_LOGIC)
def compared(node: Node) -> Tensor:
    """Truth values of two tensors with broadcasting."""
    kind, a, b = node.op.op_type, node.input(0), node.input(1)
    if a.dtype not in _TAKEN[kind]:
        raise Unsupported(f"{kind} of {a.dtype} cannot be compiled")
    shape = np.broadcast_shapes(a.shape, b.shape)

    def real() -> Stored:
        values, order = aligned(node, (a, b), [a.value, b.value], shape)
        type = typed(ELEMENTS["bool"], permuted(shape, order))
        if kind in _LOGIC:
            return Stored(node.emit(BinaryOp(_LOGIC[kind], values[0], values[1], type)), order)
        return Stored(node.emit(CompareOp(_PREDICATES[kind], values[0], values[1], type)), order)

    return node.made(real, shape, "bool")


@operator("Not")
def negated(node: Node) -> Tensor:
    """The other truth value."""
    data = node.input(0)

    def real() -> Stored:
        stored = data.value.stored
        return Stored(node.emit(UnaryOp(Unary.LOGICAL_NOT, stored.value, type_of(stored.value))), stored.order)

    return node.made(real, data.shape, "bool")


@operator("Where")
def where(node: Node) -> Tensor:
    """The element of one of two tensors."""
    parts = node.input(0), node.input(1), node.input(2)
    dtype = parts[1].dtype
    if dtype not in ELEMENTS:
        raise Unsupported(f"choices of {dtype} cannot be compiled")
    shape = np.broadcast_shapes(*(part.shape for part in parts))

    def real() -> Stored:
        values, order = aligned(node, parts, [part.value for part in parts], shape)
        type = typed(ELEMENTS[dtype], permuted(shape, order))
        return Stored(node.emit(SelectOp(values[0], values[1], values[2], type)), order)

    return node.made(real, shape, dtype)

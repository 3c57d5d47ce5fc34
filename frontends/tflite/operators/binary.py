"""Functions of two operands with broadcasting, and comparisons."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from ....dialects.nn.element_functions import Binary, BinaryOp, CompareOp, Predicate
from ..node import Node, tensor_type
from ..quantisation import rescale_comparison
from ..scales import per_tensor
from .registry import operator

_NUMBERS = ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "INT64")

_BINARY: Mapping[Binary, tuple[str, ...]] = {
    Binary.ATAN2: ("FLOAT32",),
    Binary.FLOOR_DIV: ("FLOAT32", "INT8", "INT16", "INT32"),
    Binary.FLOOR_MOD: ("FLOAT32", "INT8", "INT16", "INT32", "INT64"),
    Binary.LOGICAL_AND: ("BOOL",),
    Binary.LOGICAL_OR: ("BOOL",),
    Binary.MAXIMUM: _NUMBERS,
    Binary.MINIMUM: _NUMBERS,
    Binary.POW: ("FLOAT32", "INT32"),
}
"""Functions that are called as their operators, and the element types that TensorFlow Lite has them for."""


def _enter_binary(function: Binary, types: tuple[str, ...]) -> None:
    @operator(function.name, inputs=2, types=types)
    def importer(node: Node) -> Operation:
        lhs, rhs = node.input(0), node.input(1)
        node.check_same_type((lhs, rhs, node.output), types)
        return node.emit(BinaryOp(function, node.value(lhs), node.value(rhs), tensor_type(node.output)))


for _function, _types in _BINARY.items():
    _enter_binary(_function, _types)


def _enter_comparison(predicate: Predicate) -> None:
    equality = predicate in (Predicate.EQUAL, Predicate.NOT_EQUAL)
    types = (*_NUMBERS, "BOOL") if equality else _NUMBERS

    @operator(predicate.name, inputs=2, types=tuple(f"{name} to BOOL" for name in types))
    def importer(node: Node) -> Operation:
        lhs, rhs = node.input(0), node.input(1)
        node.check_same_type((lhs, rhs), types)
        node.check_types((node.output,), supported=("BOOL",))
        values, type_ = (node.value(lhs), node.value(rhs)), tensor_type(node.output)
        # The reference asks for an order of INT16 as it is, but for equality of what it stands for.
        quantised = ("INT8", "UINT8", "INT16") if equality else ("INT8", "UINT8")
        if lhs.element_type.name not in quantised:
            return node.emit(CompareOp(predicate, *values, type_))
        pairs = [per_tensor(node, tensor) for tensor in (lhs, rhs)]
        factors = rescale_comparison([scale for scale, _ in pairs])
        zero_points = [zero_point for _, zero_point in pairs]
        return node.emit(CompareOp(predicate, *values, type_, zero_points=zero_points, rescale=factors))


for _predicate in Predicate:
    _enter_comparison(_predicate)

"""Shapes of elementwise operators."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.nn.element_functions import Binary, Predicate
from ..node import Node
from .rules import Shape, shape_rule

UNARY = """
    ABS CAST CEIL COS CUMSUM DENSIFY DEQUANTIZE ELU EXP FAKE_QUANT FLOOR GELU HARD_SWISH L2_NORMALIZATION LEAKY_RELU LOG
    LOGICAL_NOT LOGISTIC LOG_SOFTMAX NEG PRELU QUANTIZE RELU RELU6 RELU_0_TO_1 RELU_N1_TO_1 REVERSE_V2 ROUND RSQRT
    SIGN SIN SOFTMAX SQRT SQUARE TANH ZEROS_LIKE
"""
"""Operators whose output is shaped as their first input."""

ARITHMETIC = "ADD ADD_N DIV MUL SELECT_V2 SQUARED_DIFFERENCE SUB"
"""Operators whose inputs broadcast, beside those that are called as functions of `nn`."""


@shape_rule(*UNARY.split())
def same(node: Node) -> Sequence[Shape]:
    """The first input's."""
    return [node.input(0).shape]


@shape_rule(*ARITHMETIC.split(), *(function.name for function in (*Binary, *Predicate)))
def broadcast(node: Node) -> Sequence[Shape]:
    """Return the shape to which all inputs broadcast."""
    shape: list[int] = []
    for position in range(len(node.operator.inputs)):
        other = list(node.input(position).shape)
        rank = max(len(shape), len(other))
        pairs = zip([1] * (rank - len(shape)) + shape, [1] * (rank - len(other)) + other, strict=True)
        shape = [_extent(node, a, b) for a, b in pairs]
    return [shape]


@shape_rule("SELECT")
def select(node: Node) -> Sequence[Shape]:
    """Return the shape of what is chosen from; the condition may have fewer dimensions."""
    return [node.input(1).shape]


def _extent(node: Node, a: int, b: int) -> int:
    """The extent to which two broadcast."""
    if a != b and 1 not in (a, b):
        raise node.malformed(f"extents {a} and {b} do not broadcast")
    return b if a == 1 else a

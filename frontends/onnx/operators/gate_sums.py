"""What recurrent layers sum up for their gates: products of rows and hidden states with weights, in floats or integers.

Integer weights are those of onnxruntime's `DynamicQuantizeLSTM`, which `quantize_dynamic` writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from typing_extensions import override
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.nn.elementwise import AddOp, MulOp
from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.quantise import CastOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..node import Node
from ..stored import type_of, typed
from .integers import exact_sums, in_bytes, without_zero

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
"""Gates of each kind of layer."""

_QUANTISED = "DynamicQuantizeLSTM"


def kind_of(node: Node) -> str:
    """The kind of layer, one of `GATES`."""
    return "LSTM" if node.op.op_type == _QUANTISED else node.op.op_type


class GateSums:
    """Weights and biases of one direction."""

    def __init__(self, node: Node, number: int, weights: Any, recurrent: Any):
        """Args: weights [gates * units, features] and recurrent weights [gates * units, units]."""
        self.weights, self.recurrent = weights, recurrent
        gates = GATES[kind_of(node)] * self.units
        biases = np.zeros((2, gates), np.float32)
        if node.optional(3) is not None:
            biases = node.constant(3)[number].astype(np.float32).reshape(2, -1)
        self.bias, self.recurrent_bias = biases
        if not self.units or (len(weights), len(recurrent), len(self.bias)) != (gates, gates, gates):
            raise node.malformed(f"weights do not fit {self.units} units")

    @staticmethod
    def read(node: Node, number: int) -> GateSums:
        """Those of a node's direction."""
        if node.op.op_type == _QUANTISED:
            return _QuantisedSums(node, number)
        weights, recurrent = (node.constant(position)[number].astype(np.float32) for position in (1, 2))
        return GateSums(node, number, weights, recurrent)

    @property
    def units(self) -> int:
        """Elements of a row of the hidden state."""
        return self.recurrent.shape[1]

    @property
    def features(self) -> int:
        """Elements of a row of the input."""
        return self.weights.shape[1]

    def rows(self, node: Node, x: SSAValue) -> Sequence[SSAValue]:
        """The sequence whose rows the sums take, then what is the same for all rows."""
        return [x]

    def of(self, node: Node, x: Sequence[SSAValue], h: SSAValue, part: slice) -> SSAValue:
        """Sums of some gates with their biases; `x` is a row of `rows`, and what is the same for all."""
        type = typed(f32, (shape_of(h)[0], self.features + self.units))
        beside = node.emit(ConcatOp([x[0], h], 1, type))
        weights = np.concatenate([self.weights[part], self.recurrent[part]], 1)
        return _product(node, beside, weights, self.bias[part] + self.recurrent_bias[part])

    def apart(self, node: Node, x: Sequence[SSAValue], h: SSAValue, part: slice) -> tuple[SSAValue, SSAValue]:
        """The sums with the row and those with the hidden state, each with its bias."""
        return (
            _product(node, x[0], self.weights[part], self.bias[part]),
            _product(node, h, self.recurrent[part], self.recurrent_bias[part]),
        )


class _QuantisedSums(GateSums):
    """Integer weights, and rows in bytes: all rows of the input have one scale, each hidden state has its own."""

    def __init__(self, node: Node, number: int):
        if 0 in node.constant(1).shape or 0 in node.constant(2).shape:
            raise node.malformed("the weights have no elements")
        (weights, scale), (recurrent, recurrent_scale) = (_integers(node, *at, number) for at in ((1, 8), (2, 10)))
        self.scale, self.recurrent_scale = scale, recurrent_scale
        super().__init__(node, number, weights, recurrent)

    @override
    def rows(self, node: Node, x: SSAValue) -> Sequence[SSAValue]:
        integers, *alone = in_bytes(node, x)
        return [integers, *(node.emit(ReshapeOp(one, typed(type_of(one).element_type, (1, 1)))) for one in alone)]

    @override
    def of(self, node: Node, x: Sequence[SSAValue], h: SSAValue, part: slice) -> SSAValue:
        given = _scaled(node, x, self.weights[part], self.scale[:, part])
        kept = _scaled(node, in_bytes(node, h), self.recurrent[part], self.recurrent_scale[:, part])
        total, bias = node.emit(AddOp(given, kept, output_type=type_of(given))), self.bias + self.recurrent_bias
        return node.emit(AddOp(total, node.literal(bias[None, part], f32), output_type=type_of(given)))


def _product(node: Node, rows: SSAValue, weights: Any, bias: Any) -> SSAValue:
    """Rows times the transposed weights, and a bias."""
    type = typed(f32, (shape_of(rows)[0], len(weights)))
    return node.emit(FullyConnectedOp(rows, node.literal(weights, f32), node.literal(bias, f32), output_type=type))


def _scaled(node: Node, rows: Sequence[SSAValue], weights: Any, scale: Any) -> SSAValue:
    """Products of bytes with integer weights, times the scales of both; `rows` are bytes, scale and zero point."""
    integers, rows_scale, zero = rows
    sums, floats = (typed(kind, (shape_of(integers)[0], len(weights))) for kind in (i32, f32))
    filter = node.literal(weights, i8)
    product = node.emit(FullyConnectedOp(integers, filter, None, output_type=sums, **exact_sums(0, 0)))
    real = node.emit(CastOp(without_zero(node, product, zero, weights.sum(1)[None]), floats))
    factors = node.literal(scale, f32)
    both = node.emit(MulOp(rows_scale, factors, output_type=type_of(factors)))
    return node.emit(MulOp(real, both, output_type=floats))


def _integers(node: Node, position: int, scale: int, number: int) -> tuple[Any, Any]:
    """Weights [gates * units, ...] less their zero point, and a scale for each row of them [1, gates * units]."""
    array = node.constant(position)[number].T

    def of_rows(place: int) -> Any:
        """One number for all rows, or one for each."""
        given = node.constant(place)
        if given.shape[:1] != node.constant(position).shape[:1] or given.shape[1:] not in ((), (len(array),)):
            raise node.malformed(
                f"input {place} of shape {list(given.shape)} does not fit {len(array)} rows of weights"
            )
        return np.broadcast_to(given[number], len(array))

    scales = of_rows(scale).astype(np.float32)
    if not (np.isfinite(scales).all() and (scales > 0).all()):
        raise node.malformed("a scale of weights is not positive and finite")
    zeros = 0 if node.optional(scale + 1) is None else of_rows(scale + 1).astype(np.int64)[:, None]
    integers = array.astype(np.int64) - zeros
    if integers.min() < -128 or integers.max() > 127:
        raise Unsupported("weights further than a byte from their zero point cannot be compiled")
    return integers, scales[None]

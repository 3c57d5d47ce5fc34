"""Common parts of operators that multiply and accumulate: element types, quantisation and bias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, f32, i64
from xdsl.ir import SSAValue

from ....dialects.nn.accumulate import Hybrid
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.dynamic import DynamicQuantizeOp, DynamicRangeOp
from ..node import Node
from ..quantisation import QuantisationError, float32_product, rescale, rescale_per_channel
from ..scales import per_tensor, symmetric_weights
from ..schema import Tensor

SUPPORTED = (
    "FLOAT32 FLOAT32 FLOAT32 FLOAT32",
    "INT8 INT8 INT32 INT8",
    "INT8 INT4 INT32 INT8",
    "UINT8 UINT8 INT32 UINT8",
    "INT16 INT8 INT32 INT16",
    "INT16 INT8 INT64 INT16",
    "FLOAT32 INT8 FLOAT32 FLOAT32",
    "FLOAT32 INT4 FLOAT32 FLOAT32",
)
"""Element types of input, filter, bias and output that can be compiled; the last two are hybrid."""

OTHERS = (
    "INT16 INT4 INT32 INT16",
    "INT16 INT4 INT64 INT16",
    "FLOAT32 UINT8 FLOAT32 FLOAT32",
    "FLOAT32 FLOAT16 FLOAT32 FLOAT32",
)
"""Element types that TFLite defines besides: 4-bit weights with 16-bit activations, other hybrid models."""


@dataclass(frozen=True)
class Operands:
    """The tensors of such an operator."""

    node: Node
    data: Tensor
    weights: Tensor
    bias: Tensor | None = None

    @staticmethod
    def of(node: Node, rank: int, *, data: int = 0, bias: int = 2) -> Operands:
        """Inputs by position; the filter is input 1, of the rank that the operator demands, and no extent is 0."""
        weights = node.input(1)
        if len(weights.shape) != rank or 0 in weights.shape:
            raise node.malformed(f"the filter {weights} has shape {list(weights.shape)}, expected {rank} extents")
        return Operands(node, node.input(data), weights, node.optional_input(bias))

    @property
    def output(self) -> Tensor:
        """The result."""
        return self.node.output

    def check_types(self, supported: Sequence[str] = SUPPORTED, others: Sequence[str] = OTHERS) -> None:
        """Check element types of input, filter, bias and output; see `Node.check_types`."""
        self.node.check_types((self.data, self.weights, self.bias, self.output), supported=supported, others=others)

    def bias_value(self, channels: int) -> SSAValue | None:
        """The bias as a vector of `channels` elements, whatever its rank in the file; None if it is left out.

        Hybrid operators get zeros then.
        """
        if self.bias is not None:
            return self.node.value(self.bias, (channels,))
        return self.node.emit(ConstantOp.of(np.zeros(channels), f32)).results[0] if self.is_hybrid else None

    @property
    def is_hybrid(self) -> bool:
        """Whether float data meets integer weights."""
        return self.data.element_type.name == "FLOAT32" != self.weights.element_type.name

    def hybrid(self, shape: Sequence[int], axis: int, *, asymmetric: bool) -> tuple[SSAValue, Hybrid]:
        """The data, seen under `shape`, quantised by slices along dimension 0, and the scales."""
        scales = symmetric_weights(self.node, self.weights, axis)
        data = self.node.value(self.data, shape)
        found = self.node.emit(DynamicRangeOp(data, slices=shape[0], asymmetric=asymmetric))
        rows, inverses, *others = found.results
        zero_points = others[0] if others else None
        output = self.node.emit(DynamicQuantizeOp(data, inverses, zero_points, shape=shape)).results[0]
        return output, Hybrid(rows, zero_points, scales)

    def quantisation(self, axis: int) -> dict[str, Any]:
        """Return the scales as `per_channel` does, but legacy uint8 has one scale and any zero point.

        Its factor follows from a product in float32 (`GetQuantizedConvolutionMultipler`).
        """
        if self.output.element_type.name != "UINT8":
            return self.per_channel(axis)
        (input_scale, _), (output_scale, _) = self._ends()
        product = float32_product(input_scale, per_tensor(self.node, self.weights)[0])
        return self.per_tensor() | {"rescale": rescale([product / output_scale])}

    def per_channel(self, axis: int) -> dict[str, Any]:
        """Zero points, factors and accumulator for symmetric weights: one factor, or one per slice along `axis`.

        Empty for floats.
        """
        if self.output.element_type.name == "FLOAT32":
            return {}
        (input_scale, input_zero_point), (output_scale, output_zero_point) = self._ends()
        scales = symmetric_weights(self.node, self.weights, axis)
        return {
            "zero_points": (input_zero_point, 0, output_zero_point),
            "rescale": rescale_per_channel(input_scale, scales, output_scale),
            "acc_type": self._accumulator(),
        }

    def per_tensor(self) -> dict[str, Any]:
        """Return it for weights with one scale and any zero point; empty for floats.

        Raises:
            QuantisationError: the bias has another scale than the accumulator.
        """
        if self.output.element_type.name == "FLOAT32":
            return {}
        (input_scale, input_zero_point), (output_scale, output_zero_point) = self._ends()
        filter_scale, filter_zero_point = per_tensor(self.node, self.weights)
        product = input_scale * filter_scale
        if self.bias is not None and self.bias.quantisation is not None:
            scale = self.bias.quantisation.scales[0]
            if abs(product - scale) / output_scale > 0.02:
                raise QuantisationError(
                    f"the bias {self.bias} has scale {scale:g}, input and filter together {product:g}"
                )
        return {
            "zero_points": (input_zero_point, filter_zero_point, output_zero_point),
            "rescale": rescale_per_channel(input_scale, [filter_scale], output_scale),
            "acc_type": self._accumulator(),
        }

    def factor(self) -> float:
        """The factor of the accumulator, of weights with one scale."""
        (input_scale, _), (output_scale, _) = self._ends()
        return input_scale * per_tensor(self.node, self.weights)[0] / output_scale

    def _ends(self) -> tuple[tuple[float, int], tuple[float, int]]:
        """Scales and zero points of input and output."""
        ends = per_tensor(self.node, self.data), per_tensor(self.node, self.output)
        if self.output.element_type.name == "INT16" and any(zero_point for _, zero_point in ends):
            raise QuantisationError("16-bit activations must have zero point 0")
        return ends

    def _accumulator(self) -> IntegerType | None:
        """i64 for 16-bit activations, unless a bias of 32 bits says otherwise; else None for the usual i32."""
        wide = self.output.element_type.name == "INT16" and (self.bias is None or self.bias.element_type.bits == 64)
        return i64 if wide else None

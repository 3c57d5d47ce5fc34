"""QuantizeLinear and DequantizeLinear."""

from __future__ import annotations

import numpy as np
from onnx import helper
from xdsl.dialects.builtin import f32

from ....dialects.nn.quantise import DequantizeOp
from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..stored import Stored, typed
from ..tensors import MOVED, REACH, Quantised, Steps, Table, Tensor, Weights


def quantised_of(node: Node, scale: int, dtype: str) -> Quantised:
    """The scale at one input and the zero point behind it, of a tensor as a whole."""
    scales = node.constant(scale).reshape(-1)
    zero = node.optional(scale + 1)
    if scales.size != 1:
        raise Unsupported("activations with several scales cannot be compiled")
    zero_point = 0 if zero is None else int(node.constant(scale + 1).reshape(-1)[0])
    value = float(np.float32(scales[0]))
    if not value > 0 or not np.isfinite(value):
        of_masks = (
            ", which quantisers make of a mask of -inf: give masks a number such as -30 before" if value > 0 else ""
        )
        raise node.malformed(f"the scale is {value:g}{of_masks}; scales are positive and finite")
    if dtype not in REACH:
        raise Unsupported(f"quantised elements of type {dtype} cannot be compiled")
    return Quantised(value, zero_point - MOVED.get(dtype, 0), dtype)


@operator("QuantizeLinear", "com.microsoft.QuantizeLinear")
def quantize_linear(node: Node) -> Tensor:
    """Floats to integers of a scale."""
    data = node.input(0)
    dtype, given = "uint8", int(node.attributes.get("output_dtype", 0))
    if node.optional(2) is not None:
        dtype = node.constant(2).dtype.name
    elif given:
        dtype = np.dtype(helper.tensor_dtype_to_np_dtype(given)).name
    return quantised(node, data, quantised_of(node, 1, dtype))


def quantised(node: Node, data: Tensor, to: Quantised) -> Tensor:
    """Integers of a scale; those of rows stay rows of what they are from."""
    flat = None if data.flat is None else quantised(node, data.flat, to)
    return node.made(lambda: node.quantised(data, to), data.shape, to.dtype, flat=flat)


@operator("DequantizeLinear", "com.microsoft.DequantizeLinear")
def dequantize_linear(node: Node) -> Tensor:
    """Integers of a scale to floats; weights keep their integers."""
    data = node.input(0)
    if data.array is not None:
        return _constant(node, data)
    return dequantised(node, data, quantised_of(node, 1, data.dtype))


def dequantised(node: Node, data: Tensor, quantised: Quantised) -> Tensor:
    """Dequantise: the reals that the integers of a tensor stand for."""

    def real() -> Stored:
        stored = data.value.stored
        type = typed(f32, stored.extents)
        made = DequantizeOp(stored.value, scale=quantised.scale, zero_point=quantised.zero_point, output_type=type)
        return Stored(node.emit(made), stored.order)

    steps = Steps(data.value, quantised)
    flat = None if data.flat is None else dequantised(node, data.flat, quantised)
    return node.made(real, data.shape, steps=steps, table=table_of(steps), flat=flat)


def table_of(steps: Steps) -> Table | None:
    """The floats that 8-bit integers stand for."""
    if steps.quantised.bytes > 1:
        return None
    values = np.arange(-128, 128) - steps.quantised.zero_point
    return Table(steps.integers, values.astype(np.float32) * np.float32(steps.quantised.scale))


def _constant(node: Node, data: Tensor) -> Tensor:
    array = node.constant(0)
    if node.attributes.get("block_size", 0):
        raise Unsupported("weights with scales for blocks cannot be compiled")
    scales = np.atleast_1d(node.constant(1).astype(np.float32))
    zeros = np.zeros(scales.shape, np.int64)
    if node.optional(2) is not None:
        zeros = np.atleast_1d(node.constant(2).astype(np.int64))
    axis = node.axis(node.attributes.get("axis", 1), array.ndim) if scales.size > 1 else 0
    integers = array.astype(np.int64)
    if scales.size > 1 and (scales.ndim != 1 or scales.size != array.shape[axis]):
        raise node.malformed(f"{scales.size} scales do not fit {list(array.shape)} along axis {axis}")
    along = [1] * array.ndim
    if array.ndim:
        along[axis] = -1
    reals = (integers - zeros.reshape(along)).astype(np.float32) * scales.reshape(along)
    moved = MOVED.get(array.dtype.name, 0)
    integers, zeros = integers - moved, zeros - moved
    weights = Weights(integers, scales, zeros, axis)
    constant = node.graph.constant(node.name, reals.reshape(array.shape))
    return Tensor(node.name, data.shape, "float32", constant.value, array=constant.array, weights=weights)

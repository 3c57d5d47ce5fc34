"""Tensors made of shapes and scalars: FILL, ZEROS_LIKE, SHAPE, RANK, RANGE, BROADCAST_ARGS.

Shapes are static, so most of them are constants; what follows from them is folded while it is imported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ....dialects import nn_keys
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.slicing import BroadcastOp
from ..node import Node, tensor_type
from ..shapes.rules import Shape, shape_rule
from .movement import TYPES, expect_output
from .registry import operator


def constant_output(node: Node, values: npt.NDArray[np.generic]) -> Operation:
    """The output as a constant of its element type."""
    expect_output(node, values.shape)
    made = ConstantOp.of(values, tensor_type(node.output).element_type)
    nn_keys.NAME.put(made.attributes, node.output.name)
    return node.emit(made)


@operator("FILL", inputs=2, types=TYPES)
def fill(node: Node) -> Operation:
    """One value everywhere."""
    dims, value = node.input(0), node.input(1)
    node.check_same_type((value, node.output), TYPES)
    expect_output(node, node.integers(dims))
    # The value is a scalar; some converters write a vector of one element.
    return node.emit(BroadcastOp(node.value(value, ()), tensor_type(node.output)))


@operator("ZEROS_LIKE", inputs=1, types=TYPES)
def zeros_like(node: Node) -> Operation:
    """Zeros in the shape of the input."""
    node.check_same_type((node.input(0), node.output), TYPES)
    expect_output(node, node.input(0).shape)
    type_ = tensor_type(node.output)
    return node.emit(BroadcastOp(node.emit(ConstantOp.of(np.zeros((), np.int8), type_.element_type)), type_))


@operator("SHAPE", inputs=1, types=tuple(f"{name} to INT32" for name in TYPES))
def shape(node: Node) -> Operation:
    """The extents of the input."""
    extents = node.input(0).shape
    node.check_types((node.output,), supported=("INT32", "INT64"))
    return constant_output(node, np.array(extents, np.int64))


@operator("RANK", inputs=1, types=tuple(f"{name} to INT32" for name in TYPES))
def rank(node: Node) -> Operation:
    """The number of dimensions of the input."""
    node.check_types((node.output,), supported=("INT32",))
    return constant_output(node, np.array(len(node.input(0).shape), np.int64))


@operator("RANGE", inputs=3, types=("FLOAT32", "INT32", "INT64"))
def range_(node: Node) -> Operation:
    """Numbers from a first one on, in steps, up to a limit (excluded)."""
    bounds = [node.input(position) for position in range(3)]
    node.check_same_type((*bounds, node.output), ("FLOAT32", "INT32", "INT64"))
    start, limit, step = _bounds(node)
    expect_output(node, (_count(node, start, limit, step),))
    # Added up one by one, as the reference does.
    dtype = node.constant(bounds[0]).dtype
    steps = np.array([start, *[step] * (node.output.shape[0] - 1)], dtype)
    return constant_output(node, np.cumsum(steps, dtype=dtype))


@shape_rule("RANGE")
def range_shape(node: Node) -> Sequence[Shape]:
    """Return as many elements as there are numbers."""
    return [[_count(node, *_bounds(node))]]


def _bounds(node: Node) -> tuple[float, float, float]:
    """Start, limit and step."""
    constants = [node.constant(node.input(position)) for position in range(3)]
    if any(array.size != 1 for array in constants):
        raise node.malformed("start, limit and step must be scalars")
    start, limit, step = (array.item() for array in constants)
    return start, limit, step


def _count(node: Node, start: float, limit: float, step: float) -> int:
    """How many numbers there are; floats are divided in single precision, as the reference does it."""
    leads = (
        math.isfinite(start) and math.isfinite(limit) and math.isfinite(step) and step and (limit - start) * step > 0
    )
    if not leads:
        raise node.malformed(f"no range leads from {start} to {limit} in steps of {step}")
    if isinstance(step, int):
        return int(-(-abs(limit - start) // abs(step)))
    with np.errstate(all="ignore"):
        quotient = float(abs((np.float32(limit) - np.float32(start)) / np.float32(step)))
    return math.ceil(quotient) if math.isfinite(quotient) else -1


@operator("BROADCAST_ARGS", inputs=2, types=("INT32", "INT64"))
def broadcast_args(node: Node) -> Operation:
    """The shape to which two shapes broadcast."""
    node.check_same_type((node.input(0), node.input(1), node.output), ("INT32", "INT64"))
    first, second = (node.integers(node.input(position)) for position in (0, 1))
    try:
        result = np.broadcast_shapes(tuple(first), tuple(second))
    except ValueError as error:
        raise node.malformed(f"shapes {first} and {second} do not broadcast") from error
    return constant_output(node, np.array(result, np.int64))


@operator("DENSIFY", inputs=1, types=("FLOAT32", "FLOAT16", "INT8"))
def densify(node: Node) -> Operation:
    """A constant that the file stores sparsely; it was expanded when the file was read."""
    data = node.input(0)
    node.check_same_type((data, node.output), ("FLOAT32", "FLOAT16", "INT8"))
    return constant_output(node, node.constant(data))

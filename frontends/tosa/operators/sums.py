"""CONV2D, DEPTHWISE_CONV2D, TRANSPOSE_CONV2D and MATMUL.

Those of integers give sums of 32 or 48 bits, which have no form of their own in `nn`: the RESCALE that reads them makes
one operation of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import f32, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.conv import Conv2DOp, DepthwiseConv2DOp
from ....dialects.nn.matmul import BatchMatmulOp, FullyConnectedOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.transpose_conv import TransposeConv2DOp
from ....dialects.tosa import windows as tosa
from ...reasons import Unsupported
from ..constants import stored_element, type_of, typed
from ..node import Node
from ..registry import imports

Sums: TypeAlias = tosa.Conv2DOp | tosa.DepthwiseConv2DOp | tosa.TransposeConv2DOp | tosa.MatMulOp


@dataclass(frozen=True)
class Requantised:
    """How sums become elements."""

    element: Attribute
    zero_point: int
    rescale: RescaleAttr
    clamp: ClampAttr
    wide: bool
    """Whether sums have 48 bits."""


@imports(tosa.Conv2DOp, tosa.DepthwiseConv2DOp, tosa.TransposeConv2DOp, tosa.MatMulOp)
def sums(op: Sums, node: Node) -> SSAValue | None:
    """Floats at once, integers when they are rescaled."""
    given: Any = op.output.type
    return summed(op, node, None) if stored_element(given.get_element_type()) == f32 else None


def summed(op: Sums, node: Node, to: Requantised | None) -> SSAValue:
    """The operation on floats, or with the RESCALE of its sums."""
    if isinstance(op, tosa.MatMulOp):
        return _matmul(op, node, to)
    input, filter = node.value(op.input), node.value(op.weight)
    rank = len(type_of(input).get_shape()), len(type_of(filter).get_shape())
    if rank != (4, 4):
        raise node.malformed(f"operands must have 4 dimensions, they have {rank[0]} and {rank[1]}")
    zero_points = _zero_points(node, op.input_zp, op.weight_zp)
    scaling = _scaling(zero_points, to)
    both = _Operands(node, input, filter, op.bias, node.integers(op.stride, 2, "stride"), scaling, to)
    match op:
        case tosa.DepthwiseConv2DOp():
            return _depthwise(op, both)
        case tosa.TransposeConv2DOp():
            return _transposed(op, both)
        case _:
            return _conv(op, both)


@dataclass(frozen=True)
class _Operands:
    """Common parts of the three convolutions."""

    node: Node
    input: SSAValue
    filter: SSAValue
    bias: SSAValue
    strides: tuple[int, ...]
    scaling: Mapping[str, Any]
    to: Requantised | None

    def emit(self, kind: Any, filter: SSAValue, result: Sequence[int], **windows: Any) -> SSAValue:
        """The operation with a result of that shape."""
        return self.node.emit(
            kind(
                self.input,
                filter,
                _bias(self.node, self.bias, result[-1], self.to),
                strides=self.strides,
                output_type=typed(_element(self.to), result),
                **windows,
                **self.scaling,
            )
        )


def _zero_points(node: Node, *operands: SSAValue) -> list[int]:
    return [node.number(operand, f"zero point {number}") for number, operand in enumerate(operands)]


def _scaling(zero_points: list[int], to: Requantised | None) -> Mapping[str, Any]:
    if to is None:
        if any(zero_points):
            raise Unsupported("zero points of floats cannot be compiled")
        return {}
    wide = {"acc_type": i64} if to.wide else {}
    return {"zero_points": (*zero_points, to.zero_point), "rescale": to.rescale, "clamp": to.clamp, **wide}


def _element(to: Requantised | None) -> Attribute:
    return f32 if to is None else to.element


def _bias(node: Node, operand: SSAValue, channels: int, to: Requantised | None) -> SSAValue | None:
    """None for zeros: a constant of one element stands for all channels."""
    element = f32 if to is None else i64 if to.wide else i32
    try:
        array = node.array(operand, "the bias")
    except Unsupported:
        value = node.value(operand)
        if type_of(value).get_shape() != (channels,) or type_of(value).get_element_type() != element:
            raise
        return value
    if array.size not in (1, channels):
        raise node.malformed(f"the bias has {array.size} elements for {channels} channels")
    if not array.any():
        return None
    return node.literal(np.broadcast_to(array.reshape(-1), (channels,)), element, f"{node.name}/bias")


def _window(op: tosa.Padded, node: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return node.integers(op.pad, 4, "pad"), node.integers(op.dilation, 2, "dilation")


def _space(
    node: Node, extents: Any, kernel: Any, strides: tuple[int, ...], pads: tuple[int, ...], dilations: tuple[int, ...]
) -> list[int]:
    """Height and width of the result."""
    found: list[int] = []
    for d in range(2):
        reach = (kernel[d] - 1) * dilations[d] + 1
        over = extents[d] + pads[2 * d] + pads[2 * d + 1] - reach
        if strides[d] < 1 or over < 0:
            raise node.malformed(f"the window {list(kernel)} does not fit {list(extents)}")
        found.append(over // strides[d] + 1)
    return found


def _conv(op: tosa.Conv2DOp, both: _Operands) -> SSAValue:
    node = both.node
    batch, *space, depth = type_of(both.input).get_shape()
    channels, *kernel, filter_depth = type_of(both.filter).get_shape()
    pads, dilations = _window(op, node)
    if depth != filter_depth:
        raise node.malformed(f"weights have {filter_depth} channels, the input {depth}")
    result = [batch, *_space(node, space, kernel, both.strides, pads, dilations), channels]
    if [*space, *kernel] == [1, 1, 1, 1] and not any(pads):
        return _product(both, result)
    return both.emit(Conv2DOp, both.filter, result, pads=pads, dilations=dilations)


def _product(both: _Operands, result: list[int]) -> SSAValue:
    """A convolution of single pixels: the product with a matrix."""
    node, channels = both.node, result[-1]
    batch, *_, depth = type_of(both.input).get_shape()
    bias = _bias(node, both.bias, channels, both.to)
    row = node.emit(ReshapeOp(both.input, typed(type_of(both.input).get_element_type(), [batch, depth])))
    matrix = node.emit(ReshapeOp(both.filter, typed(type_of(both.filter).get_element_type(), [channels, depth])))
    to = typed(_element(both.to), [batch, channels])
    made = node.emit(FullyConnectedOp(row, matrix, bias, output_type=to, **both.scaling))
    return node.emit(ReshapeOp(made, typed(_element(both.to), result)))


def _depthwise(op: tosa.DepthwiseConv2DOp, both: _Operands) -> SSAValue:
    node = both.node
    batch, *space, depth = type_of(both.input).get_shape()
    *kernel, filter_depth, multiplier = type_of(both.filter).get_shape()
    if depth != filter_depth:
        raise node.malformed(f"weights have {filter_depth} channels, the input {depth}")
    channels = depth * multiplier
    pads, dilations = _window(op, node)
    flat = node.emit(ReshapeOp(both.filter, typed(type_of(both.filter).get_element_type(), [1, *kernel, channels])))
    result = [batch, *_space(node, space, kernel, both.strides, pads, dilations), channels]
    return both.emit(DepthwiseConv2DOp, flat, result, pads=pads, dilations=dilations)


def _transposed(op: tosa.TransposeConv2DOp, both: _Operands) -> SSAValue:
    batch, *space, _ = type_of(both.input).get_shape()
    channels, *kernel, _ = type_of(both.filter).get_shape()
    added = both.node.integers(op.out_pad, 4, "out_pad")
    if max(added[0], added[2]) > 0:
        raise Unsupported("rows or columns added before the result cannot be compiled")
    extents = [(space[d] - 1) * both.strides[d] + kernel[d] + added[2 * d] + added[2 * d + 1] for d in range(2)]
    crops = [-number for number in added]
    return both.emit(TransposeConv2DOp, both.filter, [batch, *extents, channels], crops=crops)


def _matmul(op: tosa.MatMulOp, node: Node, to: Requantised | None) -> SSAValue:
    a, b = node.value(op.a), node.value(op.b)
    first, second = type_of(a).get_shape(), type_of(b).get_shape()
    if len(first) != 3 or len(second) != 3:
        raise node.malformed(f"operands must have 3 dimensions, they have {len(first)} and {len(second)}")
    scaling = _scaling(_zero_points(node, op.a_zp, op.b_zp), to)
    made = typed(_element(to), [first[0], first[1], second[2]])
    return node.emit(BatchMatmulOp(a, b, output_type=made, **scaling))


def is_sums(op: Operation) -> bool:
    """Whether an operation gives sums of products."""
    return isinstance(op, tosa.Conv2DOp | tosa.DepthwiseConv2DOp | tosa.TransposeConv2DOp | tosa.MatMulOp)

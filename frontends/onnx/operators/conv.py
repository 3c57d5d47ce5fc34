"""Conv."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Attribute, SSAValue

from ....dialects.nn.conv import Conv2DOp, DepthwiseConv2DOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..node import ELEMENTS, Node
from ..products import bias_of, is_integer, one_zero_point
from ..quantisation import clamp, factors
from ..registry import operator
from ..stored import Stored, channels_last, type_of, typed
from ..tensors import Quantised, Tensor
from ..window import Window, window_of


@operator("Conv")
def conv(node: Node) -> Tensor:
    """Convolution of one or two dimensions, in groups or depthwise; weights are constants."""
    data, weights, array = node.input(0), node.input(1), node.constant(1)
    group, rank = int(node.attributes.get("group", 1)), len(data.shape)
    window, shape = place(node, array, group)

    def real() -> Stored:
        bias = None if node.optional(2) is None else node.literal(node.constant(2), f32)
        filter = node.literal(arranged(array, group), f32, weights.name)
        return convolved(node, node.real(data, channels_last(rank)), filter, bias, window, group, shape, f32, {})

    quantise = None
    if data.steps is not None and weights.weights is not None:
        steps, known = data.steps, weights.weights
        zero_point = one_zero_point(known)
        bias = bias_of(node, 2, steps.quantised, known)
        if zero_point is not None and bias is not None and (known.scales.size == 1 or known.axis == 0):

            def quantised(to: Quantised) -> Stored | None:
                input = steps.quantised
                if not is_integer(input, known, 0, bias, to):
                    return None
                return convolved(
                    node,
                    node.to(steps.integers.stored, channels_last(rank)),
                    node.literal(arranged(known.integers, group), i8, weights.name),
                    node.literal(bias, i32) if bias.size else None,
                    window,
                    group,
                    shape,
                    ELEMENTS[to.dtype],
                    {
                        "zero_points": (input.zero_point, zero_point, to.zero_point),
                        "rescale": factors(input.scale, known.scales, to),
                        "clamp": clamp(to),
                    },
                )

            quantise = quantised
    return node.made(real, shape, quantise=quantise)


def place(node: Node, array: Any, group: int) -> tuple[Window, tuple[int, ...]]:
    """The window of a convolution, and the shape of its result."""
    data, rank = node.input(0), len(node.input(0).shape)
    if rank not in (3, 4):
        raise Unsupported(f"convolutions of {rank - 2} dimensions cannot be compiled")
    if array.ndim != rank or data.shape[1] != array.shape[1] * group or array.shape[0] % max(group, 1):
        raise node.malformed(f"weights {list(array.shape)} in {group} groups do not fit {list(data.shape)}")
    window = window_of(node, data.shape[2:], array.shape[2:])
    return window, (data.shape[0], array.shape[0], *window.result)


def arranged(array: Any, group: int) -> Any:
    """Filter OHWI, or 1HWM of a depthwise convolution."""
    depthwise = group > 1 and array.shape[1] == 1
    full = array[:, :, None, :] if array.ndim == 3 else array
    return full.transpose(1, 2, 3, 0) if depthwise else full.transpose(0, 2, 3, 1)


def convolved(
    node: Node,
    value: SSAValue,
    filter: SSAValue,
    bias: SSAValue | None,
    window: Window,
    group: int,
    shape: tuple[int, ...],
    element: Attribute,
    scaling: dict[str, Any],
) -> Stored:
    """A convolution of a value with its channels last; `shape` is the result's in ONNX."""
    rank, (batch, channels, *space) = len(shape), shape
    stored = Stored(value, channels_last(rank))
    if rank == 3:
        n, width, depth = stored.extents
        value = node.emit(ReshapeOp(value, typed(stored.element, (n, 1, width, depth))))
    made = typed(element, (batch, *([1] if rank == 3 else []), *space, channels))
    # A filter 1HWM is one of a depthwise convolution.
    kind = DepthwiseConv2DOp if group > 1 and type_of(filter).get_shape()[0] == 1 else Conv2DOp
    result = node.emit(
        kind(
            value,
            filter,
            bias,
            strides=window.strides,
            pads=window.pads,
            dilations=window.dilations,
            output_type=made,
            **scaling,
        )
    )
    if rank == 3:
        result = node.emit(ReshapeOp(result, typed(element, (batch, *space, channels))))
    return Stored(result, channels_last(rank))

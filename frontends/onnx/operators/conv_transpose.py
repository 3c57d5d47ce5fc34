"""ConvTranspose."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Attribute, SSAValue

from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from ....dialects.nn.transpose_conv import TransposeConv2DOp
from ...reasons import Unsupported
from ..node import ELEMENTS, Node
from ..products import bias_of, one_zero_point
from ..quantisation import clamp, factors
from ..registry import operator
from ..stored import Stored, channels_last, typed
from ..tensors import Quantised, Tensor


@operator("ConvTranspose")
def conv_transpose(node: Node) -> Tensor:
    """Transposed convolution of one or two dimensions, in groups; weights are constants."""
    data, array = node.input(0), node.constant(1)
    groups, rank = int(node.attributes.get("group", 1)), len(data.shape)
    if rank not in (3, 4):
        raise Unsupported(f"convolutions of {rank - 2} dimensions cannot be compiled")
    if array.ndim != rank or groups < 1 or data.shape[1] != array.shape[0] or array.shape[0] % groups:
        raise node.malformed(f"weights {list(array.shape)} in {groups} groups do not fit {list(data.shape)}")
    dilations = [int(v) for v in node.attributes.get("dilations", [1] * (rank - 2))]
    strides, crops, space = _window(node, data.shape[2:], array.shape[2:], dilations)
    shape = (data.shape[0], array.shape[1] * groups, *space)

    def emit(
        value: SSAValue, weights: Any, zero: int, kind: Attribute, bias: Any, element: Attribute, of: Any
    ) -> Stored:
        """The channels of each group by themselves."""
        value = _with_rows(node, value, rank)
        batch, height, width, depth = Stored.plain(value).extents
        taps = _arranged(weights, dilations, zero)
        parts: list[SSAValue] = []
        rows = (1, *space) if rank == 3 else space
        for group in range(groups):
            first, count = group * depth // groups, depth // groups
            part = value
            if groups > 1:
                part = node.emit(SliceOp(value, (0, 0, 0, first), (1, 1, 1, 1), (batch, height, width, count)))
            channels = slice(group * array.shape[1], (group + 1) * array.shape[1])
            parts.append(
                node.emit(
                    TransposeConv2DOp(
                        part,
                        node.literal(taps[..., first : first + count], kind, node.input(1).name),
                        None if bias is None else node.literal(bias[channels], f32 if kind == f32 else i32),
                        strides=strides,
                        crops=crops,
                        output_type=typed(element, (batch, *rows, array.shape[1])),
                        **of(channels),
                    )
                )
            )
        result = parts[0]
        if groups > 1:
            result = node.emit(ConcatOp(parts, 3, typed(element, (batch, *rows, shape[1]))))
        if rank == 3:
            result = node.emit(ReshapeOp(result, typed(element, (batch, *space, shape[1]))))
        return Stored(result, channels_last(rank))

    def real() -> Stored:
        bias = None if node.optional(2) is None else node.constant(2)
        return emit(node.real(data, channels_last(rank)), array, 0, f32, bias, f32, lambda _: {})

    quantise = None
    known = node.input(1).weights
    if data.steps is not None and known is not None and data.steps.quantised.bytes == 1:
        steps, zero = data.steps, one_zero_point(known)
        bias = bias_of(node, 2, steps.quantised, known)
        per_channel = known.scales.size > 1
        if zero is not None and bias is not None and not (per_channel and (known.axis != 1 or groups > 1)):

            def quantised(to: Quantised) -> Stored | None:
                input = steps.quantised
                if to.bytes > 1:
                    return None
                scaling = {
                    "zero_points": (input.zero_point, zero, to.zero_point),
                    "rescale": factors(input.scale, known.scales, to),
                    "clamp": clamp(to),
                }
                value = node.to(steps.integers.stored, channels_last(rank))
                summands = bias if bias.size else None
                return emit(value, known.integers, zero, i8, summands, ELEMENTS[to.dtype], lambda _: scaling)

            quantise = quantised
    return node.made(real, shape, quantise=quantise)


def _with_rows(node: Node, value: SSAValue, rank: int) -> SSAValue:
    if rank == 4:
        return value
    stored = Stored.plain(value)
    batch, width, depth = stored.extents
    return node.emit(ReshapeOp(value, typed(stored.element, (batch, 1, width, depth))))


def _arranged(weights: Any, dilations: list[int], zero: int) -> Any:
    """Filters OHWI; between taps that lie apart stands the zero point."""
    channels, *kernel = weights.shape[1:]
    reach = [(taps - 1) * step + 1 for taps, step in zip(kernel, dilations, strict=True)]
    spread = np.full((len(weights), channels, *reach), zero, weights.dtype)
    spread[(..., *(slice(None, None, step) for step in dilations))] = weights
    if len(kernel) == 1:
        spread = spread[:, :, None, :]
    return spread.transpose(1, 2, 3, 0)


def _window(
    node: Node, extents: tuple[int, ...], kernel: tuple[int, ...], dilations: list[int]
) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Strides, what is left out (top, bottom, left, right), and the extents of the result."""
    rank = len(extents)
    attributes = node.attributes
    strides = [int(v) for v in attributes.get("strides", [1] * rank)]
    more = [int(v) for v in attributes.get("output_padding", [0] * rank)]
    pads = [int(v) for v in attributes.get("pads", [0] * 2 * rank)]
    given = [int(v) for v in attributes.get("output_shape", [])][-rank:]
    auto = attributes.get("auto_pad", "NOTSET")
    if any(len(each) != rank for each in (strides, more, dilations, kernel)) or len(pads) != 2 * rank:
        raise node.malformed("the window's attributes have several lengths")
    if min(*strides, *dilations, *kernel) < 1 or min(*more, *pads) < 0:
        raise node.malformed("the window's attributes must be positive")
    crops: list[int] = []
    space: list[int] = []
    for d in range(rank):
        reach = (kernel[d] - 1) * dilations[d] + 1
        full = (extents[d] - 1) * strides[d] + reach
        before, after = pads[d], pads[d + rank] - more[d]
        if given or auto in ("SAME_UPPER", "SAME_LOWER"):
            size = given[d] if given else extents[d] * strides[d]
            whole = full + more[d] - size
            half = max(whole, 0) // 2
            # The odd element is left out at the end, unless SAME_UPPER is not said.
            before = half if auto == "SAME_UPPER" else max(whole, 0) - half
            after = full - size - before
        elif auto == "VALID":
            before, after = 0, -more[d]
        crops += [before, after]
        space.append(full - before - after)
    if min(space) < 1:
        raise node.malformed(f"the result {space} has no elements")
    if rank == 1:
        return [1, *strides], [0, 0, *crops], tuple(space)
    return strides, crops, tuple(space)

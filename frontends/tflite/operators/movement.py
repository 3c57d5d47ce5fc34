"""Operators that move elements as they are: what their operands and options say about where."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Operation

from ....dialects.nn.padding import MirrorPadOp, PadOp
from ....dialects.nn.rearrange import BlockMove, DepthToSpaceOp, SpaceToDepthOp, TransposeOp
from ....dialects.nn.slicing import BroadcastOp, SliceOp, TileOp
from ..node import Node, Unsupported, tensor_type
from ..scales import per_tensor
from ..schema import Tensor
from .registry import operator

TYPES = ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "INT64", "BOOL")
"""Element types that are moved."""


def expect_output(node: Node, shape: list[int] | tuple[int, ...]) -> None:
    """Raise InputError unless the output has this shape."""
    if node.output.shape != tuple(shape):
        raise node.malformed(f"{node.output} has shape {list(node.output.shape)}, the operator makes {list(shape)}")


def data_of(node: Node) -> Tensor:
    """The first input, whose elements the output consists of."""
    data = node.input(0)
    node.check_same_type((data, node.output), TYPES)
    return data


@operator("TRANSPOSE", inputs=2, types=TYPES)
def transpose(node: Node) -> Operation:
    """Dimensions in another order; negative ones count from the back."""
    data = data_of(node)
    order = [node.axis(axis, len(data.shape)) for axis in node.integers(node.input(1))]
    if sorted(order) != list(range(len(data.shape))):
        raise node.malformed(f"{order} is no permutation of {len(data.shape)} dimensions")
    expect_output(node, [data.shape[axis] for axis in order])
    return node.emit(TransposeOp(node.value(data), order))


@operator("SPACE_TO_DEPTH", inputs=1, types=TYPES)
def space_to_depth(node: Node) -> Operation:
    """Blocks of pixels to channels."""
    return _block_move(node, SpaceToDepthOp)


@operator("DEPTH_TO_SPACE", inputs=1, types=TYPES)
def depth_to_space(node: Node) -> Operation:
    """Channels to blocks of pixels."""
    return _block_move(node, DepthToSpaceOp)


def _block_move(node: Node, kind: type[BlockMove]) -> Operation:
    data = data_of(node)
    return node.emit(kind(node.value(data), node.positive("BlockSize"), tensor_type(node.output)))


@operator("REVERSE_V2", inputs=2, types=TYPES)
def reverse(node: Node) -> Operation:
    """The elements of some dimensions backwards."""
    data = data_of(node)
    expect_output(node, data.shape)
    axes = {node.axis(axis, len(data.shape)) for axis in node.integers(node.input(1))}
    begin = [extent - 1 if d in axes else 0 for d, extent in enumerate(data.shape)]
    step = [-1 if d in axes else 1 for d in range(len(data.shape))]
    return node.emit(SliceOp(node.value(data), begin, step, data.shape))


@operator("TILE", inputs=2, types=TYPES)
def tile(node: Node) -> Operation:
    """Repetitions along every dimension."""
    data = data_of(node)
    multiples = node.integers(node.input(1))
    if len(multiples) != len(data.shape) or min(multiples, default=1) < 1:
        raise node.malformed(f"multiples {multiples} do not fit shape {list(data.shape)}")
    expect_output(node, [a * b for a, b in zip(data.shape, multiples, strict=True)])
    return node.emit(TileOp(node.value(data), multiples))


@operator("BROADCAST_TO", inputs=2, types=TYPES)
def broadcast_to(node: Node) -> Operation:
    """Repetitions along dimensions of extent 1."""
    data = data_of(node)
    expect_output(node, node.integers(node.input(1)))
    return node.emit(BroadcastOp(node.value(data), tensor_type(node.output)))


@operator("PAD", inputs=2, types=TYPES)
def pad(node: Node) -> Operation:
    """A margin of zeros (of the output's zero point)."""
    value = 0
    if node.output.quantisation is not None and node.output.element_type.name in ("INT8", "UINT8", "INT16"):
        value = per_tensor(node, node.output)[1]
    return _pad(node, value)


@operator("PADV2", inputs=3, types=TYPES)
def pad_with(node: Node) -> Operation:
    """A margin of a given value."""
    value = node.input(2)
    node.check_same_type((node.input(0), value), TYPES)
    elements = node.constant(value).reshape(-1)
    if elements.size != 1:
        raise node.malformed(f"the margin's value {value} has {elements.size} elements, not 1")
    return _pad(node, elements[0].item())


def _margins(node: Node, data: Tensor) -> tuple[list[int], list[int]]:
    margins = node.integers(node.input(1))
    if len(margins) != 2 * len(data.shape):
        raise node.malformed(f"{len(margins)} margins do not fit shape {list(data.shape)}")
    before, after = margins[::2], margins[1::2]
    if min(margins, default=0) < 0:
        raise node.malformed(f"the margins {margins} must not be negative")
    expect_output(node, [a + b + c for a, b, c in zip(before, data.shape, after, strict=True)])
    return before, after


def _pad(node: Node, value: float) -> Operation:
    data = data_of(node)
    before, after = _margins(node, data)
    output = tensor_type(node.output)
    element = output.element_type
    attribute = IntegerAttr(int(value), element) if isinstance(element, IntegerType) else FloatAttr(value, element)
    return node.emit(PadOp(node.value(data), before, after, attribute, output))


@operator("MIRROR_PAD", inputs=2, types=TYPES)
def mirror_pad(node: Node) -> Operation:
    """A margin that mirrors the input."""
    data = data_of(node)
    before, after = _margins(node, data)
    mode = node.integer("Mode")
    if mode not in (0, 1):
        raise node.malformed(f"there is no mirror mode {mode}")
    return node.emit(
        MirrorPadOp(node.value(data), before, after, symmetric=mode == 1, output_type=tensor_type(node.output))
    )


@operator("SLICE", inputs=3, types=TYPES)
def slice_(node: Node) -> Operation:
    """A block of elements; an extent of -1 goes to the end."""
    data = data_of(node)
    begin, extents = node.integers(node.input(1)), node.integers(node.input(2))
    if not len(begin) == len(extents) == len(data.shape):
        raise node.malformed(f"begin {begin} and extents {extents} do not fit shape {list(data.shape)}")
    ends = zip(data.shape, begin, extents, strict=True)
    extents = [full - first if extent == -1 else extent for full, first, extent in ends]
    if any(f < 0 or e < 0 or f + e > full for full, f, e in zip(data.shape, begin, extents, strict=True)):
        raise node.malformed(f"begin {begin} and extents {extents} leave shape {list(data.shape)}")
    expect_output(node, extents)
    return node.emit(SliceOp(node.value(data), begin, [1] * len(begin), extents))


def refuse_activation(node: Node) -> None:
    """Refuse a fused activation, which no reference kernel of a moving operator applies."""
    if node.integer("FusedActivationFunction"):
        raise Unsupported("a fused activation cannot be compiled here")

"""Shapes of operators that move elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..node import Node
from .rules import Shape, shape_rule


@shape_rule("RESHAPE")
def reshape(node: Node) -> Sequence[Shape]:
    """From the second input or the option; one extent may be -1."""
    wanted = node.optional_input(1)
    option = node.operator.options.get("NewShape", ())
    assert isinstance(option, tuple), "NewShape is a vector in the schema"
    shape = node.integers(wanted) if wanted is not None else [int(extent) for extent in option]
    count, known = math.prod(node.input(0).shape), math.prod(extent for extent in shape if extent != -1)
    if shape.count(-1) > 1 or not known or count % known:
        raise node.malformed(f"{count} elements cannot have the shape {shape}")
    return [[count // known if extent == -1 else extent for extent in shape]]


@shape_rule("SHAPE")
def shape_of(node: Node) -> Sequence[Shape]:
    """One element for each dimension."""
    return [[len(node.input(0).shape)]]


@shape_rule("EXPAND_DIMS")
def expand_dims(node: Node) -> Sequence[Shape]:
    """One more dimension."""
    shape = list(node.input(0).shape)
    (axis,) = node.integers(node.input(1)) or [0]
    shape.insert(node.axis(axis, len(shape) + 1), 1)
    return [shape]


@shape_rule("SQUEEZE")
def squeeze(node: Node) -> Sequence[Shape]:
    """Without dimensions of extent 1, all of them or those that the option names."""
    shape = node.input(0).shape
    option = node.operator.options.get("SqueezeDims", ())
    assert isinstance(option, tuple), "SqueezeDims is a vector in the schema"
    axes = {node.axis(int(axis), len(shape)) for axis in option}
    return [[e for d, e in enumerate(shape) if not (d in axes if axes else e == 1)]]


@shape_rule("TRANSPOSE")
def transpose(node: Node) -> Sequence[Shape]:
    """Extents in another order."""
    shape = node.input(0).shape
    return [[shape[node.axis(axis, len(shape))] for axis in node.integers(node.input(1))]]


@shape_rule("CONCATENATION")
def concatenation(node: Node) -> Sequence[Shape]:
    """The sum along the axis."""
    shape = list(node.input(0).shape)
    axis = node.axis(node.integer("Axis"), len(shape))
    others = [node.input(position).shape for position in range(len(node.operator.inputs))]
    if any(len(other) != len(shape) for other in others):
        raise node.malformed("inputs of different ranks cannot be joined")
    shape[axis] = sum(other[axis] for other in others)
    return [shape]


@shape_rule("PACK")
def pack(node: Node) -> Sequence[Shape]:
    """One more dimension, an element of it for each input."""
    shape = list(node.input(0).shape)
    shape.insert(node.axis(node.integer("Axis"), len(shape) + 1), len(node.operator.inputs))
    return [shape]


@shape_rule("UNPACK")
def unpack(node: Node) -> Sequence[Shape]:
    """One dimension less."""
    shape = list(node.input(0).shape)
    del shape[node.axis(node.integer("Axis"), len(shape))]
    return [shape] * len(node.outputs)


@shape_rule("SPLIT")
def split(node: Node) -> Sequence[Shape]:
    """Equal parts along the axis, which is the first input."""
    shape = list(node.input(1).shape)
    (axis,) = node.integers(node.input(0)) or [0]
    axis = node.axis(axis, len(shape))
    if shape[axis] % len(node.outputs):
        raise node.malformed(f"extent {shape[axis]} cannot be split into {len(node.outputs)} parts")
    shape[axis] //= len(node.outputs)
    return [shape] * len(node.outputs)


@shape_rule("SPLIT_V")
def split_v(node: Node) -> Sequence[Shape]:
    """Parts of given sizes, one of which may be -1."""
    shape, sizes = list(node.input(0).shape), node.integers(node.input(1))
    (axis,) = node.integers(node.input(2)) or [0]
    axis = node.axis(axis, len(shape))
    rest = shape[axis] - sum(size for size in sizes if size != -1)
    return [[*shape[:axis], rest if size == -1 else size, *shape[axis + 1 :]] for size in sizes]


@shape_rule("PAD", "PADV2", "MIRROR_PAD")
def pad(node: Node) -> Sequence[Shape]:
    """Margins on both sides."""
    shape, margins = node.input(0).shape, node.integers(node.input(1))
    if len(margins) != 2 * len(shape):
        raise node.malformed(f"{len(margins)} margins do not fit shape {list(shape)}")
    return [[e + margins[2 * d] + margins[2 * d + 1] for d, e in enumerate(shape)]]


@shape_rule("TILE")
def tile(node: Node) -> Sequence[Shape]:
    """Multiples of the extents."""
    shape, multiples = node.input(0).shape, node.integers(node.input(1))
    if len(multiples) != len(shape):
        raise node.malformed(f"multiples {multiples} do not fit shape {list(shape)}")
    return [[a * b for a, b in zip(shape, multiples, strict=True)]]


@shape_rule("BROADCAST_TO")
def broadcast_to(node: Node) -> Sequence[Shape]:
    """The second input says it."""
    return [node.integers(node.input(1))]


@shape_rule("BROADCAST_ARGS")
def broadcast_args(node: Node) -> Sequence[Shape]:
    """Return as many extents as the longer of both shapes has."""
    return [[max(node.input(position).shape[0] for position in (0, 1))]]


@shape_rule("SCATTER_ND")
def scatter_nd(node: Node) -> Sequence[Shape]:
    """The third input says it."""
    return [node.integers(node.input(2))]


@shape_rule("FILL")
def fill(node: Node) -> Sequence[Shape]:
    """The first input says it."""
    return [node.integers(node.input(0))]


@shape_rule("SLICE")
def slice_(node: Node) -> Sequence[Shape]:
    """Extents from the third input, to the end for -1."""
    begin, extents = node.integers(node.input(1)), node.integers(node.input(2))
    ends = zip(node.input(0).shape, begin, extents, strict=False)
    return [[full - first if extent == -1 else extent for full, first, extent in ends]]


@shape_rule("STRIDED_SLICE")
def strided_slice(node: Node) -> Sequence[Shape]:
    """Return the shape as NumPy indexes, with masks for bounds that are left out, for new and dropped dimensions."""
    bounds = [node.integers(node.input(position)) for position in (1, 2, 3)]
    masks = [node.integer(f"{name}Mask") for name in ("Begin", "End", "Ellipsis", "NewAxis", "ShrinkAxis")]
    index: list[object] = []
    for d, (begin, end, step) in enumerate(zip(*bounds, strict=False)):
        is_begin, is_end, is_ellipsis, is_new, is_dropped = (mask >> d & 1 for mask in masks)
        if is_ellipsis:
            index.append(Ellipsis)
        elif is_new:
            index.append(None)
        elif is_dropped:
            index.append(begin)
        else:
            index.append(slice(None if is_begin else begin, None if is_end else end, step or None))
    # A view of one element: nothing of the shape's size is allocated.
    view = np.broadcast_to(np.int8(0), node.input(0).shape)
    try:
        return [view[tuple(index)].shape]  # pyright: ignore[reportArgumentType, reportCallIssue]
    except IndexError as error:
        raise node.malformed(f"bounds {bounds} leave shape {list(node.input(0).shape)}") from error


@shape_rule("GATHER")
def gather(node: Node) -> Sequence[Shape]:
    """The positions' shape in place of the axis."""
    shape, places = node.input(0).shape, node.input(1).shape
    axis, batch = node.axis(node.integer("Axis"), len(shape)), node.integer("BatchDims")
    batch = batch + len(places) if batch < 0 else batch
    return [[*shape[:axis], *places[batch:], *shape[axis + 1 :]]]


@shape_rule("GATHER_ND")
def gather_nd(node: Node) -> Sequence[Shape]:
    """The last extent of the positions is how many dimensions they index."""
    shape, places = node.input(0).shape, node.input(1).shape
    return [[*places[:-1], *shape[places[-1] if places else 0 :]]]


@shape_rule("EMBEDDING_LOOKUP")
def embedding_lookup(node: Node) -> Sequence[Shape]:
    """A row for each position."""
    return [[*node.input(0).shape, *node.input(1).shape[1:]]]


@shape_rule("SPACE_TO_DEPTH", "DEPTH_TO_SPACE")
def block_move(node: Node) -> Sequence[Shape]:
    """Blocks of pixels to channels, or back."""
    batch, height, width, channels = _rank4(node)
    block = node.positive("BlockSize")
    if node.operator.opcode == "SPACE_TO_DEPTH":
        return [[batch, height // block, width // block, channels * block * block]]
    return [[batch, height * block, width * block, channels // (block * block)]]


@shape_rule("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")
def batch_move(node: Node) -> Sequence[Shape]:
    """Blocks of pixels to the batch, or back; margins are added, or cropped."""
    shape = list(node.input(0).shape)
    block, margins = node.integers(node.input(1)), node.integers(node.input(2))
    if len(margins) != 2 * len(block) or len(block) >= len(shape) or min(block, default=1) < 1:
        raise node.malformed(f"blocks {block} and margins {margins} do not fit shape {shape}")
    to_batch = node.operator.opcode == "SPACE_TO_BATCH_ND"
    for d, size in enumerate(block):
        margin = margins[2 * d] + margins[2 * d + 1]
        shape[d + 1] = (shape[d + 1] + margin) // size if to_batch else shape[d + 1] * size - margin
    shape[0] = shape[0] * math.prod(block) if to_batch else shape[0] // math.prod(block)
    return [shape]


def _rank4(node: Node) -> tuple[int, ...]:
    shape = node.input(0).shape
    if len(shape) != 4:
        raise node.malformed(f"{node.input(0)} has shape {list(shape)}, expected 4 extents")
    return shape

"""Operators that name elements anew or put them elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i32

from ....dialects.nn.gather import GatherOp
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.padding import MirrorPadOp, PadOp
from ....dialects.nn.rearrange import DepthToSpaceOp, SpaceToDepthOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import BroadcastOp, SliceOp, TileOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import Node
from ..registry import operator
from ..stored import Stored, channels_last, integer_type, permuted, type_of, typed
from ..tensors import Lazy, Quantised, Steps, Tensor, same_steps

Indices = npt.NDArray[np.integer]


def transposed(node: Node, tensor: Tensor, perm: Sequence[int]) -> Tensor:
    """Give the elements other names of dimensions: nothing moves."""
    places = [list(perm).index(axis) for axis in range(len(perm))]

    def rename(stored: Stored, _: float) -> Stored:
        return Stored(stored.value, tuple(places[axis] for axis in stored.order))

    return moved(node, tensor, [tensor.shape[axis] for axis in perm], rename)


@operator("Transpose")
def transpose(node: Node) -> Tensor:
    """Dimensions in another order."""
    data = node.input(0)
    perm = node.attributes.get("perm", list(reversed(range(len(data.shape)))))
    if sorted(perm) != list(range(len(data.shape))):
        raise node.malformed(f"{list(perm)} is no order of {len(data.shape)} dimensions")
    return transposed(node, data, perm)


def reshaped(node: Node, data: Tensor, shape: Sequence[int]) -> Tensor:
    """Give the elements another shape in the same order."""
    if np.prod(shape) != np.prod(data.shape):
        raise node.malformed(f"{list(data.shape)} has other elements than {list(shape)}")
    if tuple(shape) == data.shape:
        return moved(node, data, shape, lambda stored, _: stored)

    def move(stored: Stored, _: float) -> Stored:
        order = _renamed(data.shape, shape, stored.order)
        value = node.to(stored, range(len(data.shape))) if order is None else stored.value
        order = range(len(shape)) if order is None else order
        return Stored(node.emit(ReshapeOp(value, typed(stored.element, permuted(shape, order)))), tuple(order))

    made = moved(node, data, shape, move)
    rows = len(data.shape) > 2 and len(shape) == 2 and (shape[0] == data.shape[0])
    return made if not rows else replace(made, flat=data)


def _renamed(old: Sequence[int], new: Sequence[int], order: Sequence[int]) -> Sequence[int] | None:
    """The order in which a tensor lies that only gains and loses dimensions of one element; None if it does more."""
    before, after = ([d for d, extent in enumerate(shape) if extent != 1] for shape in (old, new))
    if [old[d] for d in before] != [new[d] for d in after]:
        return None
    kept = [after[before.index(d)] for d in order if d in before]
    return range(len(new)) if kept == after else [*(d for d in range(len(new)) if d not in after), *kept]


@operator("Reshape")
def reshape(node: Node) -> Tensor:
    """A shape that is a constant; 0 keeps an extent, -1 is what remains."""
    data, wanted = node.input(0), [int(extent) for extent in node.constant(1).reshape(-1)]
    if not node.attributes.get("allowzero", 0):
        wanted = [data.shape[d] if extent == 0 else extent for d, extent in enumerate(wanted)]
    if -1 in wanted:
        rest = int(np.prod([extent for extent in wanted if extent != -1]))
        wanted[wanted.index(-1)] = data.size // max(rest, 1)
    return reshaped(node, data, wanted)


@operator("Flatten")
def flatten(node: Node) -> Tensor:
    """A matrix."""
    data, axis = node.input(0), int(node.attributes.get("axis", 1))
    axis = axis + len(data.shape) if axis < 0 else axis
    return reshaped(node, data, (int(np.prod(data.shape[:axis])), int(np.prod(data.shape[axis:]))))


@operator("Squeeze")
def squeeze(node: Node) -> Tensor:
    """Without dimensions of one element."""
    data = node.input(0)
    given = node.integers(1, "axes")
    axes = [d for d, extent in enumerate(data.shape) if extent == 1] if given is None else given
    axes = [node.axis(axis, len(data.shape)) for axis in axes]
    return reshaped(node, data, [extent for d, extent in enumerate(data.shape) if d not in axes])


@operator("Unsqueeze")
def unsqueeze(node: Node) -> Tensor:
    """With dimensions of one element."""
    data, given = node.input(0), node.integers(1, "axes") or []
    rank = len(data.shape) + len(given)
    axes, extents = {node.axis(axis, rank) for axis in given}, iter(data.shape)
    return reshaped(node, data, [1 if d in axes else next(extents) for d in range(rank)])


@operator("Identity", "Dropout")
def identity(node: Node) -> Tensor:
    """Return the input."""
    if node.op.op_type == "Dropout" and node.optional(2) is not None and node.constant(2).any():
        raise Unsupported("dropout while a network is trained cannot be compiled")
    return moved(node, node.input(0), node.input(0).shape, lambda stored, _: stored)


@operator("Shape")
def shape(node: Node) -> Tensor:
    """The extents, which are known."""
    extents = node.input(0).shape[node.attributes.get("start", 0) : node.attributes.get("end")]
    return node.graph.constant(node.name, np.array(extents, np.int64))


@operator("Size")
def size(node: Node) -> Tensor:
    """The number of elements."""
    return node.graph.constant(node.name, np.array(node.input(0).size, np.int64))


def sliced(node: Node, data: Tensor, begin: Sequence[int], step: Sequence[int], shape: Sequence[int]) -> Tensor:
    """Elements at constant distances."""
    name = node.name

    def move(stored: Stored, _: float) -> Stored:
        parts = (permuted(values, stored.order) for values in (begin, step, shape))
        return Stored(node.emit(SliceOp(stored.value, *parts)), stored.order)

    return moved(node, data, shape, move, name)


@operator("Slice")
def slice_(node: Node) -> Tensor:
    """Bounds and steps are constants."""
    data = node.input(0)
    starts, ends = node.integers(1, "starts") or [], node.integers(2, "ends") or []
    axes = node.integers(3, "axes") or list(range(len(starts)))
    steps = node.integers(4, "steps") or [1] * len(starts)
    begin, step, extents = [0] * len(data.shape), [1] * len(data.shape), list(data.shape)
    for axis, start, end, stride in zip(axes, starts, ends, steps, strict=True):
        d = node.axis(axis, len(data.shape))
        places = range(data.shape[d])[slice(start, end, stride)]
        if not len(places):
            raise Unsupported("a slice without elements cannot be compiled")
        begin[d], step[d], extents[d] = places[0], stride, len(places)
    return sliced(node, data, begin, step, extents)


@operator("Split")
def split(node: Node) -> Sequence[Tensor]:
    """Parts along an axis."""
    data, count = node.input(0), len(node.output_names)
    axis = node.axis(int(node.attributes.get("axis", 0)), len(data.shape))
    whole = data.shape[axis]
    sizes = node.integers(1, "split")
    if sizes is None:
        each = -(-whole // count)
        sizes = [min(each, whole - each * number) for number in range(count)]
    elif len(sizes) != count or sum(sizes) != whole or min(sizes) < 0:
        raise node.malformed(f"the sizes {sizes} are not those of {count} parts of {whole} elements")
    if min(sizes) < 1:
        raise Unsupported("parts without elements cannot be compiled")
    parts: list[Tensor] = []
    first, names = 0, node.output_names
    for name, size in zip(names, sizes, strict=True):
        begin, extents = [0] * len(data.shape), list(data.shape)
        begin[axis], extents[axis] = first, size
        part = sliced(node, data, begin, [1] * len(begin), extents)
        parts.append(replace(part, name=name))
        first += size
    return parts


@operator("Pad")
def pad(node: Node) -> Tensor:
    """A margin of a constant or of elements of the tensor; what is negative is cut off."""
    data, mode = node.input(0), node.attributes.get("mode", "constant")
    margins, rank = node.integers(1, "pads") or [], len(data.shape)
    axes = [node.axis(axis, rank) for axis in node.integers(3, "axes") or list(range(rank))]
    before, after = [0] * rank, [0] * rank
    for number, axis in enumerate(axes):
        before[axis], after[axis] = margins[number], margins[number + len(axes)]
    value = node.attributes.get("value", 0.0)
    if node.optional(2) is not None and node.constant(2).size:
        value = node.constant(2).reshape(-1)[0].item()
    if min(*before, *after) < 0:
        extents = [e + min(a, 0) + min(b, 0) for a, e, b in zip(before, data.shape, after, strict=True)]
        if min(extents) < 1:
            raise node.malformed("the margins leave no elements")
        data = sliced(node, data, [max(-a, 0) for a in before], [1] * rank, extents)
        before, after = ([max(each, 0) for each in margin] for margin in (before, after))
    if mode in _BEYOND:
        return _continued(node, data, before, after, _BEYOND[mode])
    if mode not in ("constant", "reflect"):
        raise Unsupported(f"a margin of mode {mode} cannot be compiled")
    return padded(node, data, before, after, value, reflect=mode == "reflect")


_BEYOND: Mapping[str, Callable[[Indices, int], Indices]] = {
    "edge": lambda places, extent: np.clip(places, 0, extent - 1),
    "wrap": lambda places, extent: places % extent,
}
"""Which element stands for one outside the tensor."""


def _continued(
    node: Node, data: Tensor, before: Sequence[int], after: Sequence[int], beyond: Callable[[Indices, int], Indices]
) -> Tensor:
    """A tensor with a margin of its own elements."""
    for axis, (first, extent, last) in enumerate(zip(before, data.shape, after, strict=True)):
        if first or last:
            data = taken(node, data, axis, beyond(np.arange(-first, extent + last), extent))
    return data


def taken(node: Node, data: Tensor, axis: int, places: Indices) -> Tensor:
    """Slices along an axis, in the order of storage."""
    shape = [len(places) if d == axis else extent for d, extent in enumerate(data.shape)]

    def move(stored: Stored, _: float) -> Stored:
        type = typed(stored.element, permuted(shape, stored.order))
        made = GatherOp(stored.value, node.literal(places, i32), type, axis=stored.axis(axis))
        return Stored(node.emit(made), stored.order)

    return moved(node, data, shape, move)


def padded(
    node: Node,
    data: Tensor,
    before: Sequence[int],
    after: Sequence[int],
    value: float = 0.0,
    *,
    reflect: bool = False,
) -> Tensor:
    """A tensor with a margin."""
    shape = [a + b + c for a, b, c in zip(before, data.shape, after, strict=True)]

    def move(stored: Stored, zero: float) -> Stored:
        a, b = permuted(before, stored.order), permuted(after, stored.order)
        type = typed(stored.element, permuted(shape, stored.order))
        if reflect:
            return Stored(node.emit(MirrorPadOp(stored.value, a, b, symmetric=False, output_type=type)), stored.order)
        real = node.graph.is_float(stored.element)
        fill = FloatAttr(value, f32) if real else IntegerAttr(int(zero) + int(value), integer_type(stored.element))
        return Stored(node.emit(PadOp(stored.value, a, b, fill, type)), stored.order)

    made = moved(node, data, shape, move)
    if value:
        made = replace(made, steps=None, quantise=None)
    # A margin has no integer of which the table makes 0.
    return made if made.steps is not None or reflect else replace(made, table=None)


@operator("Expand", "Tile")
def expand(node: Node) -> Tensor:
    """Elements repeated."""
    data, given = node.input(0), [int(value) for value in node.constant(1).reshape(-1)]

    def tile(stored: Stored, _: float) -> Stored:
        return Stored(node.emit(TileOp(stored.value, permuted(given, stored.order))), stored.order)

    if node.op.op_type == "Tile":
        return moved(node, data, [a * b for a, b in zip(data.shape, given, strict=True)], tile)
    shape = np.broadcast_shapes(data.shape, tuple(given))

    def broadcast(stored: Stored, _: float) -> Stored:
        value = node.to(stored, range(len(data.shape)))
        return Stored.plain(node.emit(BroadcastOp(value, typed(stored.element, shape))))

    return moved(node, data, shape, broadcast)


@operator("DepthToSpace")
def depth_to_space(node: Node) -> Tensor:
    """Channels to blocks of pixels."""
    data, block = node.input(0), int(node.attributes["blocksize"])
    n, channels, height, width = data.shape
    shape, depth = (n, channels // block**2, height * block, width * block), channels // block**2

    def move(stored: Stored, _: float) -> Stored:
        value = node.to(stored, channels_last(4))
        if node.attributes.get("mode", "DCR") == "CRD":
            order = np.arange(channels).reshape(depth, block, block).transpose(1, 2, 0).reshape(-1)
            places = node.literal(order, i32)
            value = node.emit(GatherOp(value, places, type_of(value), axis=3))
        type = typed(stored.element, (n, height * block, width * block, depth))
        return Stored(node.emit(DepthToSpaceOp(value, block, type)), channels_last(4))

    return moved(node, data, shape, move)


@operator("SpaceToDepth")
def space_to_depth(node: Node) -> Tensor:
    """Blocks of pixels to channels."""
    data, block = node.input(0), int(node.attributes["blocksize"])
    n, channels, height, width = data.shape
    shape = (n, channels * block**2, height // block, width // block)

    def move(stored: Stored, _: float) -> Stored:
        type = typed(stored.element, permuted(shape, channels_last(4)))
        value = node.emit(SpaceToDepthOp(node.to(stored, channels_last(4)), block, type))
        if node.attributes.get("mode", "DCR") == "CRD":
            order = np.arange(channels * block**2).reshape(block, block, channels).transpose(2, 0, 1).reshape(-1)
            value = node.emit(GatherOp(value, node.literal(order, i32), type, axis=3))
        return Stored(value, channels_last(4))

    return moved(node, data, shape, move)


@operator("Concat")
def concat(node: Node) -> Tensor:
    """Tensors one after the other; integers of several scales are brought to that of the result."""
    parts = [tensor for tensor in node.inputs if tensor is not None]
    axis = node.axis(int(node.attributes["axis"]), len(parts[0].shape))
    shape = list(parts[0].shape)
    shape[axis] = sum(part.shape[axis] for part in parts)

    def joined(stored: Sequence[Stored]) -> Stored:
        order = next((one.order for one in stored if one.order != tuple(range(len(shape)))), stored[0].order)
        values = [node.to(one, order) for one in stored]
        type = typed(stored[0].element, permuted(shape, order))
        return Stored(node.emit(ConcatOp(values, order.index(axis), type)), order)

    def real() -> Stored:
        return joined([part.value.stored for part in parts])

    def quantise(to: Quantised) -> Stored | None:
        if to.is_bounded and any(node.in_integers(part, to) is None for part in parts):
            return None
        return joined([node.quantised(part, to) for part in parts])

    shared = same_steps(parts)
    steps = None
    if shared is not None:
        held = [part.steps for part in parts if part.steps is not None]
        steps = Steps(Lazy(lambda: joined([each.integers.stored for each in held])), shared)
    ready = all(
        part.array is not None or part.steps is not None or part.table is not None or part.quantise is not None
        for part in parts
    )
    dtype = parts[0].dtype
    return node.made(real, shape, dtype, steps=steps, quantise=quantise if ready else None)

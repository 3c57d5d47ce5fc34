"""Resize and Upsample: nearest elements and bilinear means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from ....dialects.nn.gather import GatherOp
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.rearrange import TransposeOp
from ....dialects.nn.resize import ResizeNearestOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import Node
from ..registry import operator
from ..stored import Stored, channels_last, permuted, typed
from ..tensors import Tensor

Places = npt.NDArray[np.float64]

ROUNDS: Mapping[str, Callable[[Places], Places]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


@operator("Resize", "Upsample")
def resize(node: Node) -> Tensor:
    """By constant scales or to constant sizes."""
    data, rank = node.input(0), len(node.input(0).shape)
    shape, scales = _extents(node, data)
    mode = node.attributes.get("mode", "nearest")
    centres = node.attributes.get("coordinate_transformation_mode", "half_pixel")
    if node.op.op_type == "Upsample" or node.graph.opset < 11:
        centres = "asymmetric"
    if rank != 4 or shape[:2] != list(data.shape[:2]):
        raise Unsupported("images alone are resized, in height and width")
    if node.attributes.get("antialias", 0) or node.attributes.get("exclude_outside", 0):
        raise Unsupported("antialias and exclude_outside cannot be compiled")
    if centres == "align_corners" and any(abs(data.shape[d] * scales[d] - shape[d]) > 1e-3 for d in (2, 3)):
        raise Unsupported("align_corners with scales that leave a part of an element cannot be compiled")
    places = [_places(node, centres, data.shape[d], shape[d], scales[d]) for d in (2, 3)]
    if mode == "nearest":
        default = "floor" if node.op.op_type == "Upsample" else "round_prefer_floor"
        rounds = ROUNDS[node.attributes.get("nearest_mode", default)]
        indices = [
            np.clip(rounds(place), 0, extent - 1).astype(int).tolist()
            for place, extent in zip(places, data.shape[2:], strict=True)
        ]
        return moved(node, data, shape, lambda stored, _: _nearest(node, stored, shape, indices))
    if mode != "linear":
        raise Unsupported(f"resizing by {mode} cannot be compiled")

    def real() -> Stored:
        value = node.to(data.value.stored, channels_last(4))
        for axis, place in ((1, places[0]), (2, places[1])):
            value = _mixed(node, value, axis, place)
        return Stored(value, channels_last(4))

    return node.made(real, shape)


def _extents(node: Node, data: Tensor) -> tuple[list[int], list[float]]:
    """Extents of the result, and the factor of each dimension."""
    rank, position = len(data.shape), 1 if node.op.op_type == "Upsample" or node.graph.opset < 11 else 2
    axes = [int(axis) % rank for axis in node.attributes.get("axes", range(rank))]
    shape, scales = list(data.shape), [1.0] * rank
    given = node.optional(position)
    if given is not None and given.array is None:
        node.constant(position)
    if given is not None and given.array is not None and given.size:
        for axis, scale in zip(axes, given.array.reshape(-1), strict=True):
            shape[axis], scales[axis] = int(np.floor(data.shape[axis] * np.float32(scale))), float(scale)
    elif "scales" in node.attributes:
        scales = [float(scale) for scale in node.attributes["scales"]]
        shape = [int(np.floor(a * b)) for a, b in zip(data.shape, scales, strict=True)]
    else:
        if node.attributes.get("keep_aspect_ratio_policy", "stretch") != "stretch":
            raise Unsupported("sizes that keep the aspect ratio cannot be compiled")
        for axis, size in zip(axes, node.constant(3).reshape(-1), strict=True):
            shape[axis], scales[axis] = int(size), int(size) / data.shape[axis]
    if min(shape) < 1:
        raise node.malformed(f"the result {shape} has no elements")
    return shape, scales


def _places(node: Node, centres: str, size: int, result: int, scale: float) -> Places:
    """Where each element of the result lies in the operand."""
    index = np.arange(result, dtype=np.float64)
    match centres:
        case "half_pixel":
            return (index + 0.5) / scale - 0.5
        case "pytorch_half_pixel":
            return (index + 0.5) / scale - 0.5 if result > 1 else np.zeros(result)
        case "half_pixel_symmetric":
            adjust = result / (scale * size)
            return size / 2 * (1 - adjust) + (index + 0.5) / scale - 0.5
        case "align_corners":
            return index * (size - 1) / (result - 1) if result > 1 else np.zeros(result)
        case "asymmetric":
            return index / scale
        case _:
            raise Unsupported(f"resizing by {centres} cannot be compiled")


def _nearest(node: Node, stored: Stored, shape: Sequence[int], indices: Sequence[list[int]]) -> Stored:
    value = node.to(stored, channels_last(4))
    type = typed(stored.element, permuted(shape, channels_last(4)))
    plain = ResizeNearestOp(value, type)
    if [plain.places(axis) for axis in (1, 2)] == list(indices):
        return Stored(node.emit(plain), channels_last(4))
    for axis, places in ((1, indices[0]), (2, indices[1])):
        extents = list(Stored.plain(value).extents)
        extents[axis] = len(places)
        made = typed(stored.element, extents)
        value = node.emit(GatherOp(value, node.literal(np.array(places), i32), made, axis=axis))
    return Stored(value, channels_last(4))


def _mixed(node: Node, value: SSAValue, axis: int, places: Places) -> SSAValue:
    """Along one dimension each element the mean of two, as a product with a matrix of weights."""
    extents = list(Stored.plain(value).extents)
    size = extents[axis]
    inside = np.clip(places, 0, size - 1)
    lower = np.floor(inside).astype(int)
    upper = np.minimum(lower + 1, size - 1)
    matrix = np.zeros((len(places), size), np.float32)
    np.add.at(matrix, (np.arange(len(places)), lower), 1 - (inside - lower))
    np.add.at(matrix, (np.arange(len(places)), upper), inside - lower)
    order = [d for d in range(4) if d != axis] + [axis]
    value = node.emit(TransposeOp(value, order))
    rows = int(np.prod(extents)) // size
    value = node.emit(ReshapeOp(value, typed(f32, (rows, size))))
    value = node.emit(
        FullyConnectedOp(value, node.literal(matrix, f32), None, output_type=typed(f32, (rows, len(places))))
    )
    value = node.emit(ReshapeOp(value, typed(f32, [*(extents[d] for d in order[:3]), len(places)])))
    return node.emit(TransposeOp(value, [order.index(d) for d in range(4)]))

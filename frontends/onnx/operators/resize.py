"""Resize and Upsample: nearest elements and bilinear means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i32

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.gather import GatherOp
from ....dialects.nn.real_resize import RealResizeOp
from ....dialects.nn.resize import ResizeNearestOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import Node
from ..old_sets import OLD
from ..quantisation import clamp
from ..registry import operator
from ..resizing import Places, extents, places
from ..stored import Stored, channels_last, permuted, typed
from ..tensors import MOVED, REACH, Quantised, Tensor
from .movement import reshaped

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
    if rank == 3:
        return _row(node, data)
    return _resized(node, data, *extents(node, data))


def _row(node: Node, data: Tensor) -> Tensor:
    """A row of pixels is an image of one row."""
    shape, scales = extents(node, data)
    image = reshaped(node, data, (*data.shape[:2], 1, data.shape[2]))
    made = _resized(node, image, [*shape[:2], 1, shape[2]], [*scales[:2], 1.0, scales[2]])
    return reshaped(node, made, shape)


def _resized(node: Node, data: Tensor, shape: list[int], scales: list[float]) -> Tensor:
    """An image of other extents."""
    rank = len(data.shape)
    mode = node.attributes.get("mode", "nearest")
    centres = node.attributes.get("coordinate_transformation_mode", "half_pixel")
    if rank != 4 or shape[:2] != list(data.shape[:2]):
        raise Unsupported("images alone are resized, in height and width")
    if node.attributes.get("antialias", 0) or node.attributes.get("exclude_outside", 0):
        raise Unsupported("antialias and exclude_outside cannot be compiled")
    at = [places(node, centres, data.shape[d], shape[d], scales[d]) for d in (2, 3)]
    if mode == "nearest":
        rounds = node.attributes.get("nearest_mode", "round_prefer_floor")
        indices = [
            np.clip(ROUNDS[rounds if rounds != OLD else "ceil" if scale < 1 else "floor"](place), 0, extent - 1)
            .astype(int)
            .tolist()
            for place, extent, scale in zip(at, data.shape[2:], scales[2:], strict=True)
        ]
        return moved(node, data, shape, lambda stored, _: _nearest(node, stored, shape, indices))
    if mode != "linear":
        raise Unsupported(f"resizing by {mode} cannot be compiled")
    return _means(node, data, shape, at)


def _means(node: Node, data: Tensor, shape: Sequence[int], places: Sequence[Places]) -> Tensor:
    """Means of four floats, of quantised elements through floats, or of integers, whose fractions are dropped."""
    rows, columns = (np.clip(each, 0, size - 1).tolist() for each, size in zip(places, data.shape[2:], strict=True))

    def mean(stored: Stored, **more: Any) -> Stored:
        value, type = node.to(stored, channels_last(4)), typed(stored.element, permuted(shape, channels_last(4)))
        made = RealResizeOp(value, rows=rows, columns=columns, output_type=type, **more)
        return Stored(node.emit(made), channels_last(4))

    if data.dtype in REACH:
        zero, whole = -MOVED.get(data.dtype, 0), ClampAttr.get(*REACH[data.dtype])
        numbers = {"zero_points": (zero, zero), "scales": (1.0, 1.0), "clamp": whole, "truncates": True}
        return node.made(lambda: mean(data.value.stored, **numbers), shape, data.dtype)
    if data.dtype != "float32":
        raise Unsupported(f"means of {data.dtype} cannot be compiled")
    steps = data.steps

    def quantised(to: Quantised) -> Stored | None:
        if steps is None or steps.quantised.bytes != to.bytes:
            return None
        zero_points, scales = (steps.quantised.zero_point, to.zero_point), (steps.quantised.scale, to.scale)
        return mean(steps.integers.stored, zero_points=zero_points, scales=scales, clamp=clamp(to))

    return node.made(lambda: mean(data.value.stored), shape, quantise=quantised)


def _nearest(node: Node, stored: Stored, shape: Sequence[int], indices: Sequence[list[int]]) -> Stored:
    value = node.to(stored, channels_last(4))
    type = typed(stored.element, permuted(shape, channels_last(4)))
    plain = ResizeNearestOp(value, type)
    if [plain.places(axis) for axis in (1, 2)] == list(indices):
        return Stored(node.emit(plain), channels_last(4))
    for axis, along in ((1, indices[0]), (2, indices[1])):
        sizes = list(Stored.plain(value).extents)
        sizes[axis] = len(along)
        made = typed(stored.element, sizes)
        value = node.emit(GatherOp(value, node.literal(np.array(along), i32), made, axis=axis))
    return Stored(value, channels_last(4))

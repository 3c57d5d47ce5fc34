"""RESIZE: where each element of the result lies is known when the model is compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Attribute, SSAValue

from ....dialects.nn.elementwise import AddOp, MulOp
from ....dialects.nn.gather import GatherOp
from ....dialects.nn.resize import ResizeBilinearOp, ResizeNearestOp
from ....dialects.tosa.attributes import ResizeMode
from ....dialects.tosa.movement import ResizeOp
from ...reasons import Unsupported
from ..constants import type_of, typed, verify_known
from ..node import Node
from ..registry import imports
from .elementwise import recast

Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """Along one dimension, of every element of the result the two between which it lies."""

    lower: Places
    upper: Places
    rest: Places
    """How far it is beyond the lower one, in steps."""
    steps: int
    """From one element to the next."""

    @property
    def nearest(self) -> Places:
        """The nearer one, the upper one in the middle."""
        return np.where(2 * self.rest >= self.steps, self.upper, self.lower)


@imports(ResizeOp)
def resize(op: ResizeOp, node: Node) -> SSAValue:
    """Images with channels last."""
    value = node.value(op.input)
    shape = type_of(value).get_shape()
    scale, offset = node.extents(op.scale, "the scale"), node.extents(op.offset, "the offset")
    border = node.extents(op.border, "the border")
    if len(shape) != 4 or len(scale) != 4 or len(offset) != 2 or len(border) != 2 or min(scale) < 1:
        raise node.malformed("it needs an image, a scale of 4 numbers above 0, an offset and a border of 2")
    axes = [_axis(node, shape[1 + d], scale[2 * d], scale[2 * d + 1], offset[d], border[d]) for d in range(2)]
    result = [shape[0], len(axes[0].lower), len(axes[1].lower), shape[3]]
    if op.mode.data is ResizeMode.NEAREST_NEIGHBOR:
        return _nearest(node, value, axes, result)
    element = type_of(value).get_element_type()
    if element == f32:
        return _bilinear(node, value, axes, result)
    if element != i8:
        raise Unsupported(f"means of {element} cannot be compiled")
    value = recast(node, value, i32)
    for d, axis in enumerate(axes):
        value = _mixed(node, value, 1 + d, axis, i32)
    return value


def _axis(node: Node, size: int, above: int, below: int, offset: int, border: int) -> Axis:
    over = (size - 1) * above - offset + border
    if over < 0 or over % below:
        raise node.malformed(f"scale, offset and border do not fit {size} elements")
    verify_known([over // below + 1])
    y = np.arange(over // below + 1, dtype=np.int64) * below + offset
    lower = y // above
    return Axis(np.clip(lower, 0, size - 1), np.clip(lower + 1, 0, size - 1), y - lower * above, above)


def _nearest(node: Node, value: SSAValue, axes: list[Axis], result: list[int]) -> SSAValue:
    element = type_of(value).get_element_type()
    for align, half in ((False, False), (True, False), (False, True), (True, True)):
        plain = ResizeNearestOp(value, typed(element, result), align_corners=align, half_pixel_centers=half)
        if all(plain.places(1 + d) == axis.nearest.tolist() for d, axis in enumerate(axes)):
            return node.emit(plain)
        plain.erase()
    for d, axis in enumerate(axes):
        value = _taken(node, value, 1 + d, axis.nearest)
    return value


def _taken(node: Node, value: SSAValue, axis: int, places: Places) -> SSAValue:
    """Elements of a dimension by place."""
    shape = list(type_of(value).get_shape())
    if places.tolist() == list(range(shape[axis])):
        return value
    shape[axis] = len(places)
    made = typed(type_of(value).get_element_type(), shape)
    return node.emit(GatherOp(value, node.literal(places, i32), made, axis=axis))


def _bilinear(node: Node, value: SSAValue, axes: list[Axis], result: list[int]) -> SSAValue:
    for align, half in ((False, False), (True, False), (False, True)):
        plain = ResizeBilinearOp(value, typed(f32, result), align_corners=align, half_pixel_centers=half)
        if all(_is_like(plain.real_places(1 + d), axis) for d, axis in enumerate(axes)):
            return node.emit(plain)
        plain.erase()
    for d, axis in enumerate(axes):
        value = _mixed(node, value, 1 + d, axis, f32)
    return value


def _is_like(places: tuple[list[int], list[int], npt.NDArray[np.float32]], axis: Axis) -> bool:
    """Whether the same elements have nearly the same weights; those of weight 0 do not matter."""
    fraction = (axis.rest / axis.steps).astype(np.float32)
    found: list[npt.NDArray[Any]] = []
    for lower, upper, share in (places, (axis.lower.tolist(), axis.upper.tolist(), fraction)):
        matrix = np.zeros((len(fraction), 1 + max(*lower, *upper, *axis.upper.tolist())))
        rows = np.arange(len(fraction))
        np.add.at(matrix, (rows, np.array(lower)), 1 - share.astype(np.float64))
        np.add.at(matrix, (rows, np.array(upper)), share.astype(np.float64))
        found.append(matrix)
    return found[0].shape == found[1].shape and bool(np.allclose(*found, rtol=0, atol=1e-6))


def _mixed(node: Node, value: SSAValue, dimension: int, axis: Axis, element: Attribute) -> SSAValue:
    """Each element the sum of two, times the steps to the other one; of floats times their share of all steps."""
    shape = [1] * 4
    shape[dimension] = len(axis.rest)
    parts: list[SSAValue] = []
    for places, weight in ((axis.lower, axis.steps - axis.rest), (axis.upper, axis.rest)):
        share: Any = weight / axis.steps if element == f32 else weight
        taken = _taken(node, value, dimension, places)
        factor = node.literal(share.reshape(shape), element)
        parts.append(node.emit(MulOp(taken, factor, output_type=type_of(taken))))
    return node.emit(AddOp(*parts, output_type=type_of(parts[0])))

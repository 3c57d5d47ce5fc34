"""Gather and Scatter of each kind, and OneHot: places are constants or computed at run time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ....dialects import nn_keys
from ....dialects.nn.element_functions import CompareOp, Predicate
from ....dialects.nn.elementwise import AddOp, MulOp
from ....dialects.nn.gather import GatherNdOp, GatherOp
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.scatter import Combination, ScatterNdOp
from ....dialects.nn.select import SelectOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import ELEMENTS, Node
from ..registry import operator
from ..stored import Stored, type_of, typed
from ..tensors import MOVED, Tensor
from .arithmetic import is_stepped, stepped
from .quantise import dequantised

Emit = Callable[[], SSAValue]


def places(node: Node, tensor: Tensor, extents: npt.ArrayLike) -> Emit:
    """Return what emits places from the front; negative ones count from the back of extents, which broadcast.

    Constants must lie inside. Others are clamped where they are read.
    """
    ends, rank = np.asarray(extents, np.int64), len(tensor.shape)
    known = _known_places(node, tensor, ends)
    if known is not None:
        return lambda: node.literal(known, ELEMENTS["int32"])

    def emit() -> SSAValue:
        value = node.real(tensor)
        type = type_of(value)
        zero = node.literal(np.zeros((1,) * rank), type.get_element_type())
        negative = node.emit(CompareOp(Predicate.LESS, value, zero, typed(i1, tensor.shape)))
        more = node.literal(ends.reshape((1,) * (rank - ends.ndim) + ends.shape), type.get_element_type())
        made = SelectOp(negative, node.emit(AddOp(value, more, output_type=type)), value, type)
        # Who draws inputs need not know how places are counted.
        nn_keys.LIMITS.put(made.attributes, [0, int(ends.min()) - 1])
        return node.emit(made)

    return emit


def _known_places(node: Node, tensor: Tensor, ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """Constant places from the front; None if they are computed."""
    if tensor.dtype not in ("int32", "int64"):
        raise Unsupported(f"places of type {tensor.dtype} cannot be compiled")
    if tensor.array is None:
        return None
    given = tensor.array.astype(np.int64)
    if np.any(given < -ends) or np.any(given >= ends):
        raise node.malformed(f"an index is none of the {int(ends.max())} elements")
    return np.where(given < 0, given + ends, given)


def _gathered(node: Node, shape: Sequence[int], make: Callable[[SSAValue], SSAValue]) -> Tensor:
    """Elements of the first input; of a dequantised constant with one scale the integers are read."""
    data, scale = node.input(0), None
    if is_stepped(data) and (steps := stepped(node, data).steps) is not None:
        scale = steps.quantised
        data = Tensor(data.name, data.shape, scale.dtype, steps.integers)
    order = range(len(data.shape))
    made = moved(node, data, shape, lambda stored, _: Stored.plain(make(node.to(stored, order))))
    return made if scale is None else dequantised(node, made, scale)


@operator("Gather")
def gather(node: Node) -> Tensor:
    """Slices along an axis."""
    data, indices = node.input(0), node.input(1)
    axis = node.axis(int(node.attributes.get("axis", 0)), len(data.shape))
    shape = (*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :])
    found = places(node, indices, data.shape[axis])

    def make(value: SSAValue) -> SSAValue:
        return node.emit(GatherOp(value, found(), typed(type_of(value).get_element_type(), shape), axis=axis))

    return _gathered(node, shape, make)


def _places_in_row(node: Node, data: Tensor, indices: Tensor) -> Emit:
    """Return what emits the place in a row of all elements that each index names along an axis."""
    rank, shape = len(data.shape), indices.shape
    axis = node.axis(int(node.attributes.get("axis", 0)), rank)
    known = _known_places(node, indices, np.array(data.shape[axis]))
    found = places(node, indices, data.shape[axis])
    strides = [int(np.prod(data.shape[d + 1 :])) for d in range(rank)]
    own = sum(
        np.arange(shape[d]).reshape([-1 if d == e else 1 for e in range(rank)]) * strides[d]
        for d in range(rank)
        if d != axis
    )
    others = np.zeros((1,) * rank, np.int64) + own
    if known is not None:
        return lambda: node.literal(known * strides[axis] + others, ELEMENTS["int32"])

    def emit() -> SSAValue:
        along = found()
        type = type_of(along)
        kind = type.get_element_type()
        step = node.literal(np.full((1,) * rank, strides[axis]), kind)
        flat = node.emit(MulOp(along, step, output_type=type))
        return node.emit(AddOp(flat, node.literal(others, kind), output_type=type))

    return emit


@operator("GatherElements")
def gather_elements(node: Node) -> Tensor:
    """An element for each index, at its own place but for an axis."""
    data, indices = node.input(0), node.input(1)
    found = _places_in_row(node, data, indices)

    def make(value: SSAValue) -> SSAValue:
        flat, element = found(), type_of(value).get_element_type()
        row = node.emit(ReshapeOp(value, typed(element, (data.size,))))
        return node.emit(GatherOp(row, flat, typed(element, indices.shape)))

    return _gathered(node, indices.shape, make)


_COMBINATIONS: Mapping[str, Combination] = {
    "add": Combination.ADD,
    "max": Combination.LARGER,
    "min": Combination.SMALLER,
    "mul": Combination.MULTIPLY,
    "none": Combination.REPLACE,
}


@operator("ScatterElements", "ScatterND")
def scatter(node: Node) -> Tensor:
    """The first input with elements or slices of the third put where the second says."""
    data, indices, updates = node.input(0), node.input(1), node.input(2)
    combination = _COMBINATIONS[node.attributes.get("reduction", "none")]
    is_sum = combination in (Combination.ADD, Combination.MULTIPLY)
    if data.dtype not in ELEMENTS or (combination is not Combination.REPLACE and data.dtype == "bool"):
        raise Unsupported(f"scattered elements of {data.dtype} cannot be compiled")
    if is_sum and data.dtype in MOVED:
        raise Unsupported(f"sums and products of scattered {data.dtype} cannot be compiled")
    elements = node.op.op_type == "ScatterElements"
    if elements:
        if indices.shape != updates.shape:
            raise node.malformed(f"indices {list(indices.shape)} do not fit updates {list(updates.shape)}")
        found, shape, count = _places_in_row(node, data, indices), (data.size,), indices.size
    else:
        depth = indices.shape[-1] if indices.shape else 0
        if not 1 <= depth <= len(data.shape):
            raise node.malformed(f"indices {list(indices.shape)} do not fit {list(data.shape)}")
        found, shape, count = places(node, indices, data.shape[:depth]), data.shape, 0

    def real() -> Stored:
        at, new, old = found(), node.real(updates), node.real(data)
        element = type_of(old).get_element_type()
        if elements:
            at = node.emit(ReshapeOp(at, typed(type_of(at).get_element_type(), (count, 1))))
            new, old = (
                node.emit(ReshapeOp(value, typed(element, (n,)))) for value, n in ((new, count), (old, data.size))
            )
        made = node.emit(ScatterNdOp(at, new, typed(element, shape), combination, old))
        return Stored.plain(node.emit(ReshapeOp(made, typed(element, data.shape))) if elements else made)

    return node.made(real, data.shape, data.dtype)


@operator("GatherND")
def gather_nd(node: Node) -> Tensor:
    """Slices that the rows of the indices name."""
    data, indices = node.input(0), node.input(1)
    together = int(node.attributes.get("batch_dims", 0))
    count = together + (indices.shape[-1] if indices.shape else 0)
    fits = data.shape[:together] == indices.shape[:together] and 0 <= together < len(indices.shape)
    if not fits or not together < count <= len(data.shape):
        raise node.malformed(f"indices {list(indices.shape)} do not fit {list(data.shape)}")
    rows = indices.shape[:-1]
    shape = (*rows, *data.shape[count:])
    found = places(node, indices, data.shape[together:count])
    # Along dimensions that go together each slice has its own place.
    own = np.moveaxis(np.indices(rows)[:together], 0, -1)

    def make(value: SSAValue) -> SSAValue:
        given = found()
        if together:
            kind = type_of(given).get_element_type()
            joined = [node.literal(own, kind), given]
            given = node.emit(ConcatOp(joined, len(rows), typed(kind, (*rows, count))))
        return node.emit(GatherNdOp(value, given, typed(type_of(value).get_element_type(), shape)))

    return _gathered(node, shape, make)


@operator("OneHot")
def one_hot(node: Node) -> Tensor:
    """One of two values: whether an index is the place along a new axis."""
    indices, depth, values = node.input(0), int(node.constant(1).reshape(-1)[0]), node.constant(2)
    rank, dtype = len(indices.shape) + 1, values.dtype.name
    axis = node.axis(int(node.attributes.get("axis", -1)), rank)
    if dtype not in ELEMENTS or indices.dtype not in ("int32", "int64") or depth < 1 or values.size != 2:
        raise Unsupported(f"{depth} places of {indices.dtype} as {values.size} values of {dtype} cannot be compiled")
    wide = (*indices.shape[:axis], 1, *indices.shape[axis:])
    shape = (*wide[:axis], depth, *wide[axis + 1 :])
    found = places(node, indices, depth)

    def real() -> Stored:
        given = found()
        kind = type_of(given).get_element_type()
        given = node.emit(ReshapeOp(given, typed(kind, wide)))
        numbers = np.arange(depth).reshape([-1 if d == axis else 1 for d in range(rank)])
        same = node.emit(CompareOp(Predicate.EQUAL, given, node.literal(numbers, kind), typed(i1, shape)))
        off, on = (node.graph.constant(node.name, each.reshape((1,) * rank)).value.stored.value for each in values)
        return Stored.plain(node.emit(SelectOp(same, on, off, typed(ELEMENTS[dtype], shape))))

    return node.made(real, shape, dtype)

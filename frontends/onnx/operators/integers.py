"""DynamicQuantizeLinear, and ConvInteger and MatMulInteger, whose results are the sums themselves."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i1, i8, i32
from xdsl.ir import SSAValue

from ....dialects.nn.activation import ClampOp
from ....dialects.nn.attributes import SAME, ClampAttr
from ....dialects.nn.element_functions import Binary, BinaryOp, CompareOp, Predicate, Unary, UnaryOp
from ....dialects.nn.elementwise import AddOp, DivOp, MulOp, SubOp
from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.joining import ConcatOp
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.quantise import CastOp
from ....dialects.nn.reduction import ReduceMaxOp, ReduceMinOp
from ....dialects.nn.select import SelectOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import BroadcastOp
from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..stored import Stored, channels_last, type_of, typed
from ..tensors import Lazy, Tensor
from .conv import arranged, convolved, place
from .unary import scalar

INT32 = ClampAttr.get(-(2**31), 2**31 - 1)


@operator("DynamicQuantizeLinear")
def dynamic_quantize_linear(node: Node) -> Sequence[Tensor]:
    """Bytes of a scale and zero point that the values themselves give."""
    data = node.input(0)

    @functools.cache
    def emitted() -> tuple[Stored, SSAValue, SSAValue]:
        stored = data.value.stored
        integers, scale, zero = in_bytes(node, stored.value)
        alone = [node.emit(ReshapeOp(value, typed(kind, ()))) for value, kind in ((scale, f32), (zero, i8))]
        return Stored(integers, stored.order), alone[0], alone[1]

    made = node.made(lambda: emitted()[0], data.shape, "uint8")
    names = [*node.output_names, "", ""][1:3]
    return [
        made,
        Tensor(names[0], (), "float32", Lazy(lambda: Stored.plain(emitted()[1]))),
        Tensor(names[1], (), "uint8", Lazy(lambda: Stored.plain(emitted()[2]))),
    ]


def in_bytes(node: Node, value: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Bytes of floats, their scale and their zero point; all extents of these are 1.

    Bytes without a sign are stored 128 less, and so is the zero point.
    """
    shape = shape_of(value)
    rank, axes = len(shape), range(len(shape))
    one, whole, zero = typed(f32, (1,) * rank), type_of(value), scalar(node, 0.0, rank)
    lowest, highest = (node.emit(kind(value, axes, one)) for kind in (ReduceMinOp, ReduceMaxOp))
    least = node.emit(BinaryOp(Binary.MINIMUM, lowest, zero, one))
    most = node.emit(BinaryOp(Binary.MAXIMUM, highest, zero, one))
    reach = node.emit(SubOp(most, least, output_type=one))
    none = node.emit(CompareOp(Predicate.EQUAL, reach, zero, typed(i1, (1,) * rank)))
    step = node.emit(DivOp(reach, scalar(node, 255.0, rank), output_type=one))
    scale = node.emit(SelectOp(none, scalar(node, 1.0, rank), step, one))
    first = node.emit(SubOp(zero, node.emit(DivOp(least, scale, output_type=one)), output_type=one))
    inside = node.emit(UnaryOp(Unary.ROUND_EVEN, node.emit(ClampOp(first, ClampAttr.get(0.0, 255.0), one)), one))
    zero_point = node.emit(SubOp(inside, scalar(node, 128.0, rank), output_type=one))
    steps = node.emit(UnaryOp(Unary.ROUND_EVEN, node.emit(DivOp(value, scale, output_type=whole)), whole))
    moved = node.emit(AddOp(steps, zero_point, output_type=whole))
    bounded = node.emit(ClampOp(moved, ClampAttr.get(-128.0, 127.0), whole))
    return node.emit(CastOp(bounded, typed(i8, shape))), scale, node.emit(CastOp(zero_point, typed(i8, (1,) * rank)))


@operator("MatMulInteger")
def matmul_integer(node: Node) -> Tensor:
    """Rows times a constant matrix."""
    data = node.input(0)
    given = node.constant(1)
    if given.ndim != 2 or not data.shape or data.shape[-1] != len(given):
        raise Unsupported(f"the product of {list(data.shape)} and {list(given.shape)} cannot be compiled")
    depth, columns = given.shape
    parts = _weights(node, (1, -1))
    shape = (*data.shape[:-1], columns)

    def product(zero_point: int) -> Stored:
        value = node.real(data)
        rows = node.emit(ReshapeOp(value, typed(i8, (data.size // depth, depth))))
        type, sums = typed(i32, (data.size // depth, columns)), list[SSAValue]()
        for matrix, zero in parts:
            filter = node.literal(matrix.T, i8, node.input(1).name)
            made = node.emit(FullyConnectedOp(rows, filter, None, output_type=type, **exact_sums(zero_point, zero)))
            sums.append(node.emit(ReshapeOp(made, typed(i32, shape))))
        return Stored.plain(_added(node, sums))

    totals = np.sum([matrix - zero for matrix, zero in parts], axis=(0, 1)).reshape(
        (1,) * (len(shape) - 1) + (columns,)
    )
    return _result(node, shape, product, totals)


@operator("ConvInteger")
def conv_integer(node: Node) -> Tensor:
    """A convolution with constant weights."""
    data, group = node.input(0), int(node.attributes.get("group", 1))
    rank = len(data.shape)
    parts = _weights(node, (-1, *(1,) * (rank - 1)))
    window, shape = place(node, node.constant(1), group)
    late, inner = _late(node), window
    if late is not None:
        # The margin holds what the zero point is then.
        inner = replace(window, pads=(0, 0, 0, 0))

    def product(zero_point: int) -> Stored:
        value = node.real(data, channels_last(rank))
        if late is not None:
            pairs = [window.pads[2:]] if rank == 3 else [window.pads[:2], window.pads[2:]]
            value = _bordered(node, value, node.real(late), pairs)
        made: list[Stored] = []
        for filter, zero in parts:
            weights = node.literal(arranged(filter, group), i8, node.input(1).name)
            made.append(convolved(node, value, weights, None, inner, group, shape, i32, exact_sums(zero_point, zero)))
        return replace(made[0], value=_added(node, [each.value for each in made]))

    totals = np.sum([filter - zero for filter, zero in parts], axis=(0, *range(2, rank + 1))).reshape(
        (1,) * (rank - 1) + (-1,)
    )
    return _result(node, shape, product, totals)


def _weights(node: Node, shape: Sequence[int]) -> Sequence[tuple[Any, int]]:
    """Constant weights as they are stored, and their zero point; two that add up where channels have several.

    The shape is that of the zero points of channels, to broadcast.
    """
    array = node.constant(1)
    moved = 128 if array.dtype.name == "uint8" else 0
    zeros = np.zeros(1, np.int64) if node.optional(3) is None else node.constant(3).astype(np.int64).reshape(-1)
    if len(set(zeros.tolist())) <= 1:
        return [(array.astype(np.int64) - moved, int(zeros[0]) - moved)]
    # Differences reach from -255 to 255: half of one is a byte, and so is the rest less -1.
    whole = array.astype(np.int64) - zeros.reshape(shape)
    half = whole // 2
    return [(half, 0), (whole - half - 1, -1)]


def _added(node: Node, values: Sequence[SSAValue]) -> SSAValue:
    """The sum of integers."""
    return functools.reduce(lambda a, b: node.emit(AddOp(a, b, output_type=type_of(a))), values)


def _late(node: Node) -> Tensor | None:
    """The input's zero point where it is computed at run time."""
    given = node.optional(2)
    return None if given is None or given.array is not None else given


def _bordered(node: Node, value: SSAValue, margin: SSAValue, pairs: Sequence[Sequence[int]]) -> SSAValue:
    """An image, channels last, with so many elements before and behind it along each dimension of space."""
    element, rank = type_of(value).get_element_type(), len(pairs) + 2
    one = node.emit(ReshapeOp(margin, typed(element, (1,) * rank)))
    for axis, (before, after) in enumerate(pairs, 1):
        extents = list(type_of(value).get_shape())

        def filled(count: int, axis: int = axis, extents: Sequence[int] = extents) -> list[SSAValue]:
            shape = (*extents[:axis], count, *extents[axis + 1 :])
            return [node.emit(BroadcastOp(one, typed(element, shape)))] if count else []

        if before or after:
            shape = (*extents[:axis], before + extents[axis] + after, *extents[axis + 1 :])
            value = node.emit(ConcatOp([*filled(before), value, *filled(after)], axis, typed(element, shape)))
    return value


def exact_sums(input: int, weights: int) -> dict[str, Any]:
    """Properties of a product whose sums stay what they are; zero points of the input and of the weights."""
    return {"zero_points": (input, weights, 0), "rescale": SAME, "clamp": INT32}


def _result(node: Node, shape: Sequence[int], product: Callable[[int], Stored], totals: Any) -> Tensor:
    """The sums of products, less the input's zero point times the sums of the weights where it is known late."""
    data, given, late = node.input(0), node.optional(2), _late(node)
    moved = 128 if data.dtype == "uint8" else 0
    if data.dtype not in ("int8", "uint8") or (given is not None and given.size != 1):
        raise Unsupported(f"products of {data.dtype}, or with several zero points, cannot be compiled")
    if late is None:
        number = 0 if given is None or given.array is None else int(given.array.reshape(-1)[0])
        return node.made(lambda: product(number - moved), shape, "int32")

    def real() -> Stored:
        made = product(0)
        number = node.emit(ReshapeOp(node.real(late), typed(i8, (1,) * len(shape))))
        return replace(made, value=without_zero(node, made.value, number, totals))

    return node.made(real, shape, "int32")


def without_zero(node: Node, sums: SSAValue, zero: SSAValue, totals: Any) -> SSAValue:
    """Sums of products less the input's zero point, a byte of extents 1, times the sums of the weights."""
    wide = node.emit(CastOp(zero, typed(i32, shape_of(zero))))
    less = node.emit(MulOp(wide, node.literal(totals, i32), output_type=typed(i32, totals.shape)))
    return node.emit(SubOp(sums, less, output_type=type_of(sums)))

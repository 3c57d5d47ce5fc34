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
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.quantise import CastOp
from ....dialects.nn.reduction import ReduceMaxOp, ReduceMinOp
from ....dialects.nn.select import SelectOp
from ....dialects.nn.shape import ReshapeOp
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
    data, rank = node.input(0), len(node.input(0).shape)
    one = typed(f32, (1,) * rank)

    @functools.cache
    def emitted() -> tuple[Stored, SSAValue, SSAValue]:
        stored = data.value.stored
        axes, zero = range(rank), scalar(node, 0.0, rank)
        lowest, highest = (node.emit(kind(stored.value, axes, one)) for kind in (ReduceMinOp, ReduceMaxOp))
        least = node.emit(BinaryOp(Binary.MINIMUM, lowest, zero, one))
        most = node.emit(BinaryOp(Binary.MAXIMUM, highest, zero, one))
        reach = node.emit(SubOp(most, least, output_type=one))
        none = node.emit(CompareOp(Predicate.EQUAL, reach, zero, typed(i1, (1,) * rank)))
        step = node.emit(DivOp(reach, scalar(node, 255.0, rank), output_type=one))
        scale = node.emit(SelectOp(none, scalar(node, 1.0, rank), step, one))
        first = node.emit(SubOp(zero, node.emit(DivOp(least, scale, output_type=one)), output_type=one))
        inside = node.emit(UnaryOp(Unary.ROUND_EVEN, node.emit(ClampOp(first, ClampAttr.get(0.0, 255.0), one)), one))
        # Bytes without a sign are stored 128 less.
        zero_point = node.emit(SubOp(inside, scalar(node, 128.0, rank), output_type=one))
        whole = type_of(stored.value)
        steps = node.emit(UnaryOp(Unary.ROUND_EVEN, node.emit(DivOp(stored.value, scale, output_type=whole)), whole))
        moved = node.emit(AddOp(steps, zero_point, output_type=whole))
        bounded = node.emit(ClampOp(moved, ClampAttr.get(-128.0, 127.0), whole))
        integers = node.emit(CastOp(bounded, typed(i8, stored.extents)))
        zero_byte = node.emit(CastOp(zero_point, typed(i8, (1,) * rank)))
        alone = [node.emit(ReshapeOp(value, typed(kind, ()))) for value, kind in ((scale, f32), (zero_byte, i8))]
        return Stored(integers, stored.order), alone[0], alone[1]

    made = node.made(lambda: emitted()[0], data.shape, "uint8")
    names = [*node.output_names, "", ""][1:3]
    return [
        made,
        Tensor(names[0], (), "float32", Lazy(lambda: Stored.plain(emitted()[1]))),
        Tensor(names[1], (), "uint8", Lazy(lambda: Stored.plain(emitted()[2]))),
    ]


@operator("MatMulInteger")
def matmul_integer(node: Node) -> Tensor:
    """Rows times a constant matrix."""
    data = node.input(0)
    matrix, zero = _weights(node)
    if matrix.ndim != 2 or not data.shape or data.shape[-1] != len(matrix):
        raise Unsupported(f"the product of {list(data.shape)} and {list(matrix.shape)} cannot be compiled")
    depth, columns = matrix.shape
    shape = (*data.shape[:-1], columns)

    def product(zero_point: int) -> Stored:
        value = node.real(data)
        rows = node.emit(ReshapeOp(value, typed(i8, (data.size // depth, depth))))
        filter = node.literal(matrix.T, i8, node.input(1).name)
        type = typed(i32, (data.size // depth, columns))
        made = node.emit(FullyConnectedOp(rows, filter, None, output_type=type, **_sums(zero_point, zero)))
        return Stored.plain(node.emit(ReshapeOp(made, typed(i32, shape))))

    totals = (matrix.astype(np.int64) - zero).sum(0).reshape((1,) * (len(shape) - 1) + (columns,))
    return _result(node, shape, product, totals)


@operator("ConvInteger")
def conv_integer(node: Node) -> Tensor:
    """A convolution with constant weights."""
    data, group = node.input(0), int(node.attributes.get("group", 1))
    rank = len(data.shape)
    filter, zero = _weights(node)
    window, shape = place(node, filter, group)

    def product(zero_point: int) -> Stored:
        value = node.real(data, channels_last(rank))
        weights = node.literal(arranged(filter, group), i8, node.input(1).name)
        return convolved(node, value, weights, None, window, group, shape, i32, _sums(zero_point, zero))

    totals = (filter.astype(np.int64) - zero).sum(tuple(range(1, rank))).reshape((1,) * (rank - 1) + (-1,))
    if any(window.pads) and _is_late(node):
        raise Unsupported("a margin with a zero point that is computed at run time cannot be compiled")
    return _result(node, shape, product, totals)


def _weights(node: Node) -> tuple[Any, int]:
    """Constant weights as they are stored, and their zero point."""
    array = node.constant(1)
    moved = 128 if array.dtype.name == "uint8" else 0
    zeros = np.zeros(1, np.int64) if node.optional(3) is None else node.constant(3).astype(np.int64).reshape(-1)
    if len(set(zeros.tolist())) > 1:
        raise Unsupported("weights with several zero points cannot be compiled")
    return array.astype(np.int64) - moved, int(zeros[0]) - moved


def _is_late(node: Node) -> bool:
    """Whether the input's zero point is computed at run time."""
    given = node.optional(2)
    return given is not None and given.array is None


def _sums(input: int, weights: int) -> dict[str, Any]:
    return {"zero_points": (input, weights, 0), "rescale": SAME, "clamp": INT32}


def _result(node: Node, shape: Sequence[int], product: Callable[[int], Stored], totals: Any) -> Tensor:
    """The sums of products, less the input's zero point times the sums of the weights where it is known late."""
    data, given = node.input(0), node.optional(2)
    moved = 128 if data.dtype == "uint8" else 0
    if data.dtype not in ("int8", "uint8") or (given is not None and given.size != 1):
        raise Unsupported(f"products of {data.dtype}, or with several zero points, cannot be compiled")
    if given is None or given.array is not None:
        number = 0 if given is None or given.array is None else int(given.array.reshape(-1)[0])
        return node.made(lambda: product(number - moved), shape, "int32")
    late = given

    def real() -> Stored:
        made = product(0)
        number = node.emit(ReshapeOp(node.real(late), typed(i8, (1,) * len(shape))))
        wide = node.emit(CastOp(number, typed(i32, (1,) * len(shape))))
        less = node.emit(MulOp(wide, node.literal(totals, i32), output_type=typed(i32, totals.shape)))
        return replace(made, value=node.emit(SubOp(made.value, less, output_type=type_of(made.value))))

    return node.made(real, shape, "int32")

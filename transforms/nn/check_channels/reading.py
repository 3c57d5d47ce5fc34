"""Reading of operators for the checker: constants, factors, groups, taps, and where elements go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ....dialects import nn_keys
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import RescaleAttr, ints
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.conv import Conv2DOp, Convolution, DepthwiseConv2DOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.movement import Movement
from ....dialects.nn.shape import ReshapeOp


class Refuted(Exception):
    """A removal that is not shown to be right; says which and why."""


def spot_of(number: int, operands: Sequence[SSAValue], sizes: Sequence[int]) -> tuple[int, int, int]:
    """Operand, pixel and channel of an element."""
    for operand, size in enumerate(sizes):
        if number < size:
            return operand, *divmod(number, channels_of(operands[operand]))
        number -= size
    raise AssertionError("elements are those of operands")


def moved(op: Operation, numbers: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    if isinstance(op, ReshapeOp):
        return [numbers[0].reshape(shape_of(op.output))]
    assert isinstance(op, Movement), "asked for movements"
    filled = [box for box in op.boxes() if box.source is None]
    moved = [each.reshape(-1).copy() for each in op.fold(numbers)]
    for box in filled:
        index = np.indices(box.extents).reshape(len(box.extents), -1)
        moved[box.result][box.target.offset + np.array(box.target.strides, np.int64) @ index] = 0
    return [each.reshape(shape_of(result)) for each, result in zip(moved, op.results, strict=True)]


def channels_of(value: SSAValue) -> int:
    shape = shape_of(value) if isinstance(value.type, TensorType) else ()
    return shape[-1] if shape else 1


def is_integer(value: SSAValue) -> bool:
    return isinstance(element_type_of(value), IntegerType)


def array_of(value: SSAValue) -> npt.NDArray[Any]:
    if not isinstance(value.owner, ConstantOp):
        raise Refuted("a constant became something else")
    return value.owner.array


def equal_arrays(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.shape == other.shape and bool((one == other).all())


def same_constant(one: SSAValue, other: SSAValue) -> bool:
    return element_type_of(one) == element_type_of(other) and equal_arrays(array_of(one), array_of(other))


def name_of(op: Operation | Block) -> str:
    if isinstance(op, Block):
        return "an argument"
    origin = nn_keys.ORIGIN.get(op.attributes)
    return op.name if origin is None else f"{op.name} (index {origin.index.data}, {origin.tensor.data})"


def factor_of(rescale: RescaleAttr, channel: int) -> tuple[int, int]:
    number = channel if rescale.is_per_channel else 0
    return rescale.multipliers[number], rescale.shifts[number]


def same_factors(old: RescaleAttr | None, new: RescaleAttr | None, rows: Sequence[int]) -> bool:
    if old is None or new is None:
        return old is new
    same = [factor_of(old, row) == factor_of(new, number) for number, row in enumerate(rows)]
    return old.rounding is new.rounding and all(same)


def groups_of(op: Accumulate) -> int:
    if isinstance(op, DepthwiseConv2DOp):
        return shape_of(op.input)[3]
    return shape_of(op.input)[3] // shape_of(op.filter)[3] if isinstance(op, Conv2DOp) else 1


def filter_of(op: Accumulate) -> list[list[list[Any]]]:
    """Weights by output channel, tap and input channel of the group."""
    array = array_of(op.filter)
    if isinstance(op, FullyConnectedOp):
        return array[:, None, :].tolist()
    if isinstance(op, DepthwiseConv2DOp):
        _, rows, columns, outputs = array.shape
        return array.reshape(rows * columns, outputs).T[:, :, None].tolist()
    outputs, rows, columns, inputs = array.shape
    return array.reshape(outputs, rows * columns, inputs).tolist()


def reach_of(op: Accumulate) -> list[tuple[bool, bool]]:
    """For each tap, whether it ever lies inside and ever outside of the input."""
    if isinstance(op, FullyConnectedOp):
        return [(True, False)]
    kernel = shape_of(op.filter)[1:3]
    if not isinstance(op, Convolution):
        return [(True, True)] * math.prod(kernel)
    places: list[list[tuple[bool, bool]]] = []
    for d in range(2):
        extent, stride, dilation = shape_of(op.input)[1 + d], ints(op.strides)[d], ints(op.dilations)[d]
        before, results = ints(op.pads)[2 * d], shape_of(op.output)[1 + d]
        spots = [[y * stride + k * dilation - before for y in range(results)] for k in range(kernel[d])]
        places.append([(any(0 <= p < extent for p in one), any(not 0 <= p < extent for p in one)) for one in spots])
    return [(a and c, b or d) for a, b in places[0] for c, d in places[1]]


def numbered(op: Operation) -> list[npt.NDArray[Any]]:
    """A number for each element of the operands, from 1 on, in their shapes."""
    numbers: list[npt.NDArray[Any]] = []
    first = 1
    for operand in op.operands:
        size = math.prod(shape_of(operand))
        numbers.append(np.arange(first, first + size).reshape(shape_of(operand)))
        first += size
    return numbers

"""Add, Sub, Mul, Div, Max, Min, PRelu and BatchNormalization."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Operation, SSAValue

from ....dialects.nn.element_functions import Binary, BinaryOp
from ....dialects.nn.elementwise import AddOp, DivOp, MulOp, PreluOp, SubOp
from ....dialects.nn.real_elementwise import RealBinary, RealBinaryOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..node import ELEMENTS, Node
from ..quantisation import clamp
from ..registry import operator
from ..stored import Stored, permuted, type_of, typed
from ..tensors import REACH, Lazy, Quantised, Table, Tensor

Make = Callable[[SSAValue, SSAValue, TensorType], Operation]

_PLAIN: Mapping[str, tuple[np.ufunc, Make]] = {
    "Add": (np.add, lambda a, b, t: AddOp(a, b, output_type=t)),
    "Sub": (np.subtract, lambda a, b, t: SubOp(a, b, output_type=t)),
    "Mul": (np.multiply, lambda a, b, t: MulOp(a, b, output_type=t)),
    "Div": (np.divide, lambda a, b, t: DivOp(a, b, output_type=t)),
    "Max": (np.maximum, lambda a, b, t: BinaryOp(Binary.MAXIMUM, a, b, t)),
    "Min": (np.minimum, lambda a, b, t: BinaryOp(Binary.MINIMUM, a, b, t)),
    "PRelu": (np.multiply, lambda a, b, t: PreluOp(a, b, output_type=t)),
}
_INTEGERS: Mapping[str, tuple[np.ufunc, Make]] = {"Mod": (np.mod, lambda a, b, t: BinaryOp(Binary.FLOOR_MOD, a, b, t))}
_REAL = {
    "Add": RealBinary.ADD,
    "Sub": RealBinary.SUB,
    "Mul": RealBinary.MUL,
    "Div": RealBinary.DIV,
}


@operator(*_PLAIN)
def binary(node: Node) -> Tensor:
    """Compute on two tensors with broadcasting, or on several in order."""
    tensors = [tensor for tensor in node.inputs if tensor is not None]
    made = tensors[0]
    for other in tensors[1:]:
        made = combined(node, node.op.op_type, made, other)
    return made


@operator("Sum", "Mean")
def several(node: Node) -> Tensor:
    """Compute on any number of tensors."""
    tensors = [tensor for tensor in node.inputs if tensor is not None]
    made = tensors[0]
    for other in tensors[1:]:
        made = combined(node, "Add", made, other)
    if node.op.op_type == "Sum":
        return made
    return combined(node, "Div", made, node.graph.constant(node.name, np.array(len(tensors), np.float32)))


@operator("Mod")
def remainder(node: Node) -> Tensor:
    """Remainders of integers, with the sign of the divisor."""
    a, b = node.input(0), node.input(1)
    if a.dtype not in ("int32", "int64") or node.attributes.get("fmod", 0):
        raise Unsupported(f"remainders of {a.dtype}, or with the sign of what is divided, cannot be compiled")
    return combined(node, "Mod", a, b)


def combined(node: Node, kind: str, a: Tensor, b: Tensor) -> Tensor:
    """One result of two tensors."""
    of, make = {**_PLAIN, **_INTEGERS}[kind]
    dtype = a.dtype
    if dtype not in ("float32", "int32", "int64"):
        raise Unsupported(f"arithmetic of {dtype} cannot be compiled")
    if kind == "Div" and dtype == "int64":
        raise Unsupported("quotients of int64 cannot be compiled")
    if kind == "PRelu" and not _spreads(b.shape, a.shape) and b.array is not None and b.size == a.shape[1]:
        # Some files have one number for each channel without the dimensions behind.
        b = node.graph.constant(b.name, b.array.reshape((1, -1, *[1] * (len(a.shape) - 2))))
    shape = np.broadcast_shapes(a.shape, b.shape)

    def real() -> Stored:
        values, order = aligned(node, (a, b), [each.value for each in (a, b)], shape)
        element = ELEMENTS[dtype]
        return Stored(node.emit(make(values[0], values[1], typed(element, permuted(shape, order)))), order)

    quantise = None
    if kind in _REAL and a.steps is not None and b.steps is not None:
        first, second = a.steps, b.steps

        def quantised(to: Quantised) -> Stored:
            integers = (first.integers, second.integers)
            values, order = aligned(node, (a, b), integers, shape)
            scales = first.quantised, second.quantised, to
            return Stored(
                node.emit(
                    RealBinaryOp(
                        _REAL[kind],
                        values[0],
                        values[1],
                        zero_points=[each.zero_point for each in scales],
                        scales=[each.scale for each in scales],
                        clamp=clamp(to),
                        output_type=typed(ELEMENTS[to.dtype], permuted(shape, order)),
                    )
                ),
                order,
            )

        quantise = quantised
    elif kind in _REAL and (a.steps or b.steps):
        constant = b if a.steps else a
        if is_stepped(constant):
            return combined(node, kind, *(stepped(node, one) if one is constant else one for one in (a, b)))
    return node.made(real, shape, dtype, quantise=quantise, table=None if kind == "PRelu" else _table(of, a, b))


def _spreads(shape: tuple[int, ...], over: tuple[int, ...]) -> bool:
    """Whether a tensor broadcasts to another one's shape."""
    try:
        return np.broadcast_shapes(shape, over) == over
    except ValueError:
        return False


def is_stepped(tensor: Tensor) -> bool:
    """Whether a tensor is a dequantised constant with one scale."""
    return tensor.weights is not None and tensor.weights.scales.size == 1


def stepped(node: Node, tensor: Tensor) -> Tensor:
    """A dequantised constant as one that is quantised."""
    from ..tensors import Steps

    weights = tensor.weights
    assert weights is not None, "it is dequantised"
    least, most = REACH["int8"]
    dtype = "int8" if weights.integers.min(initial=0) >= least and weights.integers.max(initial=0) <= most else "int16"
    lazy = Lazy(lambda: Stored.plain(node.literal(weights.integers, ELEMENTS[dtype], tensor.name)))
    steps = Steps(lazy, Quantised(float(weights.scales[0]), int(weights.zero_points[0]), dtype))
    return replace(tensor, steps=steps)


def _table(of: np.ufunc, a: Tensor, b: Tensor) -> Table | None:
    """Table of a function of one 8-bit integer."""
    reals: list[Any] = []
    for tensor in (a, b):
        if tensor.table is not None:
            reals.append(tensor.table.reals)
        elif tensor.array is not None and tensor.size == 1:
            reals.append(tensor.array.reshape(-1).astype(np.float32))
    found = [tensor for tensor in (a, b) if tensor.table is not None]
    tables = [tensor.table for tensor in found if tensor.table is not None]
    if len(reals) != 2 or not tables or any(each.integers is not tables[0].integers for each in tables):
        return None
    if found[0].shape != np.broadcast_shapes(a.shape, b.shape):
        return None
    with np.errstate(all="ignore"):
        return Table(tables[0].integers, np.asarray(of(*reals), np.float32))


def aligned(
    node: Node, tensors: Sequence[Tensor], values: Sequence[Lazy], shape: Sequence[int]
) -> tuple[list[SSAValue], tuple[int, ...]]:
    """Operands in one order of dimensions, and the order."""
    rank, plain = len(shape), tuple(range(len(shape)))
    stored = [value.stored for value in values]
    full = [
        one
        for one, tensor in zip(stored, tensors, strict=True)
        if tensor.array is None and len(one.order) == rank and tensor.size == np.prod(shape)
    ]
    order = next((one.order for one in full if one.order != plain), plain)
    found: list[SSAValue] = []
    for one, tensor in zip(stored, tensors, strict=True):
        missing = rank - len(one.order)
        if missing and tensor.size > 1:
            value = node.to(one, range(len(one.order)))
            extents = (*[1] * missing, *tensor.shape)
            value = node.emit(ReshapeOp(value, typed(one.element, extents)))
            found.append(node.to(Stored.plain(value), order))
        else:
            found.append(one.value if missing else node.to(one, order))
    return found, order


@operator("BatchNormalization")
def batch_normalization(node: Node) -> Tensor:
    """A factor and a summand for each channel."""
    if node.attributes.get("training_mode", 0):
        raise Unsupported("statistics of the batch cannot be compiled")
    data = node.input(0)
    scale, offset, mean, variance = (node.constant(position).astype(np.float64) for position in range(1, 5))
    factor = scale / np.sqrt(variance + float(node.attributes.get("epsilon", 1e-5)))
    along = (1, -1, *[1] * (len(data.shape) - 2))
    numbers = [values.astype(np.float32).reshape(along) for values in (factor, offset - mean * factor)]

    def real() -> Stored:
        stored = data.value.stored
        type = type_of(stored.value)
        value = stored.value
        for number, kind in zip(numbers, (MulOp, AddOp), strict=True):
            constant = node.literal(number.transpose(stored.order), f32)
            value = node.emit(kind(value, constant, output_type=type))
        return Stored(value, stored.order)

    return node.made(real, data.shape)

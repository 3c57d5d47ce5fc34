"""Gemm and MatMul."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.nn.matmul import BatchMatmulOp, FullyConnectedOp
from ....dialects.nn.shape import ReshapeOp
from ..node import ELEMENTS, Node
from ..products import bias_of, is_integer, one_zero_point
from ..quantisation import clamp, factors
from ..registry import operator
from ..stored import Stored, type_of, typed
from ..tensors import Lazy, Quantised, Tensor, Weights
from .arithmetic import combined, is_stepped, stepped
from .movement import reshaped, transposed


@operator("Gemm")
def gemm(node: Node) -> Tensor:
    """`alpha * A' * B' + beta * C`."""
    a, attributes = node.input(0), node.attributes
    if node.input(1).array is None or not _is_row(node.optional(2)):
        return _by_parts(node)
    array = node.constant(1).T if attributes.get("transB", 0) else node.constant(1)
    matrix = array.astype(np.float32)
    if attributes.get("transA", 0):
        a = transposed(node, a, (1, 0))
    known = node.input(1).weights
    if known is not None and attributes.get("transB", 0):
        known = Weights(known.integers.T, known.scales, known.zero_points, 1 - known.axis)
    alpha, beta = (np.float32(attributes.get(name, 1.0)) for name in ("alpha", "beta"))
    plain = alpha == 1 and beta == 1
    bias = None
    if node.optional(2) is not None:
        given = node.constant(2).astype(np.float32) * beta
        bias = np.broadcast_to(given, np.broadcast_shapes(given.shape, (1, array.shape[-1]))).reshape(-1)
    return product(node, a, matrix * alpha, bias, known if plain else None, 2)


def _is_row(c: Tensor | None) -> bool:
    return c is None or (c.array is not None and int(np.prod(c.shape[:-1])) == 1)


def _by_parts(node: Node) -> Tensor:
    """A product and a sum."""
    attributes = node.attributes
    a, b = (
        _turned(node, node.input(position)) if attributes.get(name, 0) else node.input(position)
        for position, name in enumerate(("transA", "transB"))
    )
    made = multiplied(node, a, b)
    if (alpha := attributes.get("alpha", 1.0)) != 1:
        made = combined(node, "Mul", made, node.graph.constant(node.name, np.array(alpha, np.float32)))
    if (c := node.optional(2)) is None:
        return made
    if (beta := attributes.get("beta", 1.0)) != 1:
        c = combined(node, "Mul", c, node.graph.constant(node.name, np.array(beta, np.float32)))
    return combined(node, "Add", made, c)


def _turned(node: Node, matrix: Tensor) -> Tensor:
    if matrix.array is None:
        return transposed(node, matrix, (1, 0))
    made, known = node.graph.constant(matrix.name, matrix.array.T), matrix.weights
    if known is None:
        return made
    return replace(made, weights=Weights(known.integers.T, known.scales, known.zero_points, 1 - known.axis))


@operator("MatMul")
def matmul(node: Node) -> Tensor:
    """Products of matrices; vectors are rows on the left and columns on the right."""
    a, b = node.input(0), node.input(1)
    if not a.shape or not b.shape:
        raise node.malformed("scalars have no product of matrices")
    vectors = len(a.shape) == 1, len(b.shape) == 1
    if not any(vectors):
        return multiplied(node, a, b)
    a = _shaped(node, a, (1, *a.shape)) if vectors[0] else a
    b = _shaped(node, b, (*b.shape, 1)) if vectors[1] else b
    made = multiplied(node, a, b)
    shape = made.shape[:-2] + (() if vectors[0] else made.shape[-2:-1]) + (() if vectors[1] else made.shape[-1:])
    return reshaped(node, made, shape)


def _shaped(node: Node, tensor: Tensor, shape: Sequence[int]) -> Tensor:
    if tensor.array is None:
        return reshaped(node, tensor, shape)
    made, known = node.graph.constant(tensor.name, tensor.array.reshape(shape)), tensor.weights
    if known is None or known.scales.size > 1:
        return made
    return replace(made, weights=replace(known, integers=known.integers.reshape(shape)))


def multiplied(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """The product of tensors of at least two dimensions."""
    if b.array is not None and b.array.ndim == 2:
        return product(node, a, b.array, None, b.weights, None)
    return _batched(node, a, b)


def product(node: Node, a: Tensor, array: Any, bias: Any, known: Weights | None, bias_position: int | None) -> Tensor:
    """Rows of a tensor times a constant matrix [K, N]."""
    depth, columns = array.shape
    if not a.shape or a.shape[-1] != depth:
        raise node.malformed(f"{list(a.shape)} times {list(array.shape)} is no product")
    shape = (*a.shape[:-1], columns)

    def rows(value: SSAValue) -> SSAValue:
        type = value.type
        assert isinstance(type, TensorType), "tensors have tensor types"
        if len(type.get_shape()) == 2 and type.get_shape()[1] == depth:
            return value
        count = int(np.prod(type.get_shape())) // depth
        return node.emit(ReshapeOp(value, typed(type.get_element_type(), (count, depth))))

    def emit(source: Stored, moved: Any, filter_element: Any, element: Any, bias: Any, scaling: Any) -> Stored:
        value = rows(source.value)
        made = typed(element, (type_of(value).get_shape()[0], columns))
        filter = node.literal(np.ascontiguousarray(moved.T), filter_element, node.input(1).name)
        result = node.emit(FullyConnectedOp(value, filter, bias, output_type=made, **scaling))
        if len(shape) != 2:
            result = node.emit(ReshapeOp(result, typed(element, shape)))
        return Stored.plain(result)

    def ordered(lazy: Lazy, flat: Lazy | None, matrix: Any) -> tuple[Stored, Any]:
        """Left operand, and the matrix with its rows in the order of storage."""
        if flat is not None and a.flat is not None and _has_rows(flat.stored, a.flat.shape):
            stored = flat.stored
            places = np.arange(depth).reshape((1, *a.flat.shape[1:])).transpose(stored.order).reshape(-1)
            return stored, matrix[places]
        return Stored.plain(node.to(lazy.stored, range(len(a.shape)))), matrix

    def real() -> Stored:
        stored, matrix = ordered(a.value, None if a.flat is None else a.flat.value, array)
        value = None if bias is None else node.literal(bias, f32)
        return emit(stored, matrix, f32, f32, value, {})

    quantise = None
    if a.steps is not None and known is not None:
        steps, zero_point = a.steps, one_zero_point(known)
        integers = np.zeros(0, np.int64)
        if bias_position is not None:
            integers = bias_of(node, bias_position, steps.quantised, known)
        if zero_point is not None and integers is not None and (known.scales.size == 1 or known.axis == 1):
            whole = integers

            def quantised(to: Quantised) -> Stored | None:
                if not is_integer(steps.quantised, known, 1, whole, to):
                    return None
                input, flat = steps.quantised, None if a.flat is None or a.flat.steps is None else a.flat.steps.integers
                stored, matrix = ordered(steps.integers, flat, known.integers)
                value = node.literal(whole, i32) if whole.size else None
                scaling = {
                    "zero_points": (input.zero_point, zero_point, to.zero_point),
                    "rescale": factors(input.scale, known.scales, to),
                    "clamp": clamp(to),
                }
                return emit(stored, matrix, i8, ELEMENTS[to.dtype], value, scaling)

            quantise = quantised
    return node.made(real, shape, quantise=quantise)


def _has_rows(stored: Stored, shape: Sequence[int]) -> bool:
    """Whether what a tensor's first dimension counts lies one after the other."""
    return all(shape[axis] == 1 for axis in stored.order[: stored.axis(0)])


def _batched(node: Node, a: Tensor, b: Tensor) -> Tensor:
    a, b = (stepped(node, each) if is_stepped(each) else each for each in (a, b))
    leading = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    shape: Sequence[int] = (*leading, a.shape[-2], b.shape[-1])

    def real() -> Stored:
        return Stored.plain(node.emit(BatchMatmulOp(node.real(a), node.real(b), output_type=typed(f32, shape))))

    quantise = None
    if a.steps is not None and b.steps is not None and a.steps.quantised.bytes == b.steps.quantised.bytes == 1:
        first, second = a.steps, b.steps

        def quantised(to: Quantised) -> Stored | None:
            if to.bytes > 1:
                return None
            values = [
                node.to(each.integers.stored, range(len(tensor.shape))) for each, tensor in ((first, a), (second, b))
            ]
            made = BatchMatmulOp(
                values[0],
                values[1],
                output_type=typed(ELEMENTS[to.dtype], shape),
                zero_points=(first.quantised.zero_point, second.quantised.zero_point, to.zero_point),
                rescale=factors(first.quantised.scale, np.array([second.quantised.scale], np.float32), to),
                clamp=clamp(to),
            )
            return Stored.plain(node.emit(made))

        quantise = quantised
    return node.made(real, shape, quantise=quantise)

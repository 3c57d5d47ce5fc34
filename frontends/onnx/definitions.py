"""Definitions of operators that ONNX has none for, in operators of ONNX, for shapes that are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from onnx import FunctionProto, parser

from ..reasons import Unsupported
from .node import Node
from .parts import LARGEST, few, real
from .sampling import cubic_resize, grid_sample
from .window import Window, window_of

_SMALLEST = float(np.finfo(np.float32).tiny)


def written(node: Node) -> FunctionProto | None:
    """The definition of an operator; None if there is none, or if an importer takes the operator as it is."""
    write = WRITTEN.get(node.op.op_type)
    if write is None or node.op.domain not in ("", "ai.onnx"):
        return None
    body = write(node)
    if body is None:
        return None
    inputs = ", ".join(("x", "second", "third")[: len(node.op.input)])
    head = f'<domain: "written", opset_import: ["": 18]> {node.op.op_type} ({inputs}) => (y)'
    return parser.parse_function(f"{head} {{ {body} }}")


def _instance_normalization(node: Node) -> str:
    """Return `scale * (x - mean) / sqrt(variance + epsilon) + B`, the mean and variance of each channel of an image."""
    space = list(range(2, len(node.input(0).shape)))
    return f"""
        axes = Constant <value_ints: ints = {space}> ()
        shape = Constant <value_ints: ints = {[1, -1, *[1] * len(space)]}> ()
        epsilon = Constant <value_float = {real(node, "epsilon", 1e-5)}> ()
        mean = ReduceMean (x, axes)
        rest = Sub (x, mean)
        square = Mul (rest, rest)
        variance = ReduceMean (square, axes)
        positive = Add (variance, epsilon)
        deviation = Sqrt (positive)
        normal = Div (rest, deviation)
        factor = Reshape (second, shape)
        summand = Reshape (third, shape)
        scaled = Mul (normal, factor)
        y = Add (scaled, summand)
    """


def _local_response_normalization(node: Node) -> str:
    """Return `x / (bias + alpha / size * sum) ** beta`, the sum that of squares of the channels around."""
    rank, size = len(node.input(0).shape), few(int(node.attributes["size"]))
    before = (size - 1) // 2
    margins = [before if d == 1 else 0 for d in range(rank)], [size - 1 - before if d == 1 else 0 for d in range(rank)]
    channels = node.input(0).shape[1]
    parts = "\n".join(
        f"""
        first{each} = Constant <value_ints: ints = [{each}]> ()
        end{each} = Constant <value_ints: ints = [{each + channels}]> ()
        part{each} = Slice (wide, first{each}, end{each}, axis)
        """
        for each in range(size)
    )
    return f"""
        axis = Constant <value_ints: ints = [1]> ()
        margins = Constant <value_ints: ints = {[*margins[0], *margins[1]]}> ()
        factor = Constant <value_float = {real(node, "alpha", 1e-4, 1 / size)}> ()
        power = Constant <value_float = {real(node, "beta", 0.75)}> ()
        bias = Constant <value_float = {real(node, "bias", 1.0)}> ()
        square = Mul (x, x)
        wide = Pad (square, margins)
        {parts}
        total = Sum ({", ".join(f"part{each}" for each in range(size))})
        scaled = Mul (total, factor)
        base = Add (scaled, bias)
        divisor = Pow (base, power)
        y = Div (x, divisor)
    """


def _lp_normalization(node: Node) -> str:
    """Return the elements over their norm along an axis, zeros where that is zero."""
    order = int(node.attributes.get("p", 2))
    if order not in (1, 2):
        raise node.malformed(f"p is {order}, and must be 1 or 2")
    return f"""
        axis = Constant <value_ints: ints = [{int(node.attributes.get("axis", -1))}]> ()
        least = Constant <value_float = {_SMALLEST!r}> ()
        norm = ReduceL{order} (x, axis)
        divisor = Max (norm, least)
        y = Div (x, divisor)
    """


def _hardmax(node: Node) -> str:
    """Return 1 for the first of the largest elements along an axis, 0 for others."""
    axis = node.axis(int(node.attributes.get("axis", -1)), len(node.input(0).shape))
    return f"""
        depth = Constant <value_int = {node.input(0).shape[axis]}> ()
        values = Constant <value_floats = [0.0, 1.0]> ()
        place = ArgMax <axis = {axis}, keepdims = 0> (x)
        y = OneHot <axis = {axis}> (place, depth, values)
    """


def _is_nan(node: Node) -> str:
    return "same = Equal (x, x) y = Not (same)"


def _is_infinite(node: Node) -> str:
    """Return whether an element is infinite, of one sign or of both."""
    ends = [sign for sign in ("negative", "positive") if node.attributes.get(f"detect_{sign}", 1)]
    if not ends:
        return "other = Less (x, x) y = And (other, other)"
    value = {"positive": "x", "negative": "Neg (x)"}[ends[0]] if len(ends) == 1 else "Abs (x)"
    size = "size = Identity (x)" if value == "x" else f"size = {value}"
    return f"""
        {size}
        largest = Constant <value_float = {float(np.finfo(np.float32).max)!r}> ()
        y = Greater (size, largest)
    """


_KINDS: Mapping[str, str] = {"float32": "float", "bool": "bool", "int32": "int32", "int64": "int64"}


def _triangle(node: Node) -> str:
    """Return one half of each matrix, and zeros."""
    dtype, shape = node.input(0).dtype, node.input(0).shape
    if dtype not in _KINDS or len(shape) < 2:
        raise Unsupported(f"triangles of {dtype} cannot be compiled")
    few(max(shape[-2:]), LARGEST)
    distance = int(node.constant(1).reshape(-1)[0]) if node.optional(1) is not None else 0
    kept = "GreaterOrEqual" if node.attributes.get("upper", 1) else "LessOrEqual"
    return f"""
        rows = Constant <value_ints: ints = {list(range(shape[-2]))}> ()
        columns = Constant <value_ints: ints = {list(range(shape[-1]))}> ()
        axis = Constant <value_ints: ints = [1]> ()
        distance = Constant <value_int = {distance}> ()
        zero = Constant <value = {_KINDS[dtype]} {{0}}> ()
        column = Unsqueeze (rows, axis)
        apart = Sub (columns, column)
        kept = {kept} (apart, distance)
        y = Where (kept, x, zero)
    """


def _pool(node: Node) -> str | None:
    """Return what combines the taps of a window that lie apart, or their powers; each tap is a slice of the whole."""
    kind = node.op.op_type
    if kind != "LpPool" and (max(node.attributes.get("dilations", [1])) == 1 or len(node.op.output) > 1):
        return None
    space, kernel = node.input(0).shape[2:], tuple(int(v) for v in node.attributes["kernel_shape"])
    window = window_of(node, space, kernel, ceil=bool(node.attributes.get("ceil_mode", 0)))
    rank = len(space)
    pads = [window.pads[:2], window.pads[2:]][2 - rank :]
    steps, apart = window.strides[2 - rank :], window.dilations[2 - rank :]
    few(math.prod(kernel))
    taps: list[tuple[list[int], list[int]]] = []
    for tap in np.ndindex(*kernel):
        first = [place * step for place, step in zip(tap, apart, strict=True)]
        taps.append((first, [a + (n - 1) * s + 1 for a, n, s in zip(first, window.result, steps, strict=True)]))
    parts = "\n".join(
        f"""
        first{each} = Constant <value_ints: ints = {first}> ()
        end{each} = Constant <value_ints: ints = {end}> ()
        part{each} = Slice (wide, first{each}, end{each}, axes, steps)
        """
        for each, (first, end) in enumerate(taps)
    )
    names = ", ".join(f"part{each}" for each in range(len(taps)))
    body = f"""
        axes = Constant <value_ints: ints = {list(range(2, rank + 2))}> ()
        steps = Constant <value_ints: ints = {list(steps)}> ()
        margins = Constant <value_ints: ints = {[0, 0, *(a for a, _ in pads), 0, 0, *(b for _, b in pads)]}> ()
        beyond = Constant <value_float = {-float(np.finfo(np.float32).max) if kind == "MaxPool" else 0.0!r}> ()
        wide = Pad ({"powers" if kind == "LpPool" else "x"}, margins, beyond)
        {parts}
    """
    if kind == "MaxPool":
        return f"{body} y = Max ({names})"
    if kind == "LpPool":
        order = int(node.attributes.get("p", 2))
        if order < 1:
            raise node.malformed(f"p is {order}, and must be at least 1")
        return f"""
            order = Constant <value_float = {float(order)}> ()
            size = Abs (x)
            powers = Pow (size, order)
            {body}
            root = Constant <value_float = {float(np.float32(1 / order))!r}> ()
            total = Sum ({names})
            y = Pow (total, root)
        """
    counts = _counts(node, window, pads, taps, steps)
    shape = [1, 1, *window.result]
    return f"""{body}
        counts = Constant <value = float{shape} {{{", ".join(str(each) for each in counts)}}}> ()
        total = Sum ({names})
        y = Div (total, counts)
    """


def _counts(
    node: Node,
    window: Window,
    pads: list[tuple[int, ...]],
    taps: list[tuple[list[int], list[int]]],
    steps: tuple[int, ...],
) -> list[int]:
    """How many taps of each window count: those inside, or also those in the margins that are given."""
    space = node.input(0).shape[2:]
    inside = np.zeros([a + extent + b for (a, b), extent in zip(pads, space, strict=True)], np.int64)
    own = [window.own[:2], window.own[2:]][2 - len(space) :]
    counted = own if node.attributes.get("count_include_pad", 0) else [(0, 0)] * len(space)
    inside[
        tuple(
            slice(a - before, a + extent + after)
            for (a, _), extent, (before, after) in zip(pads, space, counted, strict=True)
        )
    ] = 1
    found = sum(
        inside[tuple(slice(*each) for each in zip(first, end, steps, strict=True))] for first, end in taps
    ) + np.zeros(window.result, np.int64)
    return [max(int(each), 1) for each in found.reshape(-1)]


WRITTEN: Mapping[str, Callable[[Node], str | None]] = {
    "AveragePool": _pool,
    "GridSample": grid_sample,
    "Hardmax": _hardmax,
    "InstanceNormalization": _instance_normalization,
    "IsInf": _is_infinite,
    "IsNaN": _is_nan,
    "LRN": _local_response_normalization,
    "LpNormalization": _lp_normalization,
    "LpPool": _pool,
    "MaxPool": _pool,
    "Resize": cubic_resize,
    "Trilu": _triangle,
    "Upsample": cubic_resize,
}
"""What writes the definition of an operator, or None where an importer takes it."""

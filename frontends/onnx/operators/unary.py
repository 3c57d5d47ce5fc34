"""Functions of single elements: of quantised elements a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from ....dialects.nn.activation import ClampOp, LeakyReluOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.element_functions import Binary, BinaryOp, Unary, UnaryOp
from ....dialects.nn.elementwise import AddOp, DivOp, MulOp
from ....dialects.nn.quantise import CastOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import ELEMENTS, Node
from ..registry import operator
from ..stored import Stored, type_of, typed
from ..tensors import MOVED, Quantised, Table, Tensor
from .arithmetic import combined
from .quantise import dequantised

Reals = npt.NDArray[np.float32]
Emit = Callable[[SSAValue], SSAValue]


def function(
    node: Node, tensor: Tensor, of: Callable[[Reals], npt.ArrayLike], emit: Emit, integers: Sequence[str] = ()
) -> Tensor:
    """A function of every element, by its values and by what computes it of floats and of types of integers."""
    if tensor.dtype not in ("float32", *integers):
        raise Unsupported(f"{node.op.op_type} of {tensor.dtype} cannot be compiled")

    def real() -> Stored:
        stored = tensor.value.stored
        return Stored(emit(stored.value), stored.order)

    table = None
    if tensor.table is not None:
        with np.errstate(all="ignore"):
            table = Table(tensor.table.integers, np.asarray(of(tensor.table.reals), np.float32))
    return node.made(real, tensor.shape, tensor.dtype, table=table)


def _sigmoid(x: Reals) -> npt.ArrayLike:
    return np.float32(1) / (np.float32(1) + np.exp(-x))


_ERF = np.vectorize(math.erf, otypes=[np.float32])

_UNARY: Mapping[str, tuple[Unary, Callable[[Reals], npt.ArrayLike]]] = {
    "Abs": (Unary.ABS, np.abs),
    "Acos": (Unary.ACOS, np.arccos),
    "Acosh": (Unary.ACOSH, np.arccosh),
    "Asin": (Unary.ASIN, np.arcsin),
    "Asinh": (Unary.ASINH, np.arcsinh),
    "Atan": (Unary.ATAN, np.arctan),
    "Atanh": (Unary.ATANH, np.arctanh),
    "Ceil": (Unary.CEIL, np.ceil),
    "Cos": (Unary.COS, np.cos),
    "Cosh": (Unary.COSH, np.cosh),
    "Erf": (Unary.ERF, _ERF),
    "Exp": (Unary.EXP, np.exp),
    "Floor": (Unary.FLOOR, np.floor),
    "HardSwish": (Unary.HARD_SWISH, lambda x: x * np.clip(x / np.float32(6) + np.float32(0.5), 0, 1)),
    "Log": (Unary.LOG, np.log),
    "Neg": (Unary.NEG, np.negative),
    "Round": (Unary.ROUND_EVEN, np.rint),
    "Sigmoid": (Unary.LOGISTIC, _sigmoid),
    "Sign": (Unary.SIGN, np.sign),
    "Sin": (Unary.SIN, np.sin),
    "Sinh": (Unary.SINH, np.sinh),
    "Sqrt": (Unary.SQRT, np.sqrt),
    "Tan": (Unary.TAN, np.tan),
    "Tanh": (Unary.TANH, np.tanh),
}

_OF_INTEGERS: Mapping[Unary, Sequence[str]] = {
    Unary.ABS: ("int32",),
    Unary.NEG: ("int8", "int16", "int32", "int64"),
    Unary.SIGN: ("int32",),
}


def unary_op(node: Node, kind: Unary, value: SSAValue) -> SSAValue:
    """One of `nn.unary`'s functions."""
    return node.emit(UnaryOp(kind, value, type_of(value)))


@operator(*_UNARY)
def unary(node: Node) -> Tensor:
    """Functions that `nn.unary` has."""
    kind, of = _UNARY[node.op.op_type]
    integers = _OF_INTEGERS.get(kind, ())
    return function(node, node.input(0), of, lambda value: unary_op(node, kind, value), integers)


def scalar(node: Node, number: float, rank: int) -> SSAValue:
    """A constant that broadcasts."""
    return node.literal(np.full((1,) * rank, number, np.float32), f32)


def limited(node: Node, tensor: Tensor, least: float, most: float) -> Tensor:
    """Elements between two bounds; operators that quantise take them as their own."""

    def emit(value: SSAValue) -> SSAValue:
        return node.emit(ClampOp(value, ClampAttr.get(least, most), type_of(value)))

    made = function(node, tensor, lambda x: np.clip(x, np.float32(least), np.float32(most)), emit)
    if tensor.quantise is None:
        return made

    def quantise(to: Quantised) -> Stored | None:
        return node.in_integers(tensor, to.limited(least, most))

    return replace(made, quantise=quantise)


@operator("Relu")
def relu(node: Node) -> Tensor:
    """Nothing below 0."""
    return limited(node, node.input(0), 0.0, math.inf)


@operator("Clip")
def clip(node: Node) -> Tensor:
    """Between two constants."""
    data, bounds = node.input(0), (_bound(node, "min", 1), _bound(node, "max", 2))
    if data.dtype in ("int32", "int64"):
        for kind, bound in zip(("Max", "Min"), bounds, strict=True):
            if bound is not None:
                data = combined(node, kind, data, node.graph.constant(node.name, np.array(bound, data.dtype)))
        return data
    least, most = (
        end if bound is None else float(bound) for end, bound in zip((-math.inf, math.inf), bounds, strict=True)
    )
    return limited(node, data, min(least, most), most)


def _bound(node: Node, attribute: str, position: int) -> Any:
    """A bound as the file has it; None if there is none."""
    if attribute in node.attributes:
        return node.attributes[attribute]
    return None if node.optional(position) is None else node.constant(position).reshape(-1)[0]


@operator("LeakyRelu")
def leaky_relu(node: Node) -> Tensor:
    """A slope below 0."""
    alpha = np.float32(node.attributes.get("alpha", 0.01))

    def emit(value: SSAValue) -> SSAValue:
        return node.emit(LeakyReluOp(value, type_of(value), alpha=float(alpha)))

    return function(node, node.input(0), lambda x: np.where(x < 0, alpha * x, x), emit)


@operator("Elu")
def elu(node: Node) -> Tensor:
    """An exponential below 0."""
    alpha = np.float32(node.attributes.get("alpha", 1.0))
    rank = len(node.input(0).shape)

    def emit(value: SSAValue) -> SSAValue:
        type = type_of(value)
        if alpha == 1:
            return unary_op(node, Unary.ELU, value)
        above = node.emit(ClampOp(value, ClampAttr.get(0.0, math.inf), type))
        below = unary_op(node, Unary.ELU, node.emit(ClampOp(value, ClampAttr.get(-math.inf, 0.0), type)))
        return node.emit(
            AddOp(above, node.emit(MulOp(below, scalar(node, float(alpha), rank), output_type=type)), output_type=type)
        )

    return function(node, node.input(0), lambda x: np.where(x < 0, alpha * (np.exp(x) - np.float32(1)), x), emit)


@operator("Softplus")
def softplus(node: Node) -> Tensor:
    """`log(exp(x) + 1)`, without an exponential that is infinite."""
    rank = len(node.input(0).shape)

    def emit(value: SSAValue) -> SSAValue:
        type, one = type_of(value), scalar(node, 1.0, rank)
        away = unary_op(node, Unary.EXP, unary_op(node, Unary.NEG, unary_op(node, Unary.ABS, value)))
        rest = unary_op(node, Unary.LOG, node.emit(AddOp(away, one, output_type=type)))
        return node.emit(AddOp(node.emit(ClampOp(value, ClampAttr.get(0.0, math.inf), type)), rest, output_type=type))

    def of(x: Reals) -> npt.ArrayLike:
        return np.maximum(x, 0) + np.log(np.exp(-np.abs(x)) + np.float32(1))

    return function(node, node.input(0), of, emit)


@operator("HardSigmoid")
def hard_sigmoid(node: Node) -> Tensor:
    """A line between two bounds."""
    alpha, beta = (np.float32(node.attributes.get(n, d)) for n, d in (("alpha", 0.2), ("beta", 0.5)))
    rank = len(node.input(0).shape)

    def emit(value: SSAValue) -> SSAValue:
        scaled = node.emit(MulOp(value, scalar(node, float(alpha), rank), output_type=type_of(value)))
        added = node.emit(AddOp(scaled, scalar(node, float(beta), rank), output_type=type_of(value)))
        return node.emit(ClampOp(added, ClampAttr.get(0.0, 1.0), type_of(value)))

    return function(node, node.input(0), lambda x: np.clip(x * alpha + beta, 0, 1), emit)


@operator("Reciprocal")
def reciprocal(node: Node) -> Tensor:
    """One over an element."""
    rank = len(node.input(0).shape)

    def emit(value: SSAValue) -> SSAValue:
        return node.emit(DivOp(scalar(node, 1.0, rank), value, output_type=type_of(value)))

    return function(node, node.input(0), lambda x: np.float32(1) / x, emit)


@operator("Gelu")
def gelu(node: Node) -> Tensor:
    """Exact, or by the hyperbolic tangent."""
    near = node.attributes.get("approximate", "none") == "tanh"
    half, root = np.float32(0.5), np.float32(np.sqrt(2 / np.pi))

    def of(x: Reals) -> npt.ArrayLike:
        inner = np.tanh(root * (x + np.float32(0.044715) * x**3)) if near else _ERF(x / np.float32(math.sqrt(2)))
        return half * x * (np.float32(1) + inner)

    kind = Unary.GELU_TANH if near else Unary.GELU
    return function(node, node.input(0), of, lambda value: unary_op(node, kind, value))


@operator("Pow")
def power(node: Node) -> Tensor:
    """To a constant power."""
    exponent = node.constant(1).astype(np.float32)
    if exponent.size != 1:
        raise Unsupported("powers that differ by element cannot be compiled")
    number, rank = float(exponent.reshape(-1)[0]), len(node.input(0).shape)

    def emit(value: SSAValue) -> SSAValue:
        if number == 2:
            return unary_op(node, Unary.SQUARE, value)
        if number == 0.5:
            return unary_op(node, Unary.SQRT, value)
        return node.emit(BinaryOp(Binary.POW, value, scalar(node, number, rank), type_of(value)))

    return function(node, node.input(0), lambda x: np.power(x, np.float32(number)), emit)


@operator("Cast")
def cast(node: Node) -> Tensor:
    """Another type."""
    from onnx import helper

    data = node.input(0)
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(node.attributes["to"])).name
    if dtype == data.dtype:
        return moved(node, data, data.shape, lambda stored, _: stored)
    if not {dtype, data.dtype} <= {*ELEMENTS} - {"uint16"}:
        raise Unsupported(f"a cast from {data.dtype} to {dtype} cannot be compiled")
    if dtype == "float32" and data.dtype in ("int8", "uint8"):
        # Bytes are reals of scale 1, so that what follows may stay in bytes.
        return dequantised(node, data, Quantised(1.0, -MOVED.get(data.dtype, 0), data.dtype))

    def real() -> Stored:
        stored = data.value.stored

        def to(value: SSAValue, name: str) -> SSAValue:
            return node.emit(CastOp(value, typed(ELEMENTS[name], stored.extents)))

        def plus(value: SSAValue, number: int) -> SSAValue:
            other = node.literal(np.full((1,) * len(data.shape), number), i32)
            return node.emit(AddOp(value, other, output_type=type_of(value)))

        # Bytes without a sign are stored 128 less.
        value = plus(to(stored.value, "int32"), 128) if data.dtype == "uint8" else stored.value
        value = plus(to(value, "int32"), -128) if dtype == "uint8" else value
        return Stored(to(value, dtype), stored.order)

    return node.made(real, data.shape, dtype)

"""Activation functions and other functions of one operand.

Functions of INT8 and UINT8 become tables of their 256 results; what has a rule for wider integers has an operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ....dialects.nn.activation import RSQRT_BITS, AbsOp, ClampOp, LeakyReluOp, RsqrtOp, Sigmoid, SigmoidOp, TableOp
from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.element_functions import Unary, UnaryOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.quantise import RescaleOp
from .. import tables
from ..node import Node, tensor_type
from ..quantisation import QuantisationError, quantize_real, rescale, rescale_leaky_relu, sigmoid_parameters
from ..scales import per_tensor
from ..tables import Scales
from .registry import operator

_BYTES = ("INT8", "UINT8")


def _checked(node: Node, types: Sequence[str]) -> str:
    data, output = node.input(0), node.output
    node.check_same_type((data, output), types)
    if data.shape != output.shape:
        raise node.malformed(f"{output} has shape {list(output.shape)}, the operator makes {list(data.shape)}")
    return output.element_type.name


def _scales(node: Node) -> Scales:
    element = node.output.element_type.ir
    assert isinstance(element, IntegerType), "quantised elements are integers"
    input_scale, input_zero_point = per_tensor(node, node.input(0))
    return Scales(input_scale, input_zero_point, *per_tensor(node, node.output), integer_range(element))


def _emit_table(node: Node, values: Sequence[int]) -> Operation:
    return node.emit(TableOp(node.value(node.input(0)), values, tensor_type(node.output)))


def _emit_function(node: Node, function: Unary) -> Operation:
    return node.emit(UnaryOp(function, node.value(node.input(0)), tensor_type(node.output)))


@dataclass(frozen=True)
class Function:
    """An operator of one operand: what it is on numbers, and its table for bytes (if TFLite has one)."""

    unary: Unary
    plain: tuple[str, ...]
    """Element types of `nn.unary`."""
    table: Callable[[Scales], list[int]] | None = None
    tabled: tuple[str, ...] = ("INT8",)
    """Element types with tables."""
    interpolated: Callable[[Scales], list[int]] | None = None
    """The table for INT16 (if TFLite has one)."""

    @property
    def types(self) -> tuple[str, ...]:
        """All element types."""
        tabled = self.tabled if self.table is not None else ()
        return (*self.plain, *tabled, *(("INT16",) if self.interpolated is not None else ()))


def _real(function: Callable[[float], float]) -> Callable[[Scales], list[int]]:
    return lambda scales: tables.real_function(scales, function)


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def _gelu(x: float) -> float:
    return 0.5 * x * (1 + math.erf(x * math.sqrt(0.5)))


def _gelu_tanh(x: float) -> float:
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _absolute_table(scales: Scales) -> list[int]:
    return tables.rescaled(scales, scales.input_scale / scales.output_scale, abs)


_REAL = ("FLOAT32",)

FUNCTIONS: Mapping[str, Function] = {
    "CEIL": Function(Unary.CEIL, _REAL),
    "COS": Function(Unary.COS, _REAL),
    "ELU": Function(Unary.ELU, _REAL, _real(lambda x: math.expm1(x) if x < 0 else x)),
    "EXP": Function(Unary.EXP, _REAL, _real(tables.exponential), interpolated=tables.exponential16),
    "FLOOR": Function(Unary.FLOOR, _REAL),
    "HARD_SWISH": Function(Unary.HARD_SWISH, _REAL, tables.hard_swish_table, _BYTES),
    "LOG": Function(Unary.LOG, _REAL, _real(_logarithm), interpolated=tables.logarithm16),
    "LOGICAL_NOT": Function(Unary.LOGICAL_NOT, ("BOOL",)),
    "NEG": Function(Unary.NEG, ("FLOAT32", "INT8", "INT16", "INT32", "INT64")),
    "ROUND": Function(Unary.ROUND_EVEN, _REAL),
    "SIGN": Function(Unary.SIGN, ("FLOAT32", "INT32")),
    "SIN": Function(Unary.SIN, _REAL),
    "SQRT": Function(Unary.SQRT, _REAL),
    "SQUARE": Function(Unary.SQUARE, _REAL),
}


def _enter(opcode: str, function: Function) -> None:
    @operator(opcode, inputs=1, types=function.types)
    def importer(node: Node) -> Operation:
        name = _checked(node, function.types)
        table = function.interpolated if name == "INT16" else function.table
        if name in function.plain or table is None:
            return _emit_function(node, function.unary)
        return _emit_table(node, table(_scales(node)))


for _opcode, _function in FUNCTIONS.items():
    _enter(_opcode, _function)


@operator("RSQRT", inputs=1, types=("FLOAT32", "INT8", "INT16"))
def rsqrt(node: Node) -> Operation:
    """`1 / sqrt(x)`: of INT16 computed, not from a table."""
    name = _checked(node, ("FLOAT32", "INT8", "INT16"))
    if name == "FLOAT32":
        return _emit_function(node, Unary.RSQRT)
    scales = _scales(node)
    if name == "INT8":
        return _emit_table(node, tables.rsqrt_table(scales))
    multiplier, shift = tables.rsqrt_factor(scales)
    if shift - RSQRT_BITS < -31:
        raise QuantisationError(f"the scales of {node.input(0)} and {node.output} are too large for the fixed point")
    return node.emit(
        RsqrtOp(
            node.value(node.input(0)),
            tensor_type(node.output),
            zero_points=(scales.input_zero_point, scales.output_zero_point),
            rescale=RescaleAttr.get([multiplier], [shift - RSQRT_BITS]),
            clamp=ClampAttr.get(*scales.range),
        )
    )


@operator("GELU", inputs=1, types=("FLOAT32", *_BYTES))
def gelu(node: Node) -> Operation:
    """Exact, or by the hyperbolic tangent."""
    name, approximate = _checked(node, ("FLOAT32", *_BYTES)), node.integer("Approximate")
    if name == "FLOAT32":
        return _emit_function(node, Unary.GELU_TANH if approximate else Unary.GELU)
    return _emit_table(node, tables.real_function(_scales(node), _gelu_tanh if approximate else _gelu))


@operator("ABS", inputs=1, types=("FLOAT32", "INT8", "INT16", "INT32"))
def absolute(node: Node) -> Operation:
    """The magnitude."""
    name = _checked(node, ("FLOAT32", "INT8", "INT16", "INT32"))
    if name in ("FLOAT32", "INT32"):
        return _emit_function(node, Unary.ABS)
    scales = _scales(node)
    if name == "INT8":
        return _emit_table(node, _absolute_table(scales))
    return node.emit(
        AbsOp(
            node.value(node.input(0)),
            tensor_type(node.output),
            zero_points=(scales.input_zero_point, scales.output_zero_point),
            rescale=rescale([scales.input_scale / scales.output_scale]),
            clamp=ClampAttr.get(*scales.range),
        )
    )


_SIGMOIDS: Mapping[str, tuple[Unary, Callable[[Scales], list[int]], Sigmoid]] = {
    "LOGISTIC": (Unary.LOGISTIC, tables.logistic_table, Sigmoid.LOGISTIC),
    "TANH": (Unary.TANH, tables.tanh_table, Sigmoid.TANH),
}


def _enter_sigmoid(opcode: str) -> None:
    unary, table, sigmoid = _SIGMOIDS[opcode]

    @operator(opcode, inputs=1, types=("FLOAT32", "INT8", "UINT8", "INT16"))
    def importer(node: Node) -> Operation:
        name = _checked(node, ("FLOAT32", "INT8", "UINT8", "INT16"))
        if name == "FLOAT32":
            return _emit_function(node, unary)
        scales = _scales(node)
        if name != "INT16":
            return _emit_table(node, table(scales))
        if scales.input_zero_point or scales.output_zero_point:
            raise node.malformed("16-bit tensors must have the zero point 0")
        parameters = sigmoid_parameters(scales.input_scale, tanh=opcode == "TANH")
        return node.emit(SigmoidOp(sigmoid, node.value(node.input(0)), *parameters, tensor_type(node.output)))


for _opcode in _SIGMOIDS:
    _enter_sigmoid(_opcode)


@operator("LEAKY_RELU", inputs=1, types=("FLOAT32", "INT8", "UINT8", "INT16"))
def leaky_relu(node: Node) -> Operation:
    """Two slopes."""
    name, alpha = _checked(node, ("FLOAT32", "INT8", "UINT8", "INT16")), node.real("Alpha")
    value, type_ = node.value(node.input(0)), tensor_type(node.output)
    if name == "FLOAT32":
        return node.emit(LeakyReluOp(value, type_, alpha=alpha))
    scales = _scales(node)
    if name != "INT16":
        return _emit_table(node, tables.leaky_relu_table(scales, alpha, in_float32=name == "UINT8"))
    return node.emit(
        LeakyReluOp(
            value,
            type_,
            zero_points=(scales.input_zero_point, scales.output_zero_point),
            rescale=rescale_leaky_relu(scales.input_scale, alpha, scales.output_scale),
            clamp=ClampAttr.get(*scales.range),
        )
    )


_RELUS: Mapping[str, tuple[float, float]] = {
    "RELU": (0.0, math.inf),
    "RELU6": (0.0, 6.0),
    "RELU_0_TO_1": (0.0, 1.0),
    "RELU_N1_TO_1": (-1.0, 1.0),
}
"""Bounds of the operators that clamp."""


def _enter_relu(opcode: str) -> None:
    lower, upper = _RELUS[opcode]

    @operator(opcode, inputs=1, types=("FLOAT32", "INT8", "UINT8", "INT16"))
    def importer(node: Node) -> Operation:
        name = _checked(node, ("FLOAT32", "INT8", "UINT8", "INT16"))
        value, type_ = node.value(node.input(0)), tensor_type(node.output)
        if name == "FLOAT32":
            return node.emit(ClampOp(value, ClampAttr.get(lower, upper), type_))
        scales = _scales(node)
        # TensorFlow Lite Micro's RELU6 compares elements as they are, in the input's scale.
        plain = opcode == "RELU6" and name != "UINT8"
        scale = (scales.input_scale, scales.input_zero_point) if plain else per_tensor(node, node.output)
        least, most = scales.range
        bounds = [quantize_real(bound, *scale) for bound in (lower, upper) if math.isfinite(bound)]
        clamp = ClampAttr.get(
            min(max(least, bounds[0]), most), max(least, min(most, bounds[1])) if len(bounds) > 1 else most
        )
        if plain:
            return node.emit(ClampOp(value, clamp, type_))
        return node.emit(
            RescaleOp(
                value,
                zero_points=(scales.input_zero_point, scales.output_zero_point),
                rescale=rescale([scales.input_scale / scales.output_scale]),
                clamp=clamp,
                output_type=type_,
            )
        )


for _opcode in _RELUS:
    _enter_relu(_opcode)

"""Elementwise operators of two operands: arithmetic, functions, comparisons; and ADD_N."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from case import Case, activation, float32, samples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from pointwise_specs import SHAPES, broadcasting_shapes
from tflite_build import one_operator, options
from window_specs import ACTIVATIONS, SCALES, SEEDS, ZERO_POINTS

Array = NDArray[Any]
Limits = Callable[[str, int, Array], Array]
"""Brings samples of operand `number` of a type into the operator's domain."""


def anything(dtype: str, number: int, samples: Array) -> Array:
    """All numbers."""
    return samples


def divisors(dtype: str, number: int, samples: Array) -> Array:
    """No division by zero."""
    return np.where(samples == 0, np.array(3, samples.dtype), samples) if number else samples


def small(dtype: str, number: int, samples: Array) -> Array:
    """Integers whose powers fit, exponents that are not negative."""
    if dtype == "float32":
        return samples if number else np.abs(samples)
    return np.abs(samples) % 5 if number else samples % 30


@dataclass(frozen=True)
class Pair:
    """An operator of two operands; `fixed` makes one a constant."""

    opcode: str
    dtype: str
    table: str
    activation: int
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    fixed: int | None
    scales: tuple[float, float]
    gain: float
    zero_points: tuple[int, int, int]
    seed: int
    limits: Limits = anything
    result: str = ""
    """The result's type, if it is another."""
    second: str = ""
    """The second operand's type, if it is another."""
    one_scale: bool = False
    oracle: str = "tflm"
    tolerance: float = 0.0

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        types = (self.dtype, self.second or self.dtype, self.result or self.dtype)
        scales = [*self.scales, self._output_scale()]
        zero_points = [_shifted(dtype, point) for dtype, point in zip(types, self.zero_points, strict=True)]
        if self.one_scale:
            scales, zero_points = [scales[0]] * 3, [zero_points[0]] * 3
        shapes = (*self.shapes, np.broadcast_shapes(*self.shapes))
        lhs, rhs, output = (
            activation(dtype, shape, scale, zero_point)
            for dtype, shape, scale, zero_point in zip(types, shapes, scales, zero_points, strict=True)
        )
        operands = [lhs, rhs]
        samples = [
            self._limited(number, samples_of(types[number], rng, shape), zero_points[number])
            for number, shape in enumerate(self.shapes)
        ]
        if self.fixed is not None:
            operands[self.fixed] = replace(operands[self.fixed], data=samples.pop(self.fixed)[0])
        fields = {} if self.activation < 0 else {"fusedActivationFunction": self.activation}
        made = options(self.table, **fields) if self.table else None
        return Case(one_operator(self.opcode, made, operands, output), tuple(samples), self.tolerance, self.oracle)

    def _limited(self, number: int, samples: Array, zero_point: int) -> Array:
        if self.limits is divisors and self.dtype in ("int8", "uint8") and self.opcode == "DIV" and number:
            return np.where(samples == zero_point, np.array(zero_point ^ 1, samples.dtype), samples)
        return self.limits(self.dtype, number, samples)

    def _output_scale(self) -> float:
        first, second = self.scales
        steps = 256 if "8" in self.dtype else 32768
        match self.opcode:
            case "MUL":
                return float32(first * second * steps * self.gain)
            case "SQUARED_DIFFERENCE":
                return float32((first + second) ** 2 * steps * self.gain)
            case "DIV":
                return float32(first / second * self.gain)
            case "PRELU":
                return float32(first * max(second * steps, 1) * self.gain)
            case _:
                return float32((first + second) * self.gain)


def _shifted(dtype: str, zero_point: int) -> int:
    return {"int8": zero_point, "uint8": zero_point + 128}.get(dtype, 0)


@dataclass(frozen=True)
class Kind:
    """What is special about an operator; `types` as in `movement_specs`."""

    types: str
    table: str = ""
    fused: bool = False
    limits: Limits = anything
    result: str = ""
    one_scale: bool = False
    small_scales: bool = False
    tolerance: float = 0.0
    one_shape: bool = False
    """Whether the reference does not broadcast."""


OPERATORS = {
    "SUB": Kind("float32 int8 int16 int32* uint8* int64*", "Sub", fused=True),
    "ADD": Kind("int16 int32 uint8* int64*", "Add", fused=True),
    "MUL": Kind("float32 int8 int16 int32 uint8* int64*", "Mul", fused=True),
    "DIV": Kind("float32 int8 int32* uint8*", "Div", fused=True, limits=divisors),
    "SQUARED_DIFFERENCE": Kind("float32 int8 int16 int32", "SquaredDifference"),
    "MAXIMUM": Kind("float32 int8 int16 int32 int64 uint8*", "MaximumMinimum", one_scale=True),
    "MINIMUM": Kind("float32 int8 int16 int32 int64 uint8*", "MaximumMinimum", one_scale=True),
    "EQUAL": Kind("float32 int8 int32 int64 bool uint8* int16*", "Equal", result="bool", small_scales=True),
    "NOT_EQUAL": Kind("float32 int8 int32 int64 bool uint8* int16*", "NotEqual", result="bool", small_scales=True),
    "GREATER": Kind("float32 int8 int16* int32 int64 uint8*", "Greater", result="bool", small_scales=True),
    "GREATER_EQUAL": Kind("float32 int8 int32 int64 uint8* int16*", "GreaterEqual", result="bool", small_scales=True),
    "LESS": Kind("float32 int8 int16* int32 int64 uint8*", "Less", result="bool", small_scales=True),
    "LESS_EQUAL": Kind("float32 int8 int32 int64 uint8* int16*", "LessEqual", result="bool", small_scales=True),
    "LOGICAL_AND": Kind("bool", "LogicalAnd"),
    "LOGICAL_OR": Kind("bool", "LogicalOr"),
    "FLOOR_DIV": Kind("float32 int8* int16* int32*", "FloorDiv", limits=divisors, one_scale=True),
    "FLOOR_MOD": Kind("float32 int8* int16* int32* int64*", "FloorMod", limits=divisors, one_scale=True),
    "POW": Kind("float32* int32*", "Pow", limits=small, tolerance=1e-6),
    "ATAN2": Kind("float32*", "", tolerance=1e-6, one_shape=True),
}


def _same(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    whole = np.broadcast_shapes(*shapes)
    return whole, whole


def pairs(opcode: str, entry: str) -> st.SearchStrategy[Pair]:
    """Cases of one operator and type; a star behind the type: TFLite Micro has not that one."""
    kind, dtype = OPERATORS[opcode], entry.rstrip("*")
    scales = SCALES.filter(lambda scale: scale < 1) if kind.small_scales else SCALES
    fused = ACTIVATIONS if kind.fused and dtype != "int64" else st.just(0 if kind.fused else -1)
    return st.builds(
        Pair,
        opcode=st.just(opcode),
        dtype=st.just(dtype),
        table=st.just(kind.table),
        activation=fused,
        shapes=broadcasting_shapes().map(_same) if kind.one_shape else broadcasting_shapes(),
        fixed=st.sampled_from((None, None, 0, 1)),
        scales=st.tuples(scales, scales),
        gain=st.sampled_from((0.25, 0.5, 1.0, 4.0)),
        zero_points=st.tuples(ZERO_POINTS, ZERO_POINTS, ZERO_POINTS),
        seed=SEEDS,
        limits=st.just(kind.limits),
        result=st.just(kind.result),
        one_scale=st.just(kind.one_scale),
        oracle=st.just("litert" if entry.endswith("*") else "tflm"),
        tolerance=st.just(kind.tolerance if dtype == "float32" else 0.0),
    )


@st.composite
def preluings(draw: st.DrawFn, dtype: str, oracle: str) -> Pair:
    """PRELU with a slope for each element of some last dimensions."""
    shape = draw(SHAPES)
    slopes = tuple(extent if draw(st.booleans()) else 1 for extent in shape)
    return Pair(
        "PRELU",
        dtype,
        "",
        -1,
        (shape, slopes),
        1,
        (draw(SCALES), draw(SCALES)),
        draw(st.sampled_from((0.25, 1.0, 4.0))),
        (draw(ZERO_POINTS), draw(ZERO_POINTS), draw(ZERO_POINTS)),
        draw(SEEDS),
        second="int8" if dtype == "int16" else "",
        oracle=oracle,
    )


@dataclass(frozen=True)
class Total:
    """ADD_N of `count` tensors."""

    dtype: str
    shape: tuple[int, ...]
    count: int
    scale: float
    gain: float
    zero_points: tuple[int, int]
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        operand = activation(self.dtype, self.shape, self.scale, self.zero_points[0])
        output = activation(self.dtype, self.shape, float32(self.scale * self.gain), self.zero_points[1])
        samples = tuple(samples_of(self.dtype, rng, self.shape) for _ in range(self.count))
        return Case(one_operator("ADD_N", options("AddN"), [operand] * self.count, output), samples)


def totals(dtype: str) -> st.SearchStrategy[Total]:
    """Sums of two to four tensors."""
    return st.builds(
        Total,
        dtype=st.just(dtype),
        shape=SHAPES,
        count=st.integers(2, 4),
        scale=SCALES,
        gain=st.sampled_from((0.5, 1.0, 2.0)),
        zero_points=st.tuples(ZERO_POINTS, ZERO_POINTS),
        seed=SEEDS,
    )


KINDS: dict[str, st.SearchStrategy[Any]] = {
    f"{opcode} {entry.rstrip('*')}": pairs(opcode, entry)
    for opcode, kind in OPERATORS.items()
    for entry in kind.types.split()
}
KINDS |= {f"PRELU {dtype}": preluings(dtype, "tflm") for dtype in ("float32", "int8", "int16")}
KINDS |= {"PRELU uint8": preluings("uint8", "litert")}
KINDS |= {f"ADD_N {dtype}": totals(dtype) for dtype in ("float32", "int8")}

"""Functions of one operand, changes of representation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from case import Case, activation, samples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from pointwise_specs import SHAPES
from tflite_build import Tensor, one_operator, options
from window_specs import SCALES, SEEDS, ZERO_POINTS

FIXED_OUTPUT = {
    ("LOGISTIC", "int8"): (1 / 256, -128),
    ("LOGISTIC", "uint8"): (1 / 256, 0),
    ("LOGISTIC", "int16"): (1 / 32768, 0),
    ("TANH", "int8"): (1 / 128, 0),
    ("TANH", "uint8"): (1 / 128, 128),
    ("TANH", "int16"): (1 / 32768, 0),
}
"""Scales and zero points that an operator prescribes."""

POSITIVE = ("LOG", "SQRT", "RSQRT")


@dataclass(frozen=True)
class Function:
    """An operator of one operand."""

    opcode: str
    source: str
    target: str
    shape: tuple[int, ...]
    fields: tuple[tuple[str, Any], ...]
    scales: tuple[float, float]
    zero_points: tuple[int, int]
    seed: int
    oracle: str
    tolerance: float

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        zero_points = [
            _shifted(dtype, point) for dtype, point in zip((self.source, self.target), self.zero_points, strict=True)
        ]
        output = FIXED_OUTPUT.get((self.opcode, self.target), (self.scales[1], zero_points[1]))
        samples = samples_of(self.source, rng, self.shape)
        if self.opcode in POSITIVE:
            samples = np.abs(samples) + np.float32(0.01) if self.source == "float32" else self._above(samples)
        if self.opcode == "CAST" and self.source == "float32":
            samples = _inside(samples, self.target)
        source = self._tensor(self.source, self.scales[0], self._input_zero_point(zero_points[0]))
        target = self._tensor(self.target, *output)
        table = {"RELU6": "", "LOGISTIC": "", "TANH": "", "GELU": "Gelu", "LEAKY_RELU": "LeakyRelu"}.get(self.opcode)
        made = options(table, **dict(self.fields)) if table else None
        return Case(one_operator(self.opcode, made, (source,), target), (samples,), self.tolerance, self.oracle)

    def _input_zero_point(self, zero_point: int) -> int:
        return -128 if self.opcode in POSITIVE and self.source == "int8" else zero_point

    def _tensor(self, dtype: str, scale: float, zero_point: int) -> Tensor:
        if dtype == "int32" and self.opcode in ("QUANTIZE", "DEQUANTIZE"):
            return Tensor(self.shape, dtype, (scale,), (0,))
        return activation(dtype, self.shape, scale, zero_point)

    def _above(self, samples: NDArray[Any]) -> NDArray[Any]:
        if self.source == "int16":
            return samples if self.opcode == "LOG" else np.maximum(np.abs(samples), 1)
        return np.where(samples == -128, np.array(-127, samples.dtype), samples)


def _shifted(dtype: str, zero_point: int) -> int:
    return {"int8": zero_point, "uint8": zero_point + 128}.get(dtype, 0)


def _inside(samples: NDArray[Any], target: str) -> NDArray[Any]:
    return np.abs(samples) if target == "uint8" else samples * (1 if target in ("int8", "bool") else 1000)


@dataclass(frozen=True)
class Kind:
    """Types as `source` or `source>target`; a star behind: TFLite Micro has not that one."""

    types: str
    fields: tuple[tuple[str, Any], ...] = ()
    tolerance: float = 0.0


LIBRARY = 2e-7
"""Relative to the largest result: C's functions may differ by a unit in the last place between libraries."""

NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "bool", "float32")

OPERATORS: Mapping[str, Kind] = {
    "ABS": Kind("float32 int8 int16 int32*"),
    "CEIL": Kind("float32"),
    "COS": Kind("float32", tolerance=LIBRARY),
    "ELU": Kind("float32 int8", tolerance=LIBRARY),
    "EXP": Kind("float32 int8* int16*", tolerance=LIBRARY),
    "FLOOR": Kind("float32"),
    "HARD_SWISH": Kind("float32 int8 uint8*"),
    "LEAKY_RELU": Kind("float32 int8 int16 uint8*"),
    "LOG": Kind("float32 int8* int16*", tolerance=LIBRARY),
    "LOGICAL_NOT": Kind("bool"),
    "LOGISTIC": Kind("float32 int8 int16 uint8*", tolerance=LIBRARY),
    "NEG": Kind("float32 int8* int16* int32* int64*"),
    "RELU": Kind("float32 int8 int16 uint8*"),
    "RELU6": Kind("float32 int8 int16 uint8*"),
    "RELU_N1_TO_1": Kind("float32* int8* uint8*"),
    "RELU_0_TO_1": Kind("float32* int8* uint8*"),
    "ROUND": Kind("float32"),
    "RSQRT": Kind("float32 int8 int16"),
    "SIGN": Kind("float32* int32*"),
    "SIN": Kind("float32", tolerance=LIBRARY),
    "SQRT": Kind("float32"),
    "SQUARE": Kind("float32"),
    "TANH": Kind("float32 int8 int16 uint8*", tolerance=LIBRARY),
    "QUANTIZE": Kind(
        "float32>int16 float32>uint8* int8>int16 int8>int32 int8>uint8 uint8>int8 int16>int8 int16>int16 int16>int32"
        " int32>int8 int32>int16"
    ),
    "DEQUANTIZE": Kind("int16>float32 uint8>float32"),
}


@st.composite
def functions(draw: st.DrawFn, opcode: str, entry: str) -> Function:
    """Cases of one operator and type."""
    kind = OPERATORS[opcode]
    source, _, target = entry.rstrip("*").partition(">")
    target = target or source
    fields = kind.fields
    if opcode == "LEAKY_RELU":
        slopes = (0.01, 0.3, 1.5, 0.0) if source == "int16" else (0.01, 0.3, 1.5, 0.0, -0.5)
        fields = (("alpha", draw(st.sampled_from(slopes))),)
    scales = draw(SCALES), draw(SCALES)
    if "int32" in entry:
        scales = scales[0], scales[0] if target == "int8" else scales[1]
    return Function(
        opcode,
        source,
        target,
        draw(SHAPES),
        fields,
        scales,
        (draw(ZERO_POINTS), draw(ZERO_POINTS)),
        draw(SEEDS),
        "litert" if entry.endswith("*") else "tflm",
        kind.tolerance if target == "float32" else 0.0,
    )


def _title(opcode: str, entry: str) -> str:
    return f"{opcode} {entry.rstrip('*').replace('>', ' to ')}"


KINDS: dict[str, st.SearchStrategy[Any]] = {
    _title(opcode, entry): functions(opcode, entry)
    for opcode, kind in OPERATORS.items()
    for entry in kind.types.split()
}


@st.composite
def gelus(draw: st.DrawFn, dtype: str, approximate: bool) -> Function:
    """GELU, exact or approximate."""
    fields = (("approximate", approximate),)
    scales, zero_points = (draw(SCALES), draw(SCALES)), (draw(ZERO_POINTS), draw(ZERO_POINTS))
    tolerance = 1e-6 if dtype == "float32" else 0.0
    return Function("GELU", dtype, dtype, draw(SHAPES), fields, scales, zero_points, draw(SEEDS), "litert", tolerance)


KINDS |= {
    f"GELU {dtype}{' approximate' if approximate else ''}": gelus(dtype, approximate)
    for dtype in ("float32", "int8", "uint8")
    for approximate in (False, True)
}


@st.composite
def casts(draw: st.DrawFn, source: str) -> Function:
    """CAST to any other type."""
    target = draw(st.sampled_from([dtype for dtype in NUMBERS if dtype != source]))
    return Function("CAST", source, target, draw(SHAPES), (), (1.0, 1.0), (0, 0), draw(SEEDS), "litert", 0.0)


KINDS |= {f"CAST {source}": casts(source) for source in NUMBERS}

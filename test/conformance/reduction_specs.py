"""Reductions along axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from case import Case, activation, float32, samples_of
from hypothesis import strategies as st
from tflite_build import constant, one_operator, options
from window_specs import SCALES, SEEDS, ZERO_POINTS

QUANTISED = ("int8", "uint8", "int16")


@dataclass(frozen=True)
class Reduce:
    """One reduction; an axis may count from the back, and there may be none."""

    opcode: str
    dtype: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    keep: bool
    scales: tuple[float, float]
    zero_points: tuple[int, int]
    oracle: str
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        rank = len(self.shape)
        reduced = {axis % rank for axis in self.axes}
        if self.keep:
            result = tuple(1 if d in reduced else extent for d, extent in enumerate(self.shape))
        else:
            result = tuple(extent for d, extent in enumerate(self.shape) if d not in reduced)
        if self.opcode in ("MEAN", "SUM"):
            spread = 1 if self.opcode == "MEAN" else math.prod(self.shape[d] for d in reduced) ** 0.5
            scales = self.scales[0], float32(self.scales[1] / 4 * spread)
            pairs = list(zip(scales, map(self._zero_point, self.zero_points), strict=True))
        else:
            pairs = [(self.scales[0], self._zero_point(self.zero_points[0]))] * 2
        source, target = (
            activation(self.dtype, shape, *pair) for shape, pair in zip((self.shape, result), pairs, strict=True)
        )
        made = options("Reducer", keepDims=self.keep)
        axes = constant(np.array(self.axes, np.int32))
        model = one_operator(self.opcode, made, (source, axes), target)
        return Case(model, (samples_of(self.dtype, rng, self.shape),), oracle=self.oracle)

    def _zero_point(self, value: int) -> int:
        return 0 if self.dtype == "int16" else value + 128 if self.dtype == "uint8" else value


@st.composite
def reductions(draw: st.DrawFn, opcode: str, dtype: str) -> Reduce:
    """Cases of one operator and type; a star behind the type: TFLite Micro has not that one."""
    name, micro = dtype.rstrip("*"), not dtype.endswith("*")
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=4 if micro else 5)))
    # TFLite Micro has room for two axes in its sums.
    most = 2 if micro and opcode in ("MEAN", "SUM") else len(shape)
    positions = st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=min(most, len(shape)), unique=True)
    axes = tuple(axis - len(shape) if draw(st.booleans()) else axis for axis in draw(positions))
    return Reduce(
        opcode,
        name,
        shape,
        axes,
        draw(st.booleans()),
        (draw(SCALES),) * 2 if draw(st.booleans()) else (draw(SCALES), draw(SCALES)),
        (draw(ZERO_POINTS),) * 2 if draw(st.booleans()) else (draw(ZERO_POINTS), draw(ZERO_POINTS)),
        "tflm" if micro else "litert",
        draw(SEEDS),
    )


TYPES = {
    "MEAN": "float32 int8 int16 uint8* int32* int64*",
    "SUM": "float32 int8 int16 uint8* int32* int64* bool*",
    "REDUCE_MAX": "float32 int8 int16* uint8* int32* int64* bool*",
    "REDUCE_MIN": "float32 int8 int16* uint8* int32* int64* bool*",
    "REDUCE_PROD": "float32* int8* int16* int32* int64* bool*",
    "REDUCE_ALL": "bool",
    "REDUCE_ANY": "bool*",
}

KINDS = {
    f"{opcode} {dtype.rstrip('*')}": reductions(opcode, dtype)
    for opcode, types in TYPES.items()
    for dtype in types.split()
} | {
    # LiteRT's SUM of quantised elements leaves zero points out of account.
    f"{kind} several axes": reductions(kind.split()[0], f"{kind.split()[1]}*")
    for kind in ("MEAN float32", "MEAN int8", "MEAN int16", "SUM float32")
}

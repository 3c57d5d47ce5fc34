"""Matrix products: FULLY_CONNECTED, BATCH_MATMUL."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from case import SAMPLES, WEIGHTED, Case, Weighted, activation, channel_scales, float32, samples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from tflite_build import constant, one_operator, options
from window_specs import ACTIVATIONS, SCALES, SEEDS, ZERO_POINTS


@dataclass(frozen=True)
class FullyConnected:
    """`leading` extents before the row of `depth` elements."""

    types: Weighted
    leading: tuple[int, ...]
    depth: int
    columns: int
    keep_dims: bool
    asymmetric: bool
    """Of hybrid models."""
    per_channel: bool
    given_weights: bool
    """Whether the weights are an input of the model; of int8 and float32 only."""
    bias: bool
    activation: int
    input_scale: float
    filter_scale: float
    input_zero_point: int
    filter_zero_point: int
    """Used with one filter scale only; TFLite's own converters write 0."""
    output_zero_point: int
    gain: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        in_shape = (*self.leading, self.depth)
        rows = math.prod(self.leading)
        out_shape = (*self.leading, self.columns) if self.keep_dims else (rows, self.columns)
        made = options(
            "FullyConnected",
            keepNumDims=self.keep_dims,
            fusedActivationFunction=self.activation,
            asymmetricQuantizeInputs=self.asymmetric,
        )
        shape = self.columns, self.depth
        types, zero_point = self.types, self.filter_zero_point
        if types.weights == "int4":
            zero_point = zero_point % 16 - 8
        elif types.weights == "uint8":
            zero_point += 128
        if types.is_hybrid:
            zero_point = 0
        if types.weights == "float32":
            scales = ()
        elif types.weights == "int8" and self.per_channel:
            scales, zero_point = channel_scales(rng, self.filter_scale, self.columns), 0
        else:
            scales = (self.filter_scale,)
        kernel = types.filter(rng, shape, scales, 0, zero_point)
        values: list[NDArray[Any]] = []
        if self.given_weights:
            made_weights = [types.filter(rng, shape, scales, 0, zero_point).data for _ in range(SAMPLES)]
            values = [np.stack([data for data in made_weights if data is not None])]
            kernel = replace(kernel, data=None)
        bias = None
        if self.bias:
            bias = types.bias_of(rng, self.columns, [float32(self.input_scale * scale) for scale in scales])
        output_scale = types.output_scale(self.input_scale, self.filter_scale, self.depth, self.gain)
        model = one_operator(
            "FULLY_CONNECTED",
            made,
            (activation(types.data, in_shape, self.input_scale, types.zero_point(self.input_zero_point)), kernel, bias),
            activation(types.data, out_shape, output_scale, types.zero_point(self.output_zero_point)),
        )
        tolerance = 1e-5 if types.weights == "float32" else 0.0
        return Case(model, (samples_of(types.data, rng, in_shape), *values), tolerance, types.oracle)


def fully_connected(types: Weighted) -> st.SearchStrategy[FullyConnected]:
    """Matrix products of inputs of rank 1 to 4."""
    return st.builds(
        FullyConnected,
        types=st.just(types),
        leading=st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple),
        depth=st.integers(1, 40),
        columns=st.integers(1, 12),
        keep_dims=st.booleans(),
        asymmetric=st.booleans() if types.is_hybrid else st.just(False),
        per_channel=st.booleans(),
        given_weights=st.booleans() if types in (WEIGHTED["int8"], WEIGHTED["float32"]) else st.just(False),
        bias=st.booleans(),
        activation=ACTIVATIONS,
        input_scale=SCALES,
        filter_scale=SCALES,
        input_zero_point=ZERO_POINTS,
        filter_zero_point=st.sampled_from((0, 0, 3, -17)),
        output_zero_point=ZERO_POINTS,
        gain=st.sampled_from((0.001, 0.05, 0.5, 1.0, 3.0)),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class BatchMatmul:
    """BATCH_MATMUL of [..., rows, depth] and [..., depth, columns]."""

    dtype: str
    batches: tuple[tuple[int, ...], tuple[int, ...]]
    rows: int
    depth: int
    columns: int
    adjoint: tuple[bool, bool]
    fixed: bool
    """Whether the second operand is a constant."""
    scales: tuple[float, float]
    zero_points: tuple[int, int, int]
    gain: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng, dtype = np.random.default_rng(self.seed), self.dtype
        first, second = self.batches
        rank = max(len(first), len(second))
        padded = [(1,) * (rank - len(batch)) + batch for batch in self.batches]
        batch = tuple(max(pair) for pair in zip(*padded, strict=True))
        lhs = (*first, *((self.depth, self.rows) if self.adjoint[0] else (self.rows, self.depth)))
        rhs = (*second, *((self.columns, self.depth) if self.adjoint[1] else (self.depth, self.columns)))
        zero_points = self.zero_points if dtype == "int8" else (0, 0, 0)
        typical = 15000 if dtype == "int16" else 100
        output_scale = float32(self.scales[0] * self.scales[1] * typical * math.sqrt(self.depth) * self.gain)
        inputs = [samples_of(dtype, rng, lhs), samples_of(dtype, rng, rhs)]
        right = activation(dtype, rhs, self.scales[1], zero_points[1])
        if self.fixed:
            right = constant(inputs.pop()[0], right.scales, zero_point=zero_points[1])
        made = options("BatchMatMul", adjX=self.adjoint[0], adjY=self.adjoint[1])
        left = activation(dtype, lhs, self.scales[0], zero_points[0])
        target = activation(dtype, (*batch, self.rows, self.columns), output_scale, zero_points[2])
        model = one_operator("BATCH_MATMUL", made, (left, right), target)
        return Case(model, tuple(inputs), 1e-5 if dtype == "float32" else 0.0)


@st.composite
def broadcast(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Leading extents of two operands that broadcast."""
    result = draw(st.lists(st.integers(1, 3), max_size=3))
    sides: list[tuple[int, ...]] = []
    for _ in range(2):
        kept = [draw(st.sampled_from((extent, extent, 1))) for extent in result]
        sides.append(tuple(kept[draw(st.integers(0, len(kept))) :]))
    return sides[0], sides[1]


def batch_matmul(dtype: str) -> st.SearchStrategy[BatchMatmul]:
    """Products of matrices of rank 2 to 5."""
    return st.builds(
        BatchMatmul,
        dtype=st.just(dtype),
        batches=broadcast(),
        rows=st.integers(1, 6),
        depth=st.integers(1, 20),
        columns=st.integers(1, 6),
        adjoint=st.tuples(st.booleans(), st.booleans()),
        fixed=st.booleans(),
        scales=st.tuples(SCALES, SCALES),
        zero_points=st.tuples(ZERO_POINTS, ZERO_POINTS, ZERO_POINTS),
        gain=st.sampled_from((0.05, 0.5, 1.0, 3.0)),
        seed=SEEDS,
    )


KINDS = {
    **{f"FULLY_CONNECTED {name}": fully_connected(types) for name, types in WEIGHTED.items()},
    **{f"BATCH_MATMUL {dtype}": batch_matmul(dtype) for dtype in ("int8", "int16", "float32")},
}

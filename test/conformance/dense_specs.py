"""Matrix products: FULLY_CONNECTED."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from case import WEIGHTED, Case, Weighted, activation, channel_scales, float32, samples_of
from hypothesis import strategies as st
from tflite_build import one_operator, options
from window_specs import ACTIVATIONS, SCALES, SEEDS, ZERO_POINTS


@dataclass(frozen=True)
class FullyConnected:
    """`leading` extents before the row of `depth` elements."""

    types: Weighted
    leading: tuple[int, ...]
    depth: int
    columns: int
    keep_dims: bool
    per_channel: bool
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
        made = options("FullyConnected", keepNumDims=self.keep_dims, fusedActivationFunction=self.activation)
        shape = self.columns, self.depth
        types, zero_point = self.types, self.filter_zero_point
        if types.weights == "int4":
            zero_point = zero_point % 16 - 8
        elif types.weights == "uint8":
            zero_point += 128
        if types.data == "float32":
            scales = ()
        elif types.weights == "int8" and self.per_channel:
            scales, zero_point = channel_scales(rng, self.filter_scale, self.columns), 0
        else:
            scales = (self.filter_scale,)
        kernel = types.filter(rng, shape, scales, 0, zero_point)
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
        tolerance = 1e-5 if types.data == "float32" else 0.0
        return Case(model, (samples_of(types.data, rng, in_shape),), tolerance, types.oracle)


def fully_connected(types: Weighted) -> st.SearchStrategy[FullyConnected]:
    """Matrix products of inputs of rank 1 to 4."""
    return st.builds(
        FullyConnected,
        types=st.just(types),
        leading=st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple),
        depth=st.integers(1, 40),
        columns=st.integers(1, 12),
        keep_dims=st.booleans(),
        per_channel=st.booleans(),
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


KINDS = {f"FULLY_CONNECTED {name}": fully_connected(types) for name, types in WEIGHTED.items()}

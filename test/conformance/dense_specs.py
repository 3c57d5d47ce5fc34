"""Matrix products: FULLY_CONNECTED."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from case import Case, channel_scales, float32, float_samples, int8_samples, int8_tensor, weights
from hypothesis import strategies as st
from tflite_build import Tensor, constant, one_operator, options
from window_specs import ACTIVATIONS, SCALES, SEEDS, ZERO_POINTS


@dataclass(frozen=True)
class FullyConnected:
    """`leading` extents before the row of `depth` elements."""

    integer: bool
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
        if not self.integer:
            kernel = constant(rng.normal(0, 1, shape).astype(np.float32))
            bias = constant(rng.normal(0, 1, self.columns).astype(np.float32)) if self.bias else None
            ends = Tensor(in_shape, "float32"), Tensor(out_shape, "float32")
            model = one_operator("FULLY_CONNECTED", made, (ends[0], kernel, bias), ends[1])
            return Case(model, (float_samples(rng, in_shape),), 1e-5)
        if self.per_channel:
            scales = channel_scales(rng, self.filter_scale, self.columns)
            kernel = constant(weights(rng, shape), scales)
        else:
            scales = (self.filter_scale,)
            kernel = constant(weights(rng, shape), scales, zero_point=self.filter_zero_point)
        bias = None
        if self.bias:
            values = rng.integers(-(2**13), 2**13, self.columns, np.int32)
            bias = constant(values, [float32(self.input_scale * scale) for scale in scales])
        output_scale = float32(self.input_scale * self.filter_scale * 100 * math.sqrt(self.depth) * self.gain)
        model = one_operator(
            "FULLY_CONNECTED",
            made,
            (int8_tensor(in_shape, self.input_scale, self.input_zero_point), kernel, bias),
            int8_tensor(out_shape, output_scale, self.output_zero_point),
        )
        return Case(model, (int8_samples(rng, in_shape),))


def fully_connected(*, integer: bool) -> st.SearchStrategy[FullyConnected]:
    """Matrix products of inputs of rank 1 to 4."""
    return st.builds(
        FullyConnected,
        integer=st.just(integer),
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


KINDS = {
    "FULLY_CONNECTED int8": fully_connected(integer=True),
    "FULLY_CONNECTED float32": fully_connected(integer=False),
}

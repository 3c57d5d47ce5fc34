"""Sliding windows: CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV and the pools."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from case import WEIGHTED, Case, Weighted, activation, channel_scales, float32, samples_of
from hypothesis import strategies as st
from tflite_build import SAME, VALID, Tensor, constant, one_operator, options

POWERS = st.integers(-8, 1).map(lambda exponent: 2.0**exponent)
ZERO_POINTS = st.one_of(st.integers(-128, 127), st.sampled_from((-128, 0, 127)))
ACTIVATIONS = st.sampled_from((0, 0, 1, 2, 3))
SEEDS = st.integers(0, 2**16 - 1)
SCALES = st.builds(lambda power, mantissa: float32(power * mantissa), POWERS, st.floats(1, 2))


@dataclass(frozen=True)
class Window:
    """Geometry of one window: height first in every pair."""

    extents: tuple[int, int]
    kernel: tuple[int, int]
    strides: tuple[int, int]
    dilations: tuple[int, int]
    padding: int

    def outputs(self) -> tuple[int, int]:
        """Output height and width by TFLite's formulas."""
        height, width = (
            -(-extent // stride) if self.padding == SAME else -(-(extent - (kernel - 1) * dilation) // stride)
            for extent, kernel, stride, dilation in zip(
                self.extents, self.kernel, self.strides, self.dilations, strict=True
            )
        )
        return height, width


@st.composite
def windows(draw: st.DrawFn, *, dilated: bool) -> Window:
    """Small windows that give at least one output."""
    pairs = st.tuples
    kernel = draw(pairs(st.integers(1, 5), st.integers(1, 5)))
    strides = draw(pairs(st.integers(1, 3), st.integers(1, 3)))
    dilations = draw(pairs(st.integers(1, 3), st.integers(1, 3))) if dilated else (1, 1)
    padding = draw(st.sampled_from((SAME, VALID)))
    least = [(k - 1) * d + 1 if padding == VALID else 1 for k, d in zip(kernel, dilations, strict=True)]
    height, width = (draw(st.integers(n, n + 6)) for n in least)
    return Window((height, width), kernel, strides, dilations, padding)


@dataclass(frozen=True)
class Convolution:
    """CONV_2D (channels = groups * group_channels) or DEPTHWISE_CONV_2D (`outputs` per channel)."""

    depthwise: bool
    types: Weighted
    window: Window
    batch: int
    groups: int
    group_channels: int
    outputs: int
    per_channel: bool
    bias: bool
    activation: int
    input_scale: float
    filter_scale: float
    input_zero_point: int
    filter_zero_point: int
    """Of legacy uint8 only."""
    output_zero_point: int
    gain: float
    """How much wider the output's range is than a typical accumulator's."""
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        window = self.window
        channels = self.group_channels if self.depthwise else self.groups * self.group_channels
        out_channels = channels * self.outputs if self.depthwise else self.groups * self.outputs
        group = self.group_channels
        shape = (1, *window.kernel, out_channels) if self.depthwise else (out_channels, *window.kernel, group)
        in_shape = (self.batch, *window.extents, channels)
        out_shape = (self.batch, *window.outputs(), out_channels)
        taps = math.prod(window.kernel) * (1 if self.depthwise else group)
        fields = {
            "padding": window.padding,
            "strideH": window.strides[0],
            "strideW": window.strides[1],
            "dilationHFactor": window.dilations[0],
            "dilationWFactor": window.dilations[1],
            "fusedActivationFunction": self.activation,
        }
        opcode = "DEPTHWISE_CONV_2D" if self.depthwise else "CONV_2D"
        if self.depthwise:
            made = options("DepthwiseConv2D", depthMultiplier=self.outputs, **fields)
        else:
            made = options("Conv2D", **fields)
        types, axis = self.types, 3 if self.depthwise else 0
        scales = channel_scales(
            rng, self.filter_scale, out_channels if self.per_channel or (types.is_hybrid and self.depthwise) else 1
        )
        input_zero_point, output_zero_point = map(types.zero_point, (self.input_zero_point, self.output_zero_point))
        if types.data == "uint8":
            scales = (self.filter_scale,)
        if types.weights == "float32":
            scales = ()
        kernel = types.filter(rng, shape, scales, axis, self.filter_zero_point if types.data == "uint8" else 0)
        bias = None
        if self.bias or types.oracle == "litert":
            bias = types.bias_of(rng, out_channels, [self.input_scale * scale for scale in scales])
        output_scale = types.output_scale(self.input_scale, self.filter_scale, taps, self.gain)
        data = activation(types.data, in_shape, self.input_scale, input_zero_point)
        output = activation(types.data, out_shape, output_scale, output_zero_point)
        model = one_operator(opcode, made, self._inputs(data, kernel, bias), output)
        tolerance = 1e-5 if types.weights == "float32" else 0.0
        return Case(model, (samples_of(types.data, rng, in_shape),), tolerance, types.oracle)

    def _inputs(self, data: Tensor, kernel: Tensor, bias: Tensor | None) -> Sequence[Tensor | None]:
        """A bias that is left out is -1, or nothing: TFLite Micro's depthwise kernel crashes on the former."""
        return (data, kernel) if self.depthwise and bias is None else (data, kernel, bias)


@dataclass(frozen=True)
class TransposeConv:
    """TRANSPOSE_CONV whose result has the extents of `window`'s input."""

    types: Weighted
    window: Window
    batch: int
    channels: int
    outputs: int
    more: tuple[int, int]
    """Rows and columns that the result has besides those of a convolution's input: below and to the right."""
    per_channel: bool
    bias: bool
    activation: int
    input_scale: float
    filter_scale: float
    input_zero_point: int
    filter_zero_point: int
    output_zero_point: int
    gain: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng, types = np.random.default_rng(self.seed), self.types
        in_shape = (self.batch, *self.window.outputs(), self.channels)
        height, width = (extent + more for extent, more in zip(self.window.extents, self.more, strict=True))
        out_shape = (self.batch, height, width, self.outputs)
        made = options(
            "TransposeConv",
            padding=self.window.padding,
            strideH=self.window.strides[0],
            strideW=self.window.strides[1],
            fusedActivationFunction=self.activation,
        )
        scales = channel_scales(rng, self.filter_scale, self.outputs if self.per_channel else 1)
        legacy = types.data == "uint8"
        if legacy:
            scales = (self.filter_scale,)
        if types.data == "float32":
            scales = ()
        shape = (self.outputs, *self.window.kernel, self.channels)
        kernel = types.filter(rng, shape, scales, 0, self.filter_zero_point if legacy else 0)
        biases = [types.bias_of(rng, self.outputs, [self.input_scale * scale for scale in scales])]
        taps = max(1, math.prod(self.window.kernel) // math.prod(self.window.strides)) * self.channels
        output_scale = types.output_scale(self.input_scale, self.filter_scale, taps, self.gain)
        model = one_operator(
            "TRANSPOSE_CONV",
            made,
            (
                constant(np.array(out_shape, np.int32)),
                kernel,
                activation(types.data, in_shape, self.input_scale, types.zero_point(self.input_zero_point)),
                *(biases if self.bias else ()),
            ),
            activation(types.data, out_shape, output_scale, types.zero_point(self.output_zero_point)),
        )
        tolerance = 1e-5 if types.weights == "float32" else 0.0
        return Case(model, (samples_of(types.data, rng, in_shape),), tolerance, types.oracle)


@dataclass(frozen=True)
class Pool:
    """AVERAGE_POOL_2D or MAX_POOL_2D."""

    opcode: str
    dtype: str
    window: Window
    batch: int
    channels: int
    activation: int
    scale: float
    zero_point: int
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        window = self.window
        in_shape = (self.batch, *window.extents, self.channels)
        out_shape = (self.batch, *window.outputs(), self.channels)
        made = options(
            "Pool2D",
            padding=window.padding,
            filterHeight=window.kernel[0],
            filterWidth=window.kernel[1],
            strideH=window.strides[0],
            strideW=window.strides[1],
            fusedActivationFunction=self.activation,
        )
        zero_point = {"uint8": self.zero_point + 128, "int16": 0}.get(self.dtype, self.zero_point)
        ends = (activation(self.dtype, shape, self.scale, zero_point) for shape in (in_shape, out_shape))
        source, target = ends
        tolerance = 1e-5 if self.dtype == "float32" and self.opcode != "MAX_POOL_2D" else 0.0
        model = one_operator(self.opcode, made, (source,), target)
        oracle = "litert" if self.dtype == "uint8" else "tflm"
        return Case(model, (samples_of(self.dtype, rng, in_shape),), tolerance, oracle)


def convolutions(
    *,
    depthwise: bool,
    types: Weighted,
    channels: st.SearchStrategy[int] | None = None,
    outputs: st.SearchStrategy[int] | None = None,
) -> st.SearchStrategy[Convolution]:
    """Convolutions of one kind, with so many channels and outputs in a group."""
    if channels is None:
        channels = st.integers(1, 6)
    if outputs is None:
        outputs = st.integers(1, 3) if depthwise else st.integers(1, 6)
    return st.builds(
        Convolution,
        depthwise=st.just(depthwise),
        types=st.just(types),
        window=windows(dilated=True),
        batch=st.integers(1, 2),
        groups=st.just(1) if depthwise or types.is_hybrid else st.sampled_from((1, 1, 1, 2, 3)),
        group_channels=channels,
        outputs=outputs,
        per_channel=st.booleans(),
        bias=st.booleans(),
        activation=ACTIVATIONS,
        input_scale=SCALES,
        filter_scale=SCALES,
        input_zero_point=ZERO_POINTS,
        filter_zero_point=st.integers(0, 255),
        output_zero_point=ZERO_POINTS,
        gain=st.sampled_from((0.001, 0.05, 0.5, 1.0, 3.0)),
        seed=SEEDS,
    )


def transpose_convolutions(types: Weighted) -> st.SearchStrategy[TransposeConv]:
    """Transposed convolutions of one kind."""
    return st.builds(
        TransposeConv,
        types=st.just(types),
        window=windows(dilated=False),
        batch=st.integers(1, 2),
        channels=st.integers(1, 4),
        outputs=st.integers(1, 4),
        # LiteRT computes the input's extents from the output's.
        more=st.just((0, 0)) if types.oracle == "litert" else st.tuples(st.integers(0, 2), st.integers(0, 2)),
        per_channel=st.booleans(),
        bias=st.booleans(),
        activation=ACTIVATIONS,
        input_scale=SCALES,
        filter_scale=SCALES,
        input_zero_point=ZERO_POINTS,
        filter_zero_point=st.integers(0, 255),
        output_zero_point=ZERO_POINTS,
        gain=st.sampled_from((0.001, 0.05, 0.5, 1.0, 3.0)),
        seed=SEEDS,
    )


def pools(opcode: str, dtype: str) -> st.SearchStrategy[Pool]:
    """Pools of one kind."""
    return st.builds(
        Pool,
        opcode=st.just(opcode),
        dtype=st.just(dtype),
        window=windows(dilated=False),
        batch=st.integers(1, 2),
        channels=st.integers(1, 6),
        activation=ACTIVATIONS,
        scale=SCALES,
        zero_point=ZERO_POINTS,
        seed=SEEDS,
    )


KINDS = {
    **{
        f"{opcode} {name}": convolutions(depthwise=opcode != "CONV_2D", types=types)
        for opcode in ("CONV_2D", "DEPTHWISE_CONV_2D")
        for name, types in WEIGHTED.items()
        if opcode == "CONV_2D" or name not in ("int16 int32 bias", "hybrid int4 weights")
    },
    **{
        f"{opcode} {dtype}": pools(opcode, dtype)
        for opcode in ("AVERAGE_POOL_2D", "MAX_POOL_2D")
        for dtype in ("int8", "int16", "uint8", "float32")
    },
    **{
        f"TRANSPOSE_CONV {name}": transpose_convolutions(WEIGHTED[name])
        for name in ("int8", "int16", "uint8", "float32")
    },
    "L2_POOL_2D float32": pools("L2_POOL_2D", "float32"),
}

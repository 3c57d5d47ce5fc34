"""Sliding windows: CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, MAX_POOL_2D."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from case import Case, channel_scales, float32, float_samples, int8_samples, int8_tensor, weights
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
    integer: bool
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
        if not self.integer:
            kernel = constant(rng.normal(0, 1, shape).astype(np.float32))
            bias = constant(rng.normal(0, 1, out_channels).astype(np.float32)) if self.bias else None
            inputs = self._inputs(Tensor(in_shape, "float32"), kernel, bias)
            model = one_operator(opcode, made, inputs, Tensor(out_shape, "float32"))
            return Case(model, (float_samples(rng, in_shape),), 1e-5)
        scales = channel_scales(rng, self.filter_scale, out_channels if self.per_channel else 1)
        kernel = constant(weights(rng, shape), scales, 3 if self.depthwise else 0)
        bias = None
        if self.bias:
            values = rng.integers(-(2**13), 2**13, out_channels, np.int32)
            bias = constant(values, [float32(self.input_scale * scale) for scale in scales])
        output_scale = float32(self.input_scale * self.filter_scale * 100 * math.sqrt(taps) * self.gain)
        inputs = self._inputs(int8_tensor(in_shape, self.input_scale, self.input_zero_point), kernel, bias)
        output = int8_tensor(out_shape, output_scale, self.output_zero_point)
        return Case(one_operator(opcode, made, inputs, output), (int8_samples(rng, in_shape),))

    def _inputs(self, data: Tensor, kernel: Tensor, bias: Tensor | None) -> Sequence[Tensor | None]:
        """A bias that is left out is -1, or nothing: TFLite Micro's depthwise kernel crashes on the former."""
        return (data, kernel) if self.depthwise and bias is None else (data, kernel, bias)


@dataclass(frozen=True)
class Pool:
    """AVERAGE_POOL_2D or MAX_POOL_2D."""

    opcode: str
    integer: bool
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
        if self.integer:
            ends = (int8_tensor(shape, self.scale, self.zero_point) for shape in (in_shape, out_shape))
            source, target = ends
            return Case(one_operator(self.opcode, made, (source,), target), (int8_samples(rng, in_shape),))
        model = one_operator(self.opcode, made, (Tensor(in_shape, "float32"),), Tensor(out_shape, "float32"))
        return Case(model, (float_samples(rng, in_shape),), 1e-5 if self.opcode == "AVERAGE_POOL_2D" else 0.0)


def convolutions(*, depthwise: bool, integer: bool) -> st.SearchStrategy[Convolution]:
    """Convolutions of one kind."""
    return st.builds(
        Convolution,
        depthwise=st.just(depthwise),
        integer=st.just(integer),
        window=windows(dilated=True),
        batch=st.integers(1, 2),
        groups=st.just(1) if depthwise else st.sampled_from((1, 1, 1, 2, 3)),
        group_channels=st.integers(1, 6),
        outputs=st.integers(1, 3) if depthwise else st.integers(1, 6),
        per_channel=st.booleans(),
        bias=st.booleans(),
        activation=ACTIVATIONS,
        input_scale=SCALES,
        filter_scale=SCALES,
        input_zero_point=ZERO_POINTS,
        output_zero_point=ZERO_POINTS,
        gain=st.sampled_from((0.001, 0.05, 0.5, 1.0, 3.0)),
        seed=SEEDS,
    )


def pools(opcode: str, *, integer: bool) -> st.SearchStrategy[Pool]:
    """Pools of one kind."""
    return st.builds(
        Pool,
        opcode=st.just(opcode),
        integer=st.just(integer),
        window=windows(dilated=False),
        batch=st.integers(1, 2),
        channels=st.integers(1, 6),
        activation=ACTIVATIONS,
        scale=SCALES,
        zero_point=ZERO_POINTS,
        seed=SEEDS,
    )


KINDS = {
    f"{opcode} {'int8' if integer else 'float32'}": make(integer)
    for opcode, make in (
        ("CONV_2D", lambda integer: convolutions(depthwise=False, integer=integer)),
        ("DEPTHWISE_CONV_2D", lambda integer: convolutions(depthwise=True, integer=integer)),
        ("AVERAGE_POOL_2D", lambda integer: pools("AVERAGE_POOL_2D", integer=integer)),
        ("MAX_POOL_2D", lambda integer: pools("MAX_POOL_2D", integer=integer)),
    )
    for integer in (True, False)
}

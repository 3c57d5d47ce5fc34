"""Random networks with channels that are constant, saturated, unused or twice there, where operators must agree.

Whole networks have one scale and one zero point, so that everything can be added to and put beside everything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from case import SAMPLES, WEIGHTED, Case, Weighted, float32, samples_of
from numpy.typing import NDArray
from tflite_build import NONE, RELU, SAME, VALID, Operator, Tensor, constant, options, write_model

DTYPES = ("int8", "int8", "int8", "int8 int4 weights", "int16", "uint8", "float32")
SCALE = 0.25
LARGEST = 4096
"""Elements of a tensor."""


@dataclass
class PlantedBuilder:
    """A network under construction; every choice comes from `rng`."""

    rng: np.random.Generator
    types: Weighted
    zero_point: int
    tensors: list[Tensor] = field(default_factory=list[Tensor])
    operators: list[Operator] = field(default_factory=list[Operator])
    images: list[int] = field(default_factory=list[int])

    def tensor(self, shape: tuple[int, ...]) -> int:
        """A new tensor that is computed."""
        quantised = self.types.data != "float32"
        made = Tensor(shape, self.types.data, (SCALE,), (self.zero_point,)) if quantised else Tensor(shape, "float32")
        self.tensors.append(made)
        return len(self.tensors) - 1

    def numbers(self, values: Any) -> int:
        """A new constant of int32."""
        self.tensors.append(constant(np.array(values, np.int32)))
        return len(self.tensors) - 1

    def shape(self, index: int) -> tuple[int, ...]:
        """Of a tensor."""
        return self.tensors[index].shape

    def pick(self) -> int:
        """An image, rather a new one."""
        recent = self.images[-2:] if self.rng.random() < 0.8 else self.images
        return int(self.rng.choice(recent))

    def add(self, opcode: str, inputs: list[int], shapes: Sequence[tuple[int, ...]], made: Any = None) -> list[int]:
        """An operator with new results."""
        results = [self.tensor(shape) for shape in shapes]
        self.operators.append(Operator(opcode, inputs, results, made))
        self.images += [index for index in results if len(self.shape(index)) == 4]
        return results

    def constants(self, shape: tuple[int, int, int, int]) -> tuple[NDArray[Any], NDArray[Any], tuple[float, ...]]:
        """Weights [output channels, rows, columns, input channels], bias and scales, with channels planted."""
        rng, (outputs, rows, columns, inputs) = self.rng, shape
        products = rows * columns * inputs
        scale = float32(0.7 / (5 if self.types.weights == "int4" else 100) / math.sqrt(products))
        scales = np.array([float32(scale * 2.0 ** rng.uniform(-1, 1)) for _ in range(outputs)])
        filter = self.types.filter(rng, shape, (), 0).data
        assert filter is not None, "filters are constants"
        weights = filter.copy()
        zero = 131 if self.types.weights == "uint8" else 0
        quantised = self.types.data != "float32"
        bias = rng.integers(-400, 400, outputs).astype(self.types.bias) if quantised else rng.normal(0, 1, outputs)
        for channel in range(outputs):
            kind = rng.choice(["plain", "plain", "zero", "low", "high", "twin"])
            if kind in ("zero", "low", "high"):
                weights[channel] = zero
            if kind == "zero":
                bias[channel] = 0 if rng.random() < 0.6 else bias[channel]
            if kind in ("low", "high") and quantised:
                weights[channel] = filter[channel]
                bias[channel] = int(rng.choice([2**22, 2**26])) * (-1 if kind == "low" else 1)
            if kind == "twin" and channel:
                other = int(rng.integers(channel))
                weights[channel], bias[channel], scales[channel] = weights[other], bias[other], scales[other]
        if rng.random() < 0.6:
            weights[..., rng.random(inputs) < 0.3] = zero
        if self.types.weights in ("int8", "int4") and rng.random() < 0.3:
            # Sums of twins fit, now and then.
            weights = weights // 4
        return weights, bias.astype(self.types.bias), tuple(map(float32, scales))

    def parameters(self, weights: NDArray[Any], bias: NDArray[Any], scales: tuple[float, ...], axis: int) -> list[int]:
        """Filter and bias as constants; filters of uint8 have one scale and a zero point."""
        kind = self.types.weights
        if kind == "float32":
            made = [constant(weights), constant(bias)]
        else:
            if kind == "uint8" or (len(weights.shape) == 2 and self.rng.random() < 0.5):
                scales = scales[:1]
            zero = 131 if kind == "uint8" else 0
            biased = tuple(float32(SCALE * scale) for scale in scales)
            made = [
                Tensor(weights.shape, kind, scales, (zero,) * len(scales), axis, weights),
                Tensor(bias.shape, self.types.bias, biased, (0,) * len(scales), 0, bias),
            ]
        self.tensors += made
        return [len(self.tensors) - 2, len(self.tensors) - 1]

    def convolution(self) -> None:
        """One of all channels, or of groups."""
        rng, given = self.rng, self.pick()
        batch, height, width, channels = self.shape(given)
        groups = 2 if self.types.data == "int8" and channels % 2 == 0 and rng.random() < 0.15 else 1
        outputs = int(rng.integers(1, 6)) * groups if rng.random() < 0.8 else 2 * int(rng.integers(4, 9))
        kernel, stride = (1, 1) if rng.random() < 0.5 else (int(rng.integers(1, 4)), int(rng.integers(1, 3)))
        padding = SAME if min(height, width) < kernel or rng.random() < 0.7 else VALID
        dilation = 2 if stride == 1 and padding == SAME and rng.random() < 0.2 else 1
        parameters = self.parameters(*self.constants((outputs, kernel, kernel, channels // groups)), axis=0)
        made = options("Conv2D", padding=padding, **self._window(stride, dilation))
        result = (batch, *_windows((height, width), kernel, stride, padding), outputs)
        self.add("CONV_2D", [given, *parameters], [result], made)

    def depthwise(self) -> None:
        """One of each channel by itself, with one result or two of it."""
        rng, given = self.rng, self.pick()
        batch, height, width, channels = self.shape(given)
        multiplier = 2 if channels <= 8 and rng.random() < 0.25 else 1
        kernel, stride = int(rng.integers(1, 4)), int(rng.integers(1, 3))
        padding = SAME if min(height, width) < kernel or rng.random() < 0.7 else VALID
        weights, bias, scales = self.constants((channels * multiplier, kernel, kernel, 1))
        parameters = self.parameters(weights.transpose(3, 1, 2, 0).copy(), bias, scales, axis=3)
        made = options("DepthwiseConv2D", padding=padding, depthMultiplier=multiplier, **self._window(stride, 1))
        result = (batch, *_windows((height, width), kernel, stride, padding), channels * multiplier)
        self.add("DEPTHWISE_CONV_2D", [given, *parameters], [result], made)

    def _window(self, stride: int, dilation: int) -> dict[str, int]:
        activation = RELU if self.rng.random() < 0.5 else NONE
        strides = {"strideW": stride, "strideH": stride, "fusedActivationFunction": activation}
        return {**strides, "dilationWFactor": dilation, "dilationHFactor": dilation}

    def residual(self) -> None:
        """A sum of two images of one shape, or of one and itself."""
        given = self.pick()
        others = [index for index in self.images if self.shape(index) == self.shape(given)]
        activation = RELU if self.rng.random() < 0.5 else NONE
        opcode = str(self.rng.choice(["ADD", "ADD", "SUB", "MUL"]))
        made = options(opcode.title(), fusedActivationFunction=activation)
        self.add(opcode, [given, int(self.rng.choice(others))], [self.shape(given)], made)

    def concatenation(self) -> None:
        """Images of one size beside each other."""
        given = self.pick()
        *place, channels = self.shape(given)
        others = [index for index in self.images if list(self.shape(index)[:3]) == place]
        chosen = [given, *map(int, self.rng.choice(others, int(self.rng.integers(1, 3))))]
        total = sum(self.shape(index)[3] for index in chosen)
        if channels and total <= 24:
            self.add("CONCATENATION", chosen, [(*place, total)], options("Concatenation", axis=3))

    def pool(self) -> None:
        """Largest or mean elements."""
        given = self.pick()
        batch, height, width, channels = self.shape(given)
        padding = SAME if min(height, width) < 2 or self.rng.random() < 0.5 else VALID
        window = {"strideW": 1, "strideH": 1, "filterWidth": 2, "filterHeight": 2}
        result = (batch, *_windows((height, width), 2, 1, padding), channels)
        opcode = str(self.rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"]))
        self.add(opcode, [given], [result], options("Pool2D", padding=padding, **window))

    def slice(self) -> None:
        """Some channels of an image."""
        given = self.pick()
        shape = self.shape(given)
        begin = int(self.rng.integers(shape[3]))
        size = int(self.rng.integers(1, shape[3] - begin + 1))
        operands = [given, self.numbers([0, 0, 0, begin]), self.numbers([*shape[:3], size])]
        self.add("SLICE", operands, [(*shape[:3], size)], options("Slice"))

    def split(self) -> None:
        """Both halves of the channels, of which one may stay unread."""
        given = self.pick()
        *place, channels = self.shape(given)
        if channels % 2 == 0:
            part = (*place, channels // 2)
            self.add("SPLIT", [self.numbers(3), given], [part, part], options("Split", numSplits=2))

    def pad(self) -> None:
        """A margin, which may be more channels."""
        given = self.pick()
        shape = self.shape(given)
        margins = [[0, 0], *([int(n) for n in self.rng.integers(0, 2, 2)] for _ in range(3))]
        padded = tuple(extent + sum(pair) for extent, pair in zip(shape, margins, strict=True))
        if math.prod(padded) <= LARGEST:
            self.add("PAD", [given, self.numbers(margins)], [padded], options("Pad"))

    def block(self) -> None:
        """Pixels to channels, or channels to pixels."""
        given = self.pick()
        batch, height, width, channels = self.shape(given)
        if self.types.data == "int16":
            return
        if height % 2 == 0 and width % 2 == 0 and channels <= 6:
            made = options("SpaceToDepth", blockSize=2)
            self.add("SPACE_TO_DEPTH", [given], [(batch, height // 2, width // 2, channels * 4)], made)
        elif channels % 4 == 0:
            made = options("DepthToSpace", blockSize=2)
            self.add("DEPTH_TO_SPACE", [given], [(batch, height * 2, width * 2, channels // 4)], made)

    def relu(self) -> None:
        """An activation of its own."""
        given = self.pick()
        self.add("RELU", [given], [self.shape(given)])

    def head(self) -> int:
        """The end: the mean or all elements of an image, and a matrix product of them."""
        given = self.images[-1]
        batch, height, width, channels = self.shape(given)
        if self.rng.random() < 0.4 and self.types.data == "int8":
            axes = self.numbers([1, 2])
            (given,) = self.add("MEAN", [given, axes], [(batch, channels)], options("Reducer", keepDims=False))
        else:
            flat = (batch, height * width * channels)
            made = options("Reshape", newShape=list(flat))
            (given,) = self.add("RESHAPE", [given, self.numbers(flat)], [flat], made)
        depth, outputs = self.shape(given)[1], int(self.rng.integers(1, 5))
        weights, bias, scales = self.constants((outputs, 1, 1, depth))
        if len(scales) > 1:
            scales = scales[:1]
        parameters = self.parameters(weights.reshape(outputs, depth), bias, scales, axis=0)
        (result,) = self.add("FULLY_CONNECTED", [given, *parameters], [(batch, outputs)], options("FullyConnected"))
        return result


def planted(seed: int) -> Case:
    """A network with an image as input, and samples for it."""
    rng = np.random.default_rng(seed)
    types = WEIGHTED[DTYPES[int(rng.integers(len(DTYPES)))]]
    zero_point = types.zero_point(int(rng.choice([-128, -128, 3, -20, 100])))
    builder = PlantedBuilder(rng, types, zero_point)
    shape = (1, int(rng.integers(1, 7)), int(rng.integers(1, 7)), int(rng.integers(1, 4)))
    builder.images.append(builder.tensor(shape))
    convolutions = [builder.convolution] * 3 + [builder.depthwise] * 2
    others = [builder.residual, builder.concatenation, builder.pool, builder.slice, builder.split, builder.pad]
    builder.convolution()
    for _ in range(int(rng.integers(2, 8))):
        step = rng.choice(convolutions) if rng.random() < 0.65 else rng.choice([*others, builder.block, builder.relu])  # type: ignore[arg-type]
        step()
    outputs = [builder.head()]
    if rng.random() < 0.25:
        outputs.append(int(rng.choice(builder.images[1:])))
    data = write_model(builder.tensors, builder.operators, [0], outputs)
    samples = samples_of(types.data, rng, shape)
    assert len(samples) == SAMPLES, "of whole networks"
    tolerance = 1e-5 if types.data == "float32" else 0.0
    return Case(data, (samples,), tolerance, types.oracle, len(outputs))


def _windows(extents: tuple[int, int], kernel: int, stride: int, padding: int) -> tuple[int, int]:
    return tuple(-(-(extent if padding == SAME else extent - kernel + 1) // stride) for extent in extents)  # type: ignore[return-value]

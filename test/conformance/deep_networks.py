"""Random networks of the kinds that run on microcontrollers: MobileNet v2 and MCUNet, and ResNets."""

from __future__ import annotations

import numpy as np
from case import Case, samples_of
from streaming_graphs import StreamingBuilder
from tflite_build import NONE, RELU, SAME, options, write_model

SMALL = (24, 1)
"""Seeds of networks of few operators: one with inverted residuals, and a ResNet."""


class DeepBuilder(StreamingBuilder):
    """A graph under construction."""

    def convolve_by(self, count: int, size: int, stride: int, *, each: bool = False, activation: int = RELU) -> int:
        """The newest image's convolution; gives the result."""
        given, (batch, height, width, channels) = self.newest()
        shape = (1, size, size, count) if each else (count, size, size, channels)
        made = {"strideW": stride, "strideH": stride, "dilationWFactor": 1, "dilationHFactor": 1}
        more = {"depthMultiplier": 1} if each else {}
        table = "DepthwiseConv2D" if each else "Conv2D"
        chosen = options(table, padding=SAME, fusedActivationFunction=activation, **made, **more)
        result = (batch, -(-height // stride), -(-width // stride), count)
        operands = [given, *self.parameters(shape, count, 3 if each else 0)]
        self.add("DEPTHWISE_CONV_2D" if each else "CONV_2D", operands, [result], chosen)
        return self.made[-1]

    def join(self, left: int, right: int) -> None:
        """The sum of two images of one shape."""
        self.add("ADD", [left, right], [self.shape(left)], options("Add"))

    def inverted_residual(self, count: int, factor: int, size: int, stride: int) -> None:
        """Wider, each channel by itself, narrower again; added to what it began with where the shapes are equal."""
        given, shape = self.newest()
        wide = factor * shape[3]
        self.convolve_by(wide, 1, 1)
        self.convolve_by(wide, size, stride, each=True)
        result = self.convolve_by(count, 1, 1, activation=NONE)
        if self.shape(result) == shape:
            self.join(given, result)

    def residual(self, count: int, stride: int) -> None:
        """Two convolutions, added to what they began with, or to a pointwise convolution of it."""
        given, shape = self.newest()
        self.convolve_by(count, 3, stride)
        result = self.convolve_by(count, 3, 1, activation=NONE)
        if self.shape(result) != shape:
            # The newest image is to be the block's beginning again.
            self.made.append(given)
            given = self.convolve_by(count, 1, stride, activation=NONE)
        self.join(given, result)


def deep_network(seed: int) -> Case:
    """A network with samples; even seeds have inverted residuals, odd ones are ResNets."""
    rng = np.random.default_rng(seed)
    graph = DeepBuilder(rng, "int8")
    side = int(rng.integers(20, 33))
    source = graph.tensor((1, side, side, 3))
    count = int(rng.integers(4, 9))
    graph.convolve_by(count, 3, int(rng.integers(1, 3)))
    for block in range(int(rng.integers(3, 6))):
        stride = 2 if block % 2 else 1
        count += 2 * stride
        if seed % 2:
            graph.residual(count if stride == 2 else graph.newest()[1][3], stride)
        else:
            graph.inverted_residual(count if stride == 2 else graph.newest()[1][3], 3, int(rng.choice([3, 5])), stride)
    graph.add("MEAN", [graph.made[-1], graph.numbers([1, 2])], [(1, graph.newest()[1][3])], options("Reducer"))
    data = write_model(graph.tensors, graph.operators, [source], [graph.made[-1]])
    return Case(data, (samples_of("int8", rng, graph.shape(source)),))

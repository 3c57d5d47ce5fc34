"""Random networks on images, with what networks for segmentation and poses have: they go row by row, and shrink.

Convolutions with strides and dilation, transposed ones, resizing, pads, branches that are added or lie side by side,
wide pools, transpositions, means over the image, fully connected layers, several outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from branched_graphs import BranchedBuilder
from case import Case, samples_of, weights
from tflite_build import RELU, SAME, VALID, Tensor, constant, options, write_model

MOST_ROWS = 24
"""Of a tensor: what is stretched further takes long."""


@dataclass
class StreamingBuilder(BranchedBuilder):
    """A graph under construction; the newest image is what most operators go on with."""

    def newest(self) -> tuple[int, tuple[int, ...]]:
        """The last image, and its shape."""
        index = next(i for i in reversed(self.made) if len(self.shape(i)) == 4)
        return index, self.shape(index)

    def parameters(self, shape: tuple[int, ...], count: int, axis: int) -> list[int]:
        """A filter and biases."""
        if self.dtype == "float32":
            filters = constant(self.rng.normal(0, 0.3, shape).astype(np.float32))
            bias = constant(self.rng.normal(0, 1, count).astype(np.float32))
        else:
            filters = constant(weights(self.rng, shape), (0.01,) * count, axis=axis)
            data = self.rng.integers(-99, 99, count, np.int32)
            bias = Tensor((count,), "int32", (0.0025,) * count, (0,) * count, data=data)
        self.tensors += [filters, bias]
        return [len(self.tensors) - 2, len(self.tensors) - 1]

    def convolution(self) -> None:
        """Of all channels or of each by itself, with a stride or dilation."""
        given, (batch, height, width, channels) = self.newest()
        size = int(self.rng.choice([1, 3, 3, 5]))
        stride, dilation = ((1, 1), (1, 1), (2, 1), (1, 2))[int(self.rng.integers(4))]
        reach = dilation * (size - 1) + 1
        padding = VALID if min(height, width) >= reach + 2 and self.rng.random() < 0.3 else SAME
        made = {"strideW": stride, "strideH": stride, "dilationWFactor": dilation, "dilationHFactor": dilation}
        each = self.rng.random() < 0.4
        count = channels if each else int(self.rng.integers(2, 7))
        shape = (1, size, size, count) if each else (count, size, size, channels)
        parts = [-(-(n if padding == SAME else n - reach + 1) // stride) for n in (height, width)]
        operands = [given, *self.parameters(shape, count, 3 if each else 0)]
        table = "DepthwiseConv2D" if each else "Conv2D"
        more = {"depthMultiplier": 1} if each else {}
        chosen = options(table, padding=padding, fusedActivationFunction=RELU, **made, **more)
        self.add("DEPTHWISE_CONV_2D" if each else "CONV_2D", operands, [(batch, *parts, count)], chosen)

    def transposed(self) -> None:
        """A convolution that makes images larger."""
        given, (batch, height, width, channels) = self.newest()
        size, stride = ((2, 2), (3, 2), (4, 2), (3, 1))[int(self.rng.integers(4))]
        if height * stride > MOST_ROWS:
            return
        result = (batch, height * stride, width * stride, int(self.rng.integers(2, 5)))
        filters, bias = self.parameters((result[3], size, size, channels), result[3], 0)
        made = options("TransposeConv", padding=SAME, strideW=stride, strideH=stride)
        self.add("TRANSPOSE_CONV", [self.numbers(result), filters, given, bias], [result], made)

    def resized(self) -> None:
        """A larger or smaller image."""
        given, (batch, height, width, channels) = self.newest()
        size = (2 * height, 2 * width) if self.rng.random() < 0.6 else tuple(map(int, self.rng.integers(3, 20, 2)))
        if size[0] > MOST_ROWS:
            return
        opcode = str(self.rng.choice(["RESIZE_NEAREST_NEIGHBOR", "RESIZE_BILINEAR"]))
        table = "ResizeNearestNeighbor" if opcode == "RESIZE_NEAREST_NEIGHBOR" else "ResizeBilinear"
        made = options(table, alignCorners=False, halfPixelCenters=bool(self.rng.integers(2)))
        self.add(opcode, [given, self.numbers(size)], [(batch, *size, channels)], made)

    def margin(self) -> None:
        """Zeros around an image."""
        given, (batch, height, width, channels) = self.newest()
        above, below, left, right = map(int, self.rng.integers(0, 3, 4))
        margins = [[0, 0], [above, below], [left, right], [0, 0]]
        self.add(
            "PAD",
            [given, self.numbers(margins)],
            [(batch, height + above + below, width + left + right, channels)],
            options("Pad"),
        )

    def wide_pool(self) -> None:
        """The means or largest elements of large windows."""
        given, (batch, height, width, channels) = self.newest()
        size = int(self.rng.integers(2, 6))
        if min(height, width) < size:
            return
        made = options("Pool2D", padding=SAME, strideW=1, strideH=1, filterWidth=size, filterHeight=size)
        self.add(
            str(self.rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"])), [given], [(batch, height, width, channels)], made
        )

    def turned(self) -> None:
        """Columns and channels change places, which rows do not mind; or rows and columns."""
        given, (batch, height, width, channels) = self.newest()
        order = [0, 1, 3, 2] if self.rng.random() < 0.7 or width > MOST_ROWS else [0, 2, 1, 3]
        shape = (batch, height, width, channels)
        self.add("TRANSPOSE", [given, self.numbers(order)], [(batch, *(shape[d] for d in order[1:]))])

    def branch(self) -> None:
        """Two ways of the newest image, added or side by side."""
        given, shape = self.newest()
        self.add("RELU", [given], [shape])
        left = self.made[-1]
        filters = self.parameters((shape[3], 3, 3, shape[3]), shape[3], 0)
        made = options("Conv2D", padding=SAME, strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1)
        self.add("CONV_2D", [given, *filters], [shape], made)
        if self.rng.random() < 0.5:
            self.add("ADD", [left, self.made[-1]], [shape], options("Add", fusedActivationFunction=RELU))
        else:
            both = (*shape[:3], 2 * shape[3])
            self.add("CONCATENATION", [left, self.made[-1]], [both], options("Concatenation", axis=3))

    def head(self) -> None:
        """What makes an image small: its mean, or a product with all of it."""
        given, (batch, height, width, channels) = self.newest()
        if self.rng.random() < 0.5:
            self.add("MEAN", [given, self.numbers([1, 2])], [(batch, channels)], options("Reducer", keepDims=False))
            return
        count = height * width * channels
        self.add(
            "FULLY_CONNECTED", [given, *self.parameters((3, count), 3, 0)], [(batch, 3)], options("FullyConnected")
        )


def streaming_graph(seed: int) -> Case:
    """A network of three to ten operators, with samples; the same for the same seed."""
    rng = np.random.default_rng(seed)
    graph = StreamingBuilder(rng, str(rng.choice(["int8", "int8", "float32"])))
    source = graph.tensor((1, int(rng.integers(7, 15)), int(rng.integers(3, 9)), int(rng.integers(1, 4))))
    steps: tuple[tuple[Callable[[], None], float], ...] = (
        (graph.convolution, 5),
        (graph.transposed, 2),
        (graph.resized, 2),
        (graph.margin, 1),
        (graph.wide_pool, 1),
        (graph.branch, 2),
        (graph.turned, 1),
    )
    weight = np.array([share for _, share in steps])
    graph.convolution()
    for step in rng.choice(len(steps), int(rng.integers(2, 8)), p=weight / weight.sum()):
        steps[step][0]()
    image = graph.newest()[0]
    if rng.random() < 0.5:
        graph.head()
    outputs = sorted({graph.made[-1], *([image] if rng.random() < 0.4 else [])})
    data = write_model(graph.tensors, graph.operators, [source], outputs)
    samples = samples_of(graph.dtype, rng, graph.shape(source))
    tolerance = 1e-5 if graph.dtype == "float32" else 0.0
    return Case(data, (samples,), tolerance, outputs=len(outputs))

"""Random graphs with branches: results with several readers, operators with several results, pads, pools and strides.

What lies where is hard in them: results that nobody reads, parts of one buffer that are written in any order, buffers
that die in the middle of an operator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from case import Case, samples_of, weights
from random_graphs import GraphBuilder
from tflite_build import NONE, RELU, SAME, VALID, Tensor, constant, options, write_model

SHAPES = ((1, 6, 6, 2), (2, 4, 4, 2), (1, 5, 4, 3), (1, 1, 6, 2), (4, 6), (1, 8), (3, 2, 4), (12,))
LARGEST = 2048
"""Elements of a tensor."""


@dataclass
class BranchedBuilder(GraphBuilder):
    """A graph under construction, with more kinds of operators."""

    def image(self) -> int | None:
        """A computed tensor of four dimensions."""
        images = [index for index in self.made if len(self.shape(index)) == 4]
        return int(self.rng.choice(images[-6:])) if images else None

    def sum(self) -> None:
        """Two tensors of one shape, or one and itself."""
        given = self.pick()
        shape = self.shape(given)
        others = [index for index in self.made if self.shape(index) == shape]
        opcode, table = [("ADD", "Add"), ("SUB", "Sub"), ("MUL", "Mul")][int(self.rng.integers(3))]
        activation = RELU if self.rng.random() < 0.5 else NONE
        operands = [given, int(self.rng.choice(others))]
        self.add(opcode, operands, [shape], options(table, fusedActivationFunction=activation))

    def scaled(self) -> None:
        """A tensor and a single element of another one, which every element of the result reads."""
        given = self.pick()
        shape = self.shape(given)
        small = [
            index for index in self.made if math.prod(self.shape(index)) == 1 and len(self.shape(index)) <= len(shape)
        ]
        if not small:
            begin, size = self.numbers([0] * len(shape)), self.numbers([1] * len(shape))
            self.add("SLICE", [given, begin, size], [(1,) * len(shape)], options("Slice"))
            return
        self.add("ADD", [given, int(self.rng.choice(small))], [shape], options("Add"))

    def relu(self) -> None:
        """An elementwise operator of one operand."""
        given = self.pick()
        self.add("RELU", [given], [self.shape(given)])

    def pool(self) -> None:
        """The largest or mean elements of windows, also of windows that reach over the edge."""
        given = self.image()
        if given is None:
            return
        batch, height, width, count = self.shape(given)
        rows, columns = (int(self.rng.integers(1, min(3, extent) + 1)) for extent in (height, width))
        stride, padding = int(self.rng.integers(1, 3)), int(self.rng.choice([SAME, VALID]))
        shape = (batch, *_windows((height, width), (rows, columns), stride, padding), count)
        made = options(
            "Pool2D", padding=padding, strideW=stride, strideH=stride, filterWidth=columns, filterHeight=rows
        )
        self.add(str(self.rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"])), [given], [shape], made)

    def window(self) -> None:
        """A convolution, of all channels or of each by itself."""
        given = self.image()
        if given is None or self.dtype != "int8":
            return
        batch, height, width, channels = self.shape(given)
        size, stride, padding = int(self.rng.integers(1, 4)), int(self.rng.integers(1, 3)), SAME
        if min(height, width) >= size and self.rng.random() < 0.3:
            padding = VALID
        strides = {"strideW": stride, "strideH": stride, "dilationWFactor": 1, "dilationHFactor": 1}
        each = self.rng.random() < 0.4
        count = channels if each else int(self.rng.integers(1, 5))
        shape = (1, size, size, count) if each else (count, size, size, channels)
        filters = constant(weights(self.rng, shape), (0.01,) * count, axis=3 if each else 0)
        bias = self.rng.integers(-99, 99, count, np.int32)
        self.tensors += [filters, Tensor((count,), "int32", (0.0025,) * count, (0,) * count, data=bias)]
        operands = [given, len(self.tensors) - 2, len(self.tensors) - 1]
        result = (batch, *_windows((height, width), (size, size), stride, padding), count)
        if each:
            made = options("DepthwiseConv2D", padding=padding, depthMultiplier=1, **strides)
            self.add("DEPTHWISE_CONV_2D", operands, [result], made)
        else:
            self.add("CONV_2D", operands, [result], options("Conv2D", padding=padding, **strides))

    def pad(self) -> None:
        """A tensor with a margin on some sides."""
        given = self.pick()
        shape = self.shape(given)
        margins = [[int(self.rng.integers(0, 2)), int(self.rng.integers(0, 3))] for _ in shape]
        padded = tuple(extent + sum(pair) for extent, pair in zip(shape, margins, strict=True))
        if len(shape) <= 4 and math.prod(padded) <= LARGEST:
            self.add("PAD", [given, self.numbers(margins)], [padded], options("Pad"))

    def unpack(self) -> None:
        """All slices along an axis, of which some stay unread."""
        given = self.pick()
        shape = self.shape(given)
        axes = [d for d, extent in enumerate(shape) if 1 < extent <= 4]
        if len(shape) > 1 and axes:
            axis = int(self.rng.choice(axes))
            slices = [(*shape[:axis], *shape[axis + 1 :])] * shape[axis]
            self.add("UNPACK", [given], slices, options("Unpack", axis=axis, num=shape[axis]))

    def pack(self) -> None:
        """Two or three tensors of one shape along a new axis."""
        given = self.pick()
        shape = self.shape(given)
        others = [index for index in self.made if self.shape(index) == shape]
        operands = [given, *map(int, self.rng.choice(others, int(self.rng.integers(1, 3))))]
        axis = int(self.rng.integers(len(shape) + 1))
        packed = (*shape[:axis], len(operands), *shape[axis:])
        if len(packed) <= 4 and math.prod(packed) <= LARGEST:
            self.add("PACK", operands, [packed], options("Pack", axis=axis, valuesCount=len(operands)))

    def uneven(self) -> None:
        """Parts of different extents."""
        given = self.pick()
        shape = self.shape(given)
        axes = [d for d, extent in enumerate(shape) if extent > 2]
        if axes:
            axis = int(self.rng.choice(axes))
            first = int(self.rng.integers(1, shape[axis] - 1))
            extents = [first, shape[axis] - first]
            parts = [(*shape[:axis], extent, *shape[axis + 1 :]) for extent in extents]
            operands = [given, self.numbers(extents), self.numbers(axis)]
            self.add("SPLIT_V", operands, parts, options("SplitV", numSplits=2))

    def strided(self) -> None:
        """Every second element from some place on."""
        given = self.pick()
        shape = self.shape(given)
        begin = [int(self.rng.integers(0, max(1, extent // 2))) for extent in shape]
        steps = [int(self.rng.integers(1, 3)) for _ in shape]
        taken = tuple(-((b - e) // s) for b, e, s in zip(begin, shape, steps, strict=True))
        operands = [given, self.numbers(begin), self.numbers(shape), self.numbers(steps)]
        if len(shape) <= 4:
            self.add("STRIDED_SLICE", operands, [taken], options("StridedSlice"))

    def broadcast(self) -> None:
        """A tensor repeated along a new first dimension."""
        given = self.pick()
        shape = self.shape(given)
        wide = (int(self.rng.integers(2, 4)), *shape)
        if len(wide) <= 4 and math.prod(wide) <= LARGEST:
            self.add("BROADCAST_TO", [given, self.numbers(wide)], [wide], options("BroadcastTo"))


def _windows(extents: tuple[int, int], sizes: tuple[int, int], stride: int, padding: int) -> tuple[int, ...]:
    """Rows and columns of what windows give."""
    pairs = zip(extents, sizes, strict=True)
    return tuple(-(-(extent if padding == SAME else extent - size + 1) // stride) for extent, size in pairs)


def branched_graph(seed: int) -> Case:
    """A graph of some fifteen operators, with samples; the same for the same seed."""
    rng = np.random.default_rng(seed)
    graph = BranchedBuilder(rng, str(rng.choice(["int8", "int8", "int8", "int16", "float32"])))
    inputs = [graph.tensor(SHAPES[int(rng.integers(len(SHAPES)))]) for _ in range(int(rng.integers(1, 4)))]
    steps: tuple[tuple[Callable[[], None], float], ...] = (
        (graph.sum, 3),
        (graph.scaled, 1),
        (graph.relu, 2),
        (graph.pool, 2),
        (graph.window, 4),
        (graph.concatenate, 4),
        (graph.split, 2),
        (graph.uneven, 2),
        (graph.unpack, 1),
        (graph.pack, 1),
        (graph.slice, 2),
        (graph.strided, 1),
        (graph.pad, 2),
        (graph.broadcast, 1),
        (graph.turn, 1),
        (graph.reshape, 3),
    )
    weight = np.array([share for _, share in steps])
    for step in rng.choice(len(steps), int(rng.integers(4, 20)), p=weight / weight.sum()):
        steps[step][0]()
    if not graph.operators:
        graph.relu()
    # Some results stay unread: nobody but their own operator knows them.
    unused = [index for index in graph.made if index not in graph.used and rng.random() < 0.7]
    outputs = sorted({*unused, graph.pick(), graph.operators[-1].outputs[0]} - set(inputs))
    data = write_model(graph.tensors, graph.operators, inputs, outputs)
    samples = [samples_of(graph.dtype, rng, graph.shape(index)) for index in inputs]
    tolerance = 1e-6 if graph.dtype == "float32" else 0.0
    return Case(data, tuple(samples), tolerance, outputs=len(outputs))


def late_part() -> Case:
    """The second part of a concatenation is there before the first; nobody reads the other result of its split."""
    rng = np.random.default_rng(3)
    graph = BranchedBuilder(rng, "int8")
    inputs = [graph.tensor((4, 6)), graph.tensor((1, 2))]
    graph.add("SPLIT", [graph.numbers(1), inputs[0]], [(4, 3), (4, 3)], options("Split", numSplits=2))
    right = graph.made[-1]
    graph.add("BROADCAST_TO", [inputs[1], graph.numbers((3, 2))], [(3, 2)], options("BroadcastTo"))
    wide = graph.made[-1]
    shape = (1, 1, 6, 2)
    graph.add("RESHAPE", [right, graph.numbers(shape)], [shape], options("Reshape", newShape=list(shape)))
    whole = graph.made[-1]
    made = options("Pool2D", padding=SAME, strideW=2, strideH=2, filterWidth=3, filterHeight=3)
    graph.add("AVERAGE_POOL_2D", [whole], [(1, 1, 3, 2)], made)
    graph.add("CONCATENATION", [graph.made[-1], whole], [(1, 1, 9, 2)], options("Concatenation", axis=2))
    data = write_model(graph.tensors, graph.operators, inputs, [graph.made[-1], wide])
    return Case(data, tuple(samples_of("int8", rng, graph.shape(index)) for index in inputs), outputs=2)

"""Random graphs of operators that move elements between others that compute: what lies where matters in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from case import Case, int8_samples, samples_of, weights
from tflite_build import RELU, SAME, VALID, Operator, Tensor, constant, options, write_model

SHAPES = ((2, 4, 4, 2), (1, 6, 4, 3), (4, 6), (3, 2, 4), (12,))


@dataclass
class GraphBuilder:
    """A graph under construction, all of whose tensors have one scale; every choice comes from `rng`."""

    rng: np.random.Generator
    dtype: str
    tensors: list[Tensor] = field(default_factory=list[Tensor])
    operators: list[Operator] = field(default_factory=list[Operator])
    made: list[int] = field(default_factory=list[int])
    """Tensors that are computed at run time."""
    used: set[int] = field(default_factory=set[int])

    def tensor(self, shape: tuple[int, ...]) -> int:
        """A new tensor of the graph's type."""
        quantised = self.dtype != "float32"
        zero_points = (0 if self.dtype == "int16" else 3,)
        self.tensors.append(Tensor(shape, self.dtype, (0.25,) if quantised else (), zero_points if quantised else ()))
        self.made.append(len(self.tensors) - 1)
        return self.made[-1]

    def numbers(self, values: Any) -> int:
        """A new constant of int32."""
        self.tensors.append(constant(np.array(values, np.int32)))
        return len(self.tensors) - 1

    def shape(self, index: int) -> tuple[int, ...]:
        """Of a tensor."""
        return self.tensors[index].shape

    def pick(self) -> int:
        """Any computed tensor, rather a new one."""
        recent = self.made[-6:] if self.rng.random() < 0.7 else self.made
        return int(self.rng.choice(recent))

    def add(self, opcode: str, inputs: list[int], shapes: list[tuple[int, ...]], made: Any = None) -> None:
        """An operator with new results."""
        self.operators.append(Operator(opcode, inputs, [self.tensor(shape) for shape in shapes], made))
        self.used.update(inputs)

    def compute(self) -> None:
        """An operator that computes: it cannot go, and may run in place."""
        given = self.pick()
        shape = self.shape(given)
        if len(shape) == 4 and min(shape[1:3]) >= 2 and self.rng.random() < 0.5:
            pooled = (shape[0], shape[1] - 1, shape[2] - 1, shape[3])
            made = options("Pool2D", padding=VALID, strideW=1, strideH=1, filterWidth=2, filterHeight=2)
            self.add("MAX_POOL_2D", [given], [pooled], made)
        elif self.rng.random() < 0.5:
            others = [index for index in self.made if self.shape(index) == shape]
            other = int(self.rng.choice(others))
            self.add("ADD", [given, other], [shape], options("Add", fusedActivationFunction=RELU))
        else:
            self.add("RELU", [given], [shape])

    def convolve(self) -> None:
        """A convolution of an image, whose result may overlap its input at a distance."""
        images = [index for index in self.made if len(self.shape(index)) == 4]
        if not images or self.dtype != "int8":
            return
        given = int(self.rng.choice(images))
        batch, height, width, channels = self.shape(given)
        count, kernel, stride = (int(self.rng.integers(1, most)) for most in (4, 4, 3))
        filters = constant(weights(self.rng, (count, kernel, kernel, channels)), (0.01,) * count)
        bias = self.rng.integers(-99, 99, count, np.int32)
        self.tensors += [filters, Tensor((count,), "int32", (0.0025,) * count, (0,) * count, data=bias)]
        inputs = [given, len(self.tensors) - 2, len(self.tensors) - 1]
        made = options("Conv2D", strideW=stride, strideH=stride, dilationWFactor=1, dilationHFactor=1, padding=SAME)
        self.add("CONV_2D", inputs, [(batch, -(-height // stride), -(-width // stride), count)], made)

    def concatenate(self) -> None:
        """Two or three tensors along an axis, mostly the first one that is not of extent 1."""
        first = self.pick()
        shape = self.shape(first)
        axis = next((d for d, extent in enumerate(shape) if extent > 1), 0)
        if self.rng.random() < 0.3:
            axis = int(self.rng.integers(len(shape)))
        rest = [i for i in self.made if _fits(self.shape(i), shape, axis)]
        inputs = [first, *map(int, self.rng.choice(rest, int(self.rng.integers(1, 3))))]
        total = sum(self.shape(index)[axis] for index in inputs)
        result = (*shape[:axis], total, *shape[axis + 1 :])
        if math.prod(result) < 4096:
            self.add("CONCATENATION", inputs, [result], options("Concatenation", axis=axis))

    def split(self) -> None:
        """Equal parts of one tensor."""
        given = self.pick()
        shape = self.shape(given)
        axes = [d for d, extent in enumerate(shape) if extent % 2 == 0]
        if axes:
            axis = int(self.rng.choice(axes)) if self.rng.random() < 0.4 else axes[0]
            part = (*shape[:axis], shape[axis] // 2, *shape[axis + 1 :])
            self.add("SPLIT", [self.numbers(axis), given], [part, part], options("Split", numSplits=2))

    def slice(self) -> None:
        """A box of one tensor."""
        given = self.pick()
        shape = self.shape(given)
        begin = [int(self.rng.integers(0, extent)) if self.rng.random() < 0.4 else 0 for extent in shape]
        size = [
            extent - b if self.rng.random() < 0.7 else int(self.rng.integers(1, extent - b + 1))
            for extent, b in zip(shape, begin, strict=True)
        ]
        self.add("SLICE", [given, self.numbers(begin), self.numbers(size)], [tuple(size)], options("Slice"))

    def turn(self) -> None:
        """The dimensions of one tensor in another order."""
        given = self.pick()
        order = [int(d) for d in self.rng.permutation(len(self.shape(given)))]
        turned = tuple(self.shape(given)[d] for d in order)
        self.add("TRANSPOSE", [given, self.numbers(order)], [turned], options("Transpose"))

    def reshape(self) -> None:
        """One tensor under another shape."""
        given = self.pick()
        count = math.prod(self.shape(given))
        columns = int(self.rng.choice([d for d in range(1, count + 1) if count % d == 0]))
        shape = (count // columns, columns)
        self.add("RESHAPE", [given, self.numbers(shape)], [shape], options("Reshape", newShape=list(shape)))


def _fits(other: tuple[int, ...], shape: tuple[int, ...], axis: int) -> bool:
    """Whether tensors of two shapes can be put together along an axis."""
    return len(other) == len(shape) and (*other[:axis], 0, *other[axis + 1 :]) == (*shape[:axis], 0, *shape[axis + 1 :])


def channels() -> Case:
    """Two convolutions of one tensor side by side, as in a fire module, and one of both."""
    rng = np.random.default_rng(1)
    made = options("Conv2D", strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1, padding=SAME)

    def image(count: int) -> Tensor:
        return Tensor((1, 8, 8, count), "int8", (0.25,), (5,))

    def parameters(given: int, count: int, width: int) -> list[Tensor]:
        bias = rng.integers(-99, 99, count, np.int32)
        return [
            constant(weights(rng, (count, width, width, given)), (0.01,) * count),
            Tensor((count,), "int32", (0.0025,) * count, (0,) * count, data=bias),
        ]

    tensors = [image(8), *parameters(8, 8, 1), image(8), *parameters(8, 8, 1), image(8)]
    tensors += [*parameters(8, 16, 3), image(16), image(24), *parameters(24, 8, 1), image(8)]
    operators = [
        Operator("CONV_2D", [0, 1, 2], [3], made),
        Operator("CONV_2D", [3, 4, 5], [6], made),
        Operator("CONV_2D", [3, 7, 8], [9], made),
        Operator("CONCATENATION", [6, 9], [10], options("Concatenation", axis=3)),
        Operator("CONV_2D", [10, 11, 12], [13], made),
    ]
    return Case(write_model(tensors, operators, [0], [13]), (int8_samples(rng, (1, 8, 8, 8)),))


def random_graph(seed: int, *, images: bool = False) -> Case:
    """A graph of some ten operators, with samples; the same for the same seed. `images`: with convolutions."""
    rng = np.random.default_rng(seed)
    graph = GraphBuilder(rng, "int8" if images else str(rng.choice(["int8", "int8", "int16", "float32"])))
    shapes = SHAPES[:2] if images else SHAPES
    inputs = [graph.tensor(shapes[int(rng.integers(len(shapes)))]) for _ in range(int(rng.integers(1, 3)))]
    compute = graph.convolve if images else graph.compute
    steps = (compute, graph.concatenate, graph.split, graph.slice, graph.turn, graph.reshape)
    for index in inputs:
        graph.add("RELU", [index], [graph.shape(index)])
    for step in rng.choice(len(steps), int(rng.integers(6, 14)), p=(0.4, 0.25, 0.1, 0.1, 0.05, 0.1)):
        steps[step]()
    unused = [index for index in graph.made if index not in graph.used]
    outputs = sorted({*unused, graph.pick()} - set(inputs))
    data = write_model(graph.tensors, graph.operators, inputs, outputs)
    samples = [samples_of(graph.dtype, rng, graph.shape(index)) for index in inputs]
    return Case(data, tuple(samples), outputs=len(outputs))

"""ADD, QUANTIZE, DEQUANTIZE, RESHAPE."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import Case, float32, float_samples, int8_samples, int8_tensor
from hypothesis import strategies as st
from tflite_build import Tensor, constant, one_operator, options
from window_specs import ACTIVATIONS, SCALES, SEEDS, ZERO_POINTS

SHAPES = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


@dataclass(frozen=True)
class Add:
    """ADD of two shapes that broadcast; `fixed` makes one operand a constant."""

    integer: bool
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    fixed: int | None
    activation: int
    scales: tuple[float, float]
    gain: float
    zero_points: tuple[int, int, int]
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        out_shape = np.broadcast_shapes(*self.shapes)
        samples = [(int8_samples if self.integer else float_samples)(rng, shape) for shape in self.shapes]
        if self.integer:
            operands = [
                int8_tensor(shape, scale, zero_point)
                for shape, scale, zero_point in zip(self.shapes, self.scales, self.zero_points[:2], strict=True)
            ]
            output = int8_tensor(out_shape, float32(sum(self.scales) * self.gain), self.zero_points[2])
        else:
            operands = [Tensor(shape, "float32") for shape in self.shapes]
            output = Tensor(out_shape, "float32")
        if self.fixed is not None:
            given, index = operands[self.fixed], self.fixed
            operands[index] = Tensor(
                given.shape, given.dtype, given.scales, given.zero_points, data=samples.pop(index)[0]
            )
        made = options("Add", fusedActivationFunction=self.activation)
        return Case(one_operator("ADD", made, operands, output), tuple(samples))


@st.composite
def broadcasting_shapes(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Equal shapes, or two of which either may lack extents or have 1 for them."""
    shape = draw(SHAPES)
    if draw(st.booleans()):
        return shape, shape
    pair = [
        tuple(extent if draw(st.booleans()) else 1 for extent in shape)[draw(st.integers(0, len(shape) - 1)) :]
        for _ in range(2)
    ]
    return pair[0], pair[1]


def additions(*, integer: bool) -> st.SearchStrategy[Add]:
    """Sums with and without broadcasting and constants."""
    return st.builds(
        Add,
        integer=st.just(integer),
        shapes=broadcasting_shapes(),
        fixed=st.sampled_from((None, None, 0, 1)),
        activation=ACTIVATIONS,
        scales=st.tuples(SCALES, SCALES),
        gain=st.sampled_from((0.05, 0.5, 1.0, 4.0)),
        zero_points=st.tuples(ZERO_POINTS, ZERO_POINTS, ZERO_POINTS),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class Recode:
    """QUANTIZE from float32 or int8, or DEQUANTIZE."""

    kind: str
    shape: tuple[int, ...]
    scales: tuple[float, float]
    zero_points: tuple[int, int]
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        first, second = (
            int8_tensor(self.shape, scale, zero_point)
            for scale, zero_point in zip(self.scales, self.zero_points, strict=True)
        )
        real = Tensor(self.shape, "float32")
        if self.kind == "dequantize":
            return Case(
                one_operator("DEQUANTIZE", options("Dequantize"), (first,), real), (int8_samples(rng, self.shape),)
            )
        source = real if self.kind == "quantize" else first
        samples = float_samples(rng, self.shape) if self.kind == "quantize" else int8_samples(rng, self.shape)
        return Case(one_operator("QUANTIZE", options("Quantize"), (source,), second), (samples,))


def recodings(kind: str) -> st.SearchStrategy[Recode]:
    """`quantize`, `requantize` or `dequantize`."""
    return st.builds(
        Recode,
        kind=st.just(kind),
        shape=SHAPES,
        scales=st.tuples(SCALES, SCALES),
        zero_points=st.tuples(ZERO_POINTS, ZERO_POINTS),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class Reshape:
    """RESHAPE by a shape tensor or by options; `inferred` is the extent written as -1."""

    integer: bool
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    by_tensor: bool
    inferred: int | None
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        source, target = self.shapes
        wanted = list(target)
        if self.inferred is not None:
            wanted[self.inferred % len(wanted)] = -1
        made = options("Reshape", newShape=[] if self.by_tensor else wanted)
        shape = (constant(np.array(wanted, np.int32)),) if self.by_tensor else ()
        if self.integer:
            first, second = int8_tensor(source, 0.5, 3), int8_tensor(target, 0.5, 3)
            return Case(one_operator("RESHAPE", made, (first, *shape), second), (int8_samples(rng, source),))
        ends = Tensor(source, "float32"), Tensor(target, "float32")
        return Case(one_operator("RESHAPE", made, (ends[0], *shape), ends[1]), (float_samples(rng, source),))


@st.composite
def reshaped(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes of as many elements: the same prime factors dealt out twice."""
    factors = draw(st.lists(st.sampled_from((1, 2, 3, 5)), min_size=1, max_size=4))

    def deal() -> tuple[int, ...]:
        rank = draw(st.integers(1, 4))
        shape = [1] * rank
        for factor in factors:
            shape[draw(st.integers(0, rank - 1))] *= factor
        return tuple(shape)

    return deal(), deal()


def reshapes(*, integer: bool) -> st.SearchStrategy[Reshape]:
    """Reshapes in every way of saying the shape."""
    return st.builds(
        Reshape,
        integer=st.just(integer),
        shapes=reshaped(),
        by_tensor=st.booleans(),
        inferred=st.one_of(st.none(), st.integers(0, 3)),
        seed=SEEDS,
    )


KINDS = {
    "ADD int8": additions(integer=True),
    "ADD float32": additions(integer=False),
    "QUANTIZE float32 to int8": recodings("quantize"),
    "QUANTIZE int8 to int8": recodings("requantize"),
    "DEQUANTIZE int8": recodings("dequantize"),
    "RESHAPE int8": reshapes(integer=True),
    "RESHAPE float32": reshapes(integer=False),
}

"""Tensors that follow from constants and shapes, used by an operator that has a run-time input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import Case, activation, samples_of
from hypothesis import strategies as st
from single import Operand, Single
from tflite_build import Operator, Tensor, constant, options, write_model
from window_specs import SEEDS

SHAPES = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


@dataclass(frozen=True)
class Range:
    """RANGE of constants, then ADD."""

    dtype: str
    start: float
    step: float
    count: int
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        kind = np.dtype(self.dtype)
        start, step = kind.type(self.start), kind.type(self.step)
        limit = kind.type(start + step * kind.type(self.count))
        bounds = [constant(np.array(value, kind)) for value in (start, limit, step)]
        values = Tensor((self.count,), self.dtype)
        operators = [
            Operator("RANGE", (0, 1, 2), (3,), options("Range")),
            Operator("MAXIMUM", (3, 4), (5,), options("MaximumMinimum")),
        ]
        model = write_model([*bounds, values, values, values], operators, (4,), (5,))
        return Case(model, (samples_of(self.dtype, rng, (self.count,)),), oracle="litert")


def ranges(dtype: str) -> st.SearchStrategy[Range]:
    """Up and down; steps of floats are fractions that add up without loss."""
    steps = (-3.0, -1.0, 1.0, 2.0, 7.0) if dtype != "float32" else (-0.5, -0.25, 0.125, 1.5)
    return st.builds(
        Range,
        dtype=st.just(dtype),
        start=st.integers(-20, 20).map(float),
        step=st.sampled_from(steps),
        count=st.integers(1, 12),
        seed=SEEDS,
    )


@dataclass(frozen=True)
class BroadcastArgs:
    """BROADCAST_ARGS of constants, then FILL and ADD."""

    dtype: str
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        result = np.broadcast_shapes(*self.shapes)
        given = [constant(np.array(shape, self.dtype)) for shape in self.shapes]
        tensors = [
            *given,
            Tensor((len(result),), self.dtype),
            constant(np.array(1.5, np.float32)),
            activation("float32", result),
            activation("float32", self.shapes[0]),
            activation("float32", result),
        ]
        operators = [
            Operator("BROADCAST_ARGS", (0, 1), (2,)),
            Operator("FILL", (2, 3), (4,), options("Fill")),
            Operator("ADD", (4, 5), (6,), options("Add")),
        ]
        model = write_model(tensors, operators, (5,), (6,))
        return Case(model, (samples_of("float32", rng, self.shapes[0]),), oracle="litert")


@st.composite
def broadcasts(draw: st.DrawFn, dtype: str) -> BroadcastArgs:
    """Either shape may lack extents or have 1 for them."""
    shape = draw(SHAPES)
    thin, other = (
        tuple(extent if draw(st.booleans()) else 1 for extent in shape)[draw(st.integers(0, len(shape) - 1)) :]
        for _ in range(2)
    )
    return BroadcastArgs(dtype, (thin, other), draw(SEEDS))


def ranks(dtype: str) -> st.SearchStrategy[Single]:
    """RANK."""
    return st.builds(
        lambda shape, seed: Single(
            "RANK", (Operand(shape, dtype),), (Operand((), "int32"),), oracle="litert", seed=seed
        ),
        SHAPES,
        SEEDS,
    )


KINDS = {
    **{f"RANGE {dtype}": ranges(dtype) for dtype in ("float32", "int32", "int64")},
    **{f"BROADCAST_ARGS {dtype}": broadcasts(dtype) for dtype in ("int32", "int64")},
    **{f"RANK {dtype}": ranks(dtype) for dtype in ("float32", "int8")},
}

"""Operators that keep state between runs: SVDF. The samples of a case are runs in sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from case import SAMPLES, Case, float32, int8_tensor, samples_of, weights
from hypothesis import strategies as st
from numpy.typing import NDArray
from tflite_build import Tensor, constant, one_operator, options
from window_specs import SCALES, SEEDS, ZERO_POINTS


def steps(dtype: str, rng: np.random.Generator, shape: tuple[int, ...], count: int) -> NDArray[Any]:
    """Inputs of `count` runs."""
    return np.concatenate([samples_of(dtype, rng, shape) for _ in range(-(-count // SAMPLES))])[:count]


@dataclass(frozen=True)
class Svdf:
    """`rank` filters for each of the units."""

    state: str
    """Element type of the state and the time weights."""
    batch: int
    depth: int
    units: int
    rank: int
    memory: int
    activation: int
    input_scale: float
    filter_scale: float
    state_scale: float
    input_zero_point: int
    state_zero_point: int
    output_zero_point: int
    gain: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        filters = self.rank * self.units
        made = options("SVDF", rank=self.rank, fusedActivationFunction=self.activation)
        shapes = (self.batch, self.depth), (self.batch, filters * self.memory), (self.batch, self.units)
        real = self.state in ("float32", "hybrid")
        inputs = (steps("float32" if real else "int8", rng, shapes[0], self.memory + 3),)
        if self.state == "hybrid":
            return self._hybrid(rng, inputs)
        if self.state == "float32":
            constants = (
                rng.normal(0, 1, shape).astype(np.float32)
                for shape in ((filters, self.depth), (filters, self.memory), (self.units,))
            )
            ends = Tensor(shapes[0], "float32"), Tensor(shapes[1], "float32", variable=True)
            given = (ends[0], *map(constant, constants), ends[1])
            return Case(one_operator("SVDF", made, given, Tensor(shapes[2], "float32")), inputs, 1e-6)
        state_zero_point = self.state_zero_point if self.state == "int8" else 0
        features = constant(weights(rng, (filters, self.depth)), (self.filter_scale,))
        limit = np.iinfo(self.state).max
        time_scale = float32(1.0 / limit)
        time = rng.integers(-limit, limit + 1, (filters, self.memory)).astype(self.state)
        state_scale = float32(self.state_scale if self.state == "int8" else self.state_scale / 128)
        bias_scale = float32(state_scale * time_scale)
        bias = constant(rng.integers(-(2**10), 2**10, self.units, np.int32), (bias_scale,))
        model = one_operator(
            "SVDF",
            made,
            (
                int8_tensor(shapes[0], self.input_scale, self.input_zero_point),
                features,
                constant(time, (time_scale,)),
                bias,
                Tensor(shapes[1], self.state, (state_scale,), (state_zero_point,), variable=True),
            ),
            int8_tensor(shapes[2], float32(self.state_scale * self.gain), self.output_zero_point),
        )
        return Case(model, inputs)

    def _hybrid(self, rng: np.random.Generator, inputs: tuple[NDArray[Any], ...]) -> Case:
        filters = self.rank * self.units
        state = Tensor((self.batch, filters * self.memory), "float32", variable=True)
        given = (
            Tensor((self.batch, self.depth), "float32"),
            constant(weights(rng, (filters, self.depth)), (self.filter_scale,)),
            constant(weights(rng, (filters, self.memory)), (self.state_scale,)),
            constant(rng.normal(0, 1, self.units).astype(np.float32)),
            state,
        )
        made = options(
            "SVDF",
            rank=self.rank,
            fusedActivationFunction=self.activation,
            asymmetricQuantizeInputs=bool(self.seed % 2),
        )
        output = Tensor((self.batch, self.units), "float32")
        return Case(one_operator("SVDF", made, given, output), inputs, 1e-6, oracle="litert")


def svdf(state: str) -> st.SearchStrategy[Svdf]:
    """Filters of one to a few steps of memory."""
    return st.builds(
        Svdf,
        state=st.just(state),
        batch=st.integers(1, 3),
        depth=st.one_of(st.integers(1, 12), st.sampled_from((8, 16, 40))),
        units=st.integers(1, 6),
        rank=st.integers(1, 3),
        memory=st.one_of(st.integers(1, 6), st.sampled_from((4, 8, 10))),
        activation=st.sampled_from((0, 1)) if state in ("float32", "hybrid") else st.just(1),
        input_scale=SCALES,
        filter_scale=SCALES,
        state_scale=st.sampled_from((0.02, 0.1, 0.8073114)),
        input_zero_point=ZERO_POINTS,
        state_zero_point=ZERO_POINTS,
        output_zero_point=ZERO_POINTS,
        gain=st.sampled_from((0.05, 0.5, 2.0)),
        seed=SEEDS,
    )


KINDS = {
    "SVDF int8": svdf("int8"),
    "SVDF int8 state int16": svdf("int16"),
    "SVDF float32": svdf("float32"),
    "SVDF hybrid": svdf("hybrid"),
}

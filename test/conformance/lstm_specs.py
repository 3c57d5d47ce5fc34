"""UNIDIRECTIONAL_SEQUENCE_LSTM. The samples of a case are runs in sequence: states go on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import Case, activation, float32, weights
from hypothesis import strategies as st
from state_specs import steps
from tflite_build import Tensor, constant, one_operator, options
from window_specs import SEEDS, ZERO_POINTS

TANH = 4


@dataclass(frozen=True)
class Lstm:
    """A layer of `units` cells."""

    dtype: str
    batch: int
    time: int
    depth: int
    units: int
    time_major: bool
    clip: float
    cell_exponent: int
    input_scale: float
    weight_scale: float
    hidden_scale: float
    input_zero_point: int
    hidden_zero_point: int
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        order = (self.time, self.batch) if self.time_major else (self.batch, self.time)
        state = self.batch, self.units
        shapes = [(self.units, self.depth)] * 4 + [(self.units, self.units)] * 4
        real = self.dtype in ("float32", "hybrid")
        if not real:
            bias = np.int32 if self.dtype == "int8" else np.int64
            zero_points = (self.input_zero_point, self.hidden_zero_point) if self.dtype == "int8" else (0, 0)
            scales = [float32(self.weight_scale * 2.0 ** rng.uniform(-1, 1)) for _ in shapes]
            kernels = [constant(weights(rng, shape), (scale,)) for shape, scale in zip(shapes, scales, strict=True)]
            biases = [
                constant(rng.integers(-(2**12), 2**12, self.units, bias), (float32(self.input_scale * scale),))
                for scale in scales[:4]
            ]
            hidden = Tensor(state, self.dtype, (self.hidden_scale,), zero_points[1:], variable=True)
            cell = Tensor(state, "int16", (2.0**self.cell_exponent,), (0,), variable=True)
            data = activation(self.dtype, (*order, self.depth), self.input_scale, zero_points[0])
            output = activation(self.dtype, (*order, self.units), self.hidden_scale, zero_points[1])
        else:
            kernels = [self._real_weights(rng, shape) for shape in shapes]
            biases = [constant(rng.normal(0, 1, self.units).astype(np.float32)) for _ in range(4)]
            hidden, cell = (Tensor(state, "float32", variable=True) for _ in range(2))
            data, output = Tensor((*order, self.depth), "float32"), Tensor((*order, self.units), "float32")
        made = options(
            "UnidirectionalSequenceLSTM",
            fusedActivationFunction=TANH,
            cellClip=self.clip,
            timeMajor=self.time_major,
            asymmetricQuantizeInputs=bool(self.seed % 2),
        )
        given = [data, *kernels, None, None, None, *biases, None, None, hidden, cell, None, None, None, None]
        model = one_operator("UNIDIRECTIONAL_SEQUENCE_LSTM", made, given, output)
        samples = steps("float32" if real else self.dtype, rng, (*order, self.depth), 4)
        return Case(model, (samples,), 1e-6 if real else 0.0, oracle="litert" if self.dtype == "hybrid" else "tflm")

    def _real_weights(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Tensor:
        if self.dtype == "hybrid":
            return constant(weights(rng, shape), (float32(self.weight_scale * 2.0 ** rng.uniform(-1, 1)),))
        return constant(rng.normal(0, 0.7, shape).astype(np.float32))


def lstm(dtype: str) -> st.SearchStrategy[Lstm]:
    """Layers of a few steps and units."""
    return st.builds(
        Lstm,
        dtype=st.just(dtype),
        batch=st.integers(1, 3),
        time=st.integers(1, 5),
        depth=st.integers(1, 12),
        units=st.integers(1, 8),
        time_major=st.booleans(),
        clip=st.sampled_from((0.0, 0.5, 10.0, 100.0)),
        cell_exponent=st.sampled_from((-15, -13, -12, -11, -9, -4)),
        input_scale=st.sampled_from((float32(0.003), float32(0.02), 0.125)),
        weight_scale=st.sampled_from((float32(0.0009), float32(0.009), 0.0625)),
        hidden_scale=st.sampled_from((float32(0.00781), 0.0078125, float32(0.003), 0.5)),
        input_zero_point=ZERO_POINTS,
        hidden_zero_point=ZERO_POINTS,
        seed=SEEDS,
    )


KINDS = {
    "UNIDIRECTIONAL_SEQUENCE_LSTM int8": lstm("int8"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM int16": lstm("int16"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM float32": lstm("float32"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM hybrid": lstm("hybrid"),
}

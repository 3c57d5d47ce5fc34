"""SVDF and LSTM at scales where a factor that follows from a float32 instead of doubles shows."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest
from case import Case, activation, agree, float32, int8_tensor
from host_batch import run_batch
from tflite_build import Tensor, constant, one_operator, options
from tflm_oracle import run_oracle

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

GATE = 2.0**-12
"""Scale of what gates are given."""
TANH = 4


def check(cases: list[Case]) -> None:
    """Compare with the reference."""
    results = zip(cases, run_batch(cases), run_oracle(cases), strict=True)
    wrong = [f"case {number}: {why}" for number, one in enumerate(results) if (why := agree(*one))]
    assert not wrong, "\n".join(wrong)


def svdf(seed: int, state: str) -> Case:
    """Sums of nothing but biases that are a little more or less than a half once they are rescaled."""
    rng = np.random.default_rng(seed)
    scale, time = (float32(one) for one in rng.uniform(1e-4, 1e-3, 2))
    result = float32(scale * time * 1e6 * rng.uniform(0.5, 2))
    ties = (np.arange(1, 120) + 0.5) * result / (scale * time)
    bias = (np.round(ties)[:, None] + np.array([-9, -1, 0, 1, 9])).reshape(-1).astype(np.int32)
    units = bias.size
    given = (
        int8_tensor((1, 2), 0.5, 0),
        constant(np.zeros((units, 2), np.int8), (0.5,)),
        constant(np.zeros((units, 2), state), (time,)),
        constant(bias, (float32(scale * time),)),
        Tensor((1, 2 * units), state, (scale,), (0,), variable=True),
    )
    model = one_operator("SVDF", options("SVDF", rank=1), given, int8_tensor((1, units), result, 0))
    return Case(model, (np.zeros((1, 1, 2), np.int8),))


def _halves(factor: float) -> int:
    """The upper half of a factor's digits."""
    return round(math.frexp(factor)[0] * 2**15)


def lstm(seed: int, units: int = 64) -> Case:
    """Gates of nothing but biases, whose factors have other halves in float32."""
    rng = np.random.default_rng(seed)
    data = float32(rng.uniform(1e-4, 2e-4))
    drawn = (float32(one) for one in rng.uniform(1e-4, 2e-4, 100_000))
    found = (one for one in drawn if _halves(data * one) != _halves(float32(data * one)))
    scales = [next(found) for _ in range(4)]
    inner = [constant(np.zeros((units, 2), np.int8), (scale,)) for scale in scales]
    outer = [constant(np.zeros((units, units), np.int8), (scale,)) for scale in scales]
    biases = [
        constant(np.round((rng.integers(-7000, 7000, units) + 0.5) * GATE / (data * scale)).astype(np.int64), (1.0,))
        for scale in scales
    ]
    hidden, cell = (Tensor((1, units), "int16", (2.0**-15,), (0,), variable=True) for _ in range(2))
    made = options("UnidirectionalSequenceLSTM", fusedActivationFunction=TANH)
    nothing = [None] * 4
    given = [activation("int16", (1, 1, 2), data), *inner, *outer, *nothing[1:], *biases, None, None, hidden, cell]
    result = activation("int16", (1, 1, units), 2.0**-15)
    model = one_operator("UNIDIRECTIONAL_SEQUENCE_LSTM", made, [*given, *nothing], result)
    return Case(model, (np.zeros((1, 1, 1, 2), np.int16),))


@pytest.mark.parametrize("state", ["int8", "int16"])
def test_filters_agree(state: str) -> None:
    check([svdf(seed, state) for seed in range(4)])


def test_gates_agree() -> None:
    check([lstm(seed) for seed in range(3)])

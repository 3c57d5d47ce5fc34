"""Operators that normalise rows: SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from case import Case, activation, samples_of
from hypothesis import strategies as st
from tflite_build import one_operator, options
from window_specs import SCALES, SEEDS, ZERO_POINTS

OUTPUTS: Mapping[tuple[str, str, str], tuple[float, int]] = {
    ("SOFTMAX", "int8", "int8"): (1 / 256, -128),
    ("SOFTMAX", "int8", "int16"): (1 / 65536, -32768),
    ("SOFTMAX", "int16", "int16"): (1 / 32768, 0),
    ("SOFTMAX", "uint8", "uint8"): (1 / 256, 0),
    ("SOFTMAX", "float32", "float32"): (1, 0),
    ("LOG_SOFTMAX", "int8", "int8"): (1 / 16, 127),
    ("LOG_SOFTMAX", "float32", "float32"): (1, 0),
    ("L2_NORMALIZATION", "int8", "int8"): (1 / 128, 0),
    ("L2_NORMALIZATION", "uint8", "uint8"): (1 / 128, 128),
    ("L2_NORMALIZATION", "float32", "float32"): (1, 0),
}
"""Scale and zero point of the result, which the reference demands."""


TABLES = {"SOFTMAX": "Softmax", "LOG_SOFTMAX": "LogSoftmax", "L2_NORMALIZATION": "L2Norm"}


@dataclass(frozen=True)
class Rows:
    """One operator over the last dimension."""

    opcode: str
    dtype: str
    result: str
    shape: tuple[int, ...]
    scale: float
    zero_point: int
    beta: float
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        zero_point = {"int8": self.zero_point, "uint8": self.zero_point + 128}.get(self.dtype, 0)
        source = activation(self.dtype, self.shape, self.scale, zero_point)
        target = activation(self.result, self.shape, *OUTPUTS[self.opcode, self.dtype, self.result])
        fields = {"beta": self.beta} if self.opcode == "SOFTMAX" else {}
        made = options(TABLES[self.opcode], **fields)
        model = one_operator(self.opcode, made, (source,), target)
        tolerance = 1e-5 if self.dtype == "float32" else 0.0
        oracle = "litert" if self.dtype == "uint8" else "tflm"
        samples = samples_of(self.dtype, rng, self.shape)
        if self.dtype != "float32":
            # The last sample stays near zero: sums of squares of 0 and 1, equal elements.
            limits = np.iinfo(self.dtype)
            near = zero_point + rng.integers(-1, 2, self.shape) * rng.integers(0, 2, self.shape[-1:])
            samples[-1] = np.clip(near, limits.min, limits.max)
        return Case(model, (samples,), tolerance, oracle)


def rows(opcode: str, dtype: str, result: str) -> st.SearchStrategy[Rows]:
    """Rows of up to 40 elements."""
    return st.builds(
        Rows,
        opcode=st.just(opcode),
        dtype=st.just(dtype),
        result=st.just(result),
        shape=st.builds(
            lambda outer, depth: (*outer, depth),
            st.lists(st.integers(1, 5), max_size=3),
            st.integers(1, 40),
        ),
        scale=SCALES.map(lambda scale: scale / 64) if dtype == "int16" else SCALES,
        zero_point=ZERO_POINTS,
        beta=st.sampled_from((1.0, 1.0, 0.25, 2.0)),
        seed=SEEDS,
    )


KINDS = {
    f"{opcode} {dtype}" + ("" if dtype == result else f" to {result}"): rows(opcode, dtype, result)
    for opcode, dtype, result in OUTPUTS
}

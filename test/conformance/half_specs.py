"""Constants of half precision, which converters store for float models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from case import Case, float_samples
from hypothesis import strategies as st
from tflite_build import Operator, Tensor, constant, options, write_model
from window_specs import SEEDS


@dataclass(frozen=True)
class Half:
    """DEQUANTIZE of a constant, then ADD."""

    shape: tuple[int, ...]
    exponent: int
    seed: int

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        stored = (rng.normal(0, 1, self.shape) * 2.0**self.exponent).astype(np.float16)
        real = Tensor(self.shape, "float32")
        operators = [
            Operator("DEQUANTIZE", (0,), (1,), options("Dequantize")),
            Operator("ADD", (1, 2), (3,), options("Add")),
        ]
        model = write_model([constant(stored), real, real, real], operators, (2,), (3,))
        return Case(model, (float_samples(rng, self.shape),), oracle="litert")


SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)

KINDS = {"DEQUANTIZE float16": st.builds(Half, shape=SHAPES, exponent=st.integers(-24, 8), seed=SEEDS)}

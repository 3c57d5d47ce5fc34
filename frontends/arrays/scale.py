"""Scales: how int8 elements stand for reals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEAST, MOST = -128, 127
"""Bounds of int8 elements."""


@dataclass(frozen=True)
class Scale:
    """How int8 elements stand for reals: `scale * (element - zero_point)`."""

    scale: float
    """Positive; of float32."""
    zero_point: int = 0
    """From -128 to 127."""


def as_f32(number: float) -> float:
    """Round a number to float32, as files hold it."""
    return float(np.float32(number))

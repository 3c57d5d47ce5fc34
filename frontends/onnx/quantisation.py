"""Scales of ONNX tensors, and the factors between them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...dialects.fx.single_form import single_multiplier
from ...dialects.nn.attributes import ClampAttr, RescaleAttr
from ...dialects.nn.rounding import Rounding
from ..reasons import Unsupported
from .tensors import Quantised


def factors(input_scale: float, weight_scales: npt.NDArray[np.float32], to: Quantised) -> RescaleAttr:
    """The factors of sums of products, `f32(f32(xs * ws) / ys)`, with a single rounding where that is proved equal.

    Raises:
        Unsupported: one is too large.
    """
    with np.errstate(all="ignore"):
        found = np.float32(input_scale) * weight_scales.astype(np.float32) / np.float32(to.scale)
    least, most = (bound - to.zero_point for bound in to.bounds)
    short = [single_multiplier(factor, least, most) for factor in found.reshape(-1)]
    proved = [each for each in short if each is not None]
    if len(proved) == len(short):
        return RescaleAttr.get([each for each, _ in proved], [shift for _, shift in proved], Rounding.SINGLE)
    multipliers: list[int] = []
    shifts: list[int] = []
    for factor in found.reshape(-1):
        fraction, shift = math.frexp(float(factor))
        if not math.isfinite(fraction) or shift > 30:
            raise Unsupported(f"its scales give a factor of {float(factor):g}")
        small = shift < -31
        multipliers.append(0 if small else int(fraction * 2**31))
        shifts.append(0 if small else shift)
    return RescaleAttr.get(multipliers, shifts, Rounding.REAL)


def clamp(to: Quantised) -> ClampAttr:
    """The range of results."""
    return ClampAttr.get(*to.bounds)

"""Scales that no kernel can use."""

from __future__ import annotations

import math

import numpy as np

from .node import constant_of
from .schema import Quantisation, Tensor


def wrong_scale(tensor: Tensor, quantisation: Quantisation) -> float | None:
    """The first scale that is neither positive and finite nor 0.0 of a constant that is zero there; None if none is.

    Converters write 0.0 for what is zero altogether: initial states, filters of a channel that does nothing.
    """
    scales = quantisation.scales
    found = next((scale for scale in scales if not (math.isfinite(scale) and scale >= 0)), None)
    return 0.0 if found is None and 0.0 in scales and not _is_zero(tensor, quantisation) else found


def _is_zero(tensor: Tensor, quantisation: Quantisation) -> bool:
    """Whether a tensor is a constant of zeros wherever its scale is 0."""
    scales, zero_points = quantisation.scales, quantisation.zero_points
    if tensor.data is None or tensor.is_sparse or len(zero_points) != len(scales):
        return False
    values, axis = constant_of(tensor).array.astype(np.int64), quantisation.dimension
    if len(scales) > 1 and not (0 <= axis < len(tensor.shape) and tensor.shape[axis] == len(scales)):
        return False
    parts = [values] if len(scales) == 1 else np.moveaxis(values, axis, 0)
    return all((part == zero).all() for part, scale, zero in zip(parts, scales, zero_points, strict=True) if not scale)

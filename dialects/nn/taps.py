"""Constant weights of convolutions and matrix products in one layout, and the sums that they can give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..fx.fixed_point_arrays import Truths
from .ranges import Ranges


@dataclass(frozen=True)
class Taps:
    """Weights as [output channels, taps, input channels of a group]; groups of output channels lie in a row."""

    weights: npt.NDArray[Any]
    groups: int
    inside: Truths
    """For each tap, whether it ever lies inside the input."""
    outside: Truths
    """Whether it ever lies outside: then it adds nothing."""

    @staticmethod
    def of(weights: npt.NDArray[Any], groups: int = 1, *, outside: bool = False) -> Taps:
        """Taps of weights [output channels, rows, columns, input channels], which are all alike."""
        flat = weights.reshape(weights.shape[0], -1, weights.shape[3])
        return Taps(flat, groups, np.ones(flat.shape[1], np.bool_), np.full(flat.shape[1], outside))

    def sums(self, steps: Ranges, zero_point: int) -> Ranges:
        """Ranges of the sums of products with steps of the input; each tap is there as a whole or not at all."""
        outputs, taps, inputs = self.weights.shape
        # In float64 nothing is rounded: 2**53 is far off.
        shape = self.groups, outputs // self.groups, taps, inputs
        weights = self.weights.astype(np.float64).reshape(shape) - zero_point
        above, below = np.maximum(weights, 0), np.minimum(weights, 0)
        least, most = (end.astype(np.float64).reshape(self.groups, 1, inputs, 1) for end in (steps.least, steps.most))
        ends = (above @ least + below @ most)[..., 0], (above @ most + below @ least)[..., 0]
        low, high = (np.where(self.inside, end, 0) for end in ends)
        low, high = np.where(self.outside, np.minimum(low, 0), low), np.where(self.outside, np.maximum(high, 0), high)
        return Ranges(*(end.sum(axis=2).reshape(outputs).astype(np.int64) for end in (low, high)))

    def real_constants(self, bias: npt.NDArray[Any]) -> Ranges:
        """Ranges of sums of floats: those without a weight other than 0 are the bias."""
        is_constant = ~(self.weights != 0).any(axis=(1, 2))
        known = bias.astype(np.float64)
        return Ranges(np.where(is_constant, known, -np.inf), np.where(is_constant, known, np.inf))


def reach(kernel: int, extent: int, results: int, *, stride: int, dilation: int, before: int) -> tuple[Truths, Truths]:
    """For each tap along one dimension, whether it ever lies inside and ever outside of the input."""
    places = np.arange(results, dtype=np.int64)[:, None] * stride + np.arange(kernel) * dilation - before
    inside = (places >= 0) & (places < extent)
    return np.any(inside, axis=0, keepdims=True)[0], np.any(~inside, axis=0, keepdims=True)[0]

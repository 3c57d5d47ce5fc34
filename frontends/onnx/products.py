"""Common parts of sums of products: zero points of weights, and the bias in integers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .node import Node
from .tensors import REACH, Quantised, Weights


def one_zero_point(weights: Weights) -> int | None:
    """The zero point of weights of 8 bits, as they are stored; None if slices have several, or weights other bits."""
    found = set(weights.zero_points.tolist())
    narrow = weights.integers.size == 0 or (weights.integers.min() >= -128 and weights.integers.max() <= 127)
    return found.pop() if len(found) == 1 and narrow else None


def is_integer(data: Quantised, weights: Weights, axis: int, bias: npt.NDArray[np.int64], to: Quantised) -> bool:
    """Whether products are summed in integers: those of 16 bits where no sum leaves int32.

    Args:
        data: of what is multiplied.
        weights: with one zero point.
        axis: of the output channels of the weights.
        bias: of each channel, or empty.
        to: of the results.
    """
    if data.bytes == 1 or to.bytes == 1:
        return data.bytes == to.bytes
    channels = np.moveaxis(weights.integers - weights.zero_points.reshape(-1)[0], axis, 0)
    sums = np.abs(channels.reshape(len(channels), -1)).sum(1)
    most = sums * max(abs(end - data.zero_point) for end in REACH[data.dtype]) + np.abs(bias if bias.size else 0)
    return int(most.max(initial=0)) < 2**31


def bias_of(node: Node, position: int, data: Quantised, weights: Weights) -> npt.NDArray[np.int64] | None:
    """The bias as integers of the sums' scale, empty if there is none; None where it has another scale."""
    tensor = node.optional(position)
    if tensor is None:
        return np.zeros(0, np.int64)
    known = tensor.weights
    if known is None or any(known.zero_points.reshape(-1)):
        return None
    wanted = np.float32(data.scale) * weights.scales
    if not np.allclose(known.scales.reshape(-1), wanted.reshape(-1), rtol=1e-5, atol=0):
        return None
    return known.integers.reshape(-1)

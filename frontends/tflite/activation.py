"""Fused activations as clamp bounds."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import IntegerType

from ...dialects.nn.attributes import ClampAttr
from ...dialects.nn.integers import integer_range
from .node import Node, Unsupported
from .quantisation import quantize_real
from .scales import per_tensor

BOUNDS: dict[int, tuple[float, float]] = {
    0: (-math.inf, math.inf),
    1: (0.0, math.inf),
    2: (-1.0, 1.0),
    3: (0.0, 6.0),
}
"""Real bounds by the schema's `ActivationFunctionType`: NONE, RELU, RELU_N1_TO_1, RELU6."""

OTHER = {4: "TANH", 5: "SIGN_BIT"}
"""Functions of the enumeration that are no clamps."""

MAX_CLAMP = 2**31 - 1
"""Largest bound that a clamp can state."""


def fused_clamp(node: Node) -> ClampAttr | None:
    """The clamp of the operator's output for its fused activation; None for floats without bounds.

    Integers always have one: the type's range, narrowed by the activation's bounds in the output's scale
    (`CalculateActivationRangeQuantized`).

    Raises:
        InputError: no such activation, or the output's quantisation is wrong.
        Unsupported: an activation that is no clamp.
        QuantisationError: a bound does not fit 32 bits.
    """
    activation = node.integer("FusedActivationFunction")
    if activation in OTHER:
        raise Unsupported(f"the fused activation {OTHER[activation]} cannot be compiled")
    if activation not in BOUNDS:
        raise node.malformed(f"there is no activation function {activation}")
    lower, upper = BOUNDS[activation]
    element_type = node.output.element_type.ir
    if not isinstance(element_type, IntegerType):
        return None if activation == 0 else ClampAttr.get(lower, upper)
    least, most = integer_range(element_type)
    if element_type.width.data > 16:
        return _plain_clamp(activation, lower, upper, least, most)
    scale, zero_point = per_tensor(node, node.output)
    if math.isfinite(lower):
        least = max(least, quantize_real(lower, scale, zero_point))
    if math.isfinite(upper):
        most = min(most, quantize_real(upper, scale, zero_point))
    return ClampAttr.get(least, most)


def _plain_clamp(activation: int, lower: float, upper: float, least: int, most: int) -> ClampAttr | None:
    """The clamp of integers without a scale, for which the bounds are what they say."""
    if activation == 0:
        return None
    if most > MAX_CLAMP:
        raise Unsupported("fused activations of 64-bit integers cannot be compiled")
    return ClampAttr.get(least if math.isinf(lower) else int(lower), most if math.isinf(upper) else int(upper))

"""The quantisation of an operator's tensors, checked for the use that the operator makes of it."""

from __future__ import annotations

from .node import Node
from .quantisation import QuantisationError
from .schema import Quantisation, Tensor
from .wrong_scales import wrong_scale


def _quantisation(node: Node, tensor: Tensor) -> Quantisation:
    if tensor.quantisation is None:
        raise node.malformed(f"{tensor} of type {tensor.element_type.name} has no quantisation")
    if (wrong := wrong_scale(tensor, tensor.quantisation)) is not None:
        raise node.malformed(f"{tensor} has the scale {wrong}; scales are positive and finite")
    bits = tensor.element_type.bits
    assert bits is not None, "quantised tensors have elements of a fixed size"
    signed = not tensor.element_type.name.startswith("U")
    least = -(1 << (bits - 1)) if signed else 0
    for zero_point in tensor.quantisation.zero_points:
        if not least <= zero_point < least + (1 << bits):
            raise node.malformed(f"{tensor} has the zero point {zero_point}, outside {tensor.element_type.name}")
    return tensor.quantisation


def per_tensor(node: Node, tensor: Tensor) -> tuple[float, int]:
    """Scale and zero point of a tensor that has one of each.

    Raises:
        InputError: there is none, or there are several.
    """
    quantisation = _quantisation(node, tensor)
    if len(quantisation.scales) != 1:
        raise node.malformed(f"{tensor} has {len(quantisation.scales)} scales, but only filters have several")
    return quantisation.scales[0], quantisation.zero_points[0]


def symmetric_weights(node: Node, tensor: Tensor, axis: int) -> tuple[float, ...]:
    """Scales of weights that have zero point 0: one, or one for each slice along `axis`.

    Raises:
        InputError: there is none, the number or axis is wrong, or a zero point is not 0.
    """
    quantisation = _quantisation(node, tensor)
    count = len(quantisation.scales)
    if count > 1 and (quantisation.dimension != axis or count != tensor.shape[axis]):
        raise node.malformed(
            f"{tensor} of shape {list(tensor.shape)} has {count} scales along axis {quantisation.dimension}, "
            f"expected {tensor.shape[axis]} along axis {axis}"
        )
    if any(quantisation.zero_points):
        raise node.malformed(f"{tensor} has zero points other than 0")
    return quantisation.scales


def symmetric_scale(node: Node, tensor: Tensor) -> float:
    """The scale of weights that have one, and zero point 0.

    Raises:
        InputError: there is none, there are several, or the zero point is not 0.
    """
    scale, zero_point = per_tensor(node, tensor)
    if zero_point:
        raise node.malformed(f"{tensor} has the zero point {zero_point}, expected 0")
    return scale


def same_quantisation(node: Node, first: Tensor, second: Tensor) -> tuple[float, int]:
    """Scale and zero point of two tensors that must agree in them, scales to 1e-6 as TFLite's pooling demands.

    Raises:
        QuantisationError: they do not agree.
    """
    (scale, zero_point), (other_scale, other_zero_point) = per_tensor(node, first), per_tensor(node, second)
    if abs(scale - other_scale) > 1e-6 or zero_point != other_zero_point:
        raise QuantisationError(f"{first} and {second} differ in scale or zero point")
    return other_scale, other_zero_point

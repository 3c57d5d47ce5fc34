"""What operators compute with on int8 elements: checked scales, their factors, and clamps."""

from __future__ import annotations

import math
from typing import Any, Literal

from ...dialects.nn.attributes import ClampAttr
from ..tflite.quantisation import QuantisationError, quantize_real
from .body import Body
from .scale import LEAST, MOST, Scale, as_f32

Activation = Literal["none", "relu", "relu6"]
_BOUNDS: dict[str, tuple[float, float]] = {
    "none": (-math.inf, math.inf),
    "relu": (0.0, math.inf),
    "relu6": (0.0, 6.0),
}


def check_scale(body: Body, scale: Scale | None) -> None:
    """Refuse a scale that is not one; without a scale elements are float32.

    Raises:
        InputError: the scale is not positive, or its zero point is no int8.
    """
    if scale is None:
        return
    if not 0 < as_f32(scale.scale) < math.inf or not LEAST <= scale.zero_point <= MOST:
        raise body.wrong(f"{scale} is no scale: it is positive, its zero point from -128 to 127")


def needed(body: Body, scale: Scale | None, what: str) -> Scale:
    """The scale that an operator must have.

    Raises:
        InputError: it is missing, or not one.
    """
    if scale is None:
        raise body.wrong(f"{what} needs a scale")
    check_scale(body, scale)
    return scale


def factors(body: Body, function: Any, *scales: Any) -> Any:
    """Call a function on scales.

    Raises:
        InputError: they have no factors.
    """
    try:
        return function(*scales)
    except QuantisationError as error:
        raise body.wrong(str(error)) from error


def clamp(body: Body, activation: Activation, scale: Scale | None) -> ClampAttr | None:
    """Bounds of results by their activation; None for floats without one.

    Raises:
        InputError: there is no such activation.
    """
    if activation not in _BOUNDS:
        raise body.wrong(f"there is no activation '{activation}', only {', '.join(_BOUNDS)}")
    lower, upper = _BOUNDS[activation]
    if scale is None:
        return None if activation == "none" else ClampAttr.get(lower, upper)
    least, most = LEAST, MOST
    if math.isfinite(lower):
        least = max(least, quantize_real(lower, as_f32(scale.scale), scale.zero_point))
    if math.isfinite(upper):
        most = min(most, quantize_real(upper, as_f32(scale.scale), scale.zero_point))
    return ClampAttr.get(least, most)

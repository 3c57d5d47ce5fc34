"""How a product with a fixed-point factor is rounded: each source of models has its own rule."""

from __future__ import annotations

from xdsl.utils.str_enum import StrEnum


class Rounding(StrEnum):
    """The three rules, for `value * multiplier * 2**(shift - 31)`."""

    DOUBLE = "double"
    """TensorFlow Lite: the high half of the product is rounded, then what is shifted to the right, halves away from
    zero. TOSA's DOUBLE_ROUND is the same."""
    SINGLE = "single"
    """TOSA's SINGLE_ROUND: the exact product is rounded once, halves up."""
    REAL = "real"
    """ONNX: the value and the product are rounded to float32, then to an integer, halves to even."""

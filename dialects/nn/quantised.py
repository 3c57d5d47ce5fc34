"""Verification of the quantisation attributes that several operator families share."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, Signedness
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from .attributes import ClampAttr, RescaleAttr
from .integers import integer_range
from .interfaces import expect_length, is_quantised

UI8 = IntegerType(8, Signedness.UNSIGNED)
"""Unsigned bytes, the elements of the oldest quantised models."""


def is_scaled(element_type: Attribute) -> bool:
    """Whether integers of this type always stand for reals by a scale: those of 8 and 16 bits."""
    return isinstance(element_type, IntegerType) and element_type.width.data in (8, 16)


def verify_clamp(op: Operation, clamp: ClampAttr | None, element_type: Attribute, *, required: bool = True) -> None:
    """Check a fused activation's bounds against the result's element type.

    Raises:
        VerifyException: integer results need integer bounds inside the type's range, float results float bounds.
    """
    if clamp is None:
        if required and is_quantised(element_type):
            raise VerifyException(f"'{op.name}' op needs a clamp for the quantised result type {element_type}")
        return
    if clamp.is_integer != is_quantised(element_type):
        raise VerifyException(f"'{op.name}' op clamp {clamp} does not fit result elements of type {element_type}")
    if clamp.is_integer:
        (lower, upper), (least, most) = clamp.bounds, integer_range(element_type)
        if lower < least or upper > most:
            raise VerifyException(f"'{op.name}' op clamp {clamp} leaves the range of {element_type}")


def verify_zero_points(op: Operation, zero_points: DenseArrayBase | None, count: int, element_type: Attribute) -> None:
    """Check that quantised operations have `count` zero points and float ones have none."""
    _verify_presence(op, "zero points", zero_points is not None, element_type)
    if zero_points is not None:
        expect_length(op, "zero_points", len(zero_points), count)


def verify_rescale(op: Operation, rescale: RescaleAttr | None, channels: int, element_type: Attribute) -> None:
    """Check that quantised operations have one factor, or one per channel, and float ones have none."""
    _verify_presence(op, "a rescale", rescale is not None, element_type)
    if rescale is not None and len(rescale.multiplier) not in (1, channels):
        raise VerifyException(
            f"'{op.name}' op rescale must have 1 or {channels} multipliers, got {len(rescale.multiplier)}"
        )


def _verify_presence(op: Operation, what: str, present: bool, element_type: Attribute) -> None:
    """Raise VerifyException unless a part of the quantisation is there exactly where elements are quantised."""
    if present and not is_quantised(element_type):
        raise VerifyException(f"'{op.name}' op cannot have {what} for elements of type {element_type}")
    if not present and is_quantised(element_type):
        raise VerifyException(f"'{op.name}' op needs {what} for the quantised type {element_type}")


def verify_quantisation(
    op: Operation,
    zero_points: DenseArrayBase | None,
    rescale: RescaleAttr | None,
    clamp: ClampAttr | None,
    *,
    counts: tuple[int, int],
    element_type: Attribute,
) -> None:
    """Check an operation on plain numbers or quantised ones: it has zero points, factors and a clamp, or none of them.

    Args:
        op: the operation.
        zero_points: as many as the first of `counts`.
        rescale: as many factors as the second one.
        clamp: within the range of the element type.
        counts: how many there must be.
        element_type: of the result.

    Raises:
        VerifyException: one is missing, there are too many, or the elements are no integers.
    """
    given = [part is not None for part in (zero_points, rescale, clamp)]
    if any(given) and not all(given):
        raise VerifyException(f"'{op.name}' op has zero_points, rescale and clamp together or none of them")
    if zero_points is None or rescale is None:
        return
    if not is_quantised(element_type):
        raise VerifyException(f"'{op.name}' op zero points make no sense for elements of type {element_type}")
    expect_length(op, "zero_points", len(zero_points), counts[0])
    expect_length(op, "rescale", len(rescale.multiplier), counts[1])
    verify_clamp(op, clamp, element_type)

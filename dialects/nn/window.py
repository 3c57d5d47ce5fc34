"""Arithmetic of sliding windows: output extents from input extent, kernel, stride, dilation and explicit padding."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from .attributes import ints
from .interfaces import expect_length

FARTHEST = 2**31 - 1
"""Largest place that a window may reach: the loops count in 32 bits."""


def effective_kernel(kernel: int, dilation: int) -> int:
    """Extent of a dilated kernel in input elements."""
    return (kernel - 1) * dilation + 1


def window_extent(extent: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int]) -> int:
    """Number of window positions along one dimension, as in TOSA's `conv2d` (pads before and after)."""
    return (extent + pads[0] + pads[1] - effective_kernel(kernel, dilation)) // stride + 1


def infer_window_shape(
    op: Operation,
    extents: Sequence[int],
    kernel: Sequence[int],
    strides: DenseArrayBase,
    pads: DenseArrayBase,
    dilations: Sequence[int],
) -> tuple[int, int]:
    """Output height and width of a 2-D window.

    Raises:
        VerifyException: wrong lengths, non-positive strides or dilations, negative pads, or a window larger than the
            padded input.
    """
    expect_length(op, "strides", len(strides), 2)
    expect_length(op, "pads", len(pads), 4)
    expect_length(op, "dilations", len(dilations), 2)
    if min(*ints(strides), *dilations, *kernel) < 1:
        raise VerifyException(f"'{op.name}' op kernel, strides and dilations must be at least 1")
    if min(ints(pads)) < 0:
        raise VerifyException(f"'{op.name}' op pads must not be negative")
    top, bottom, left, right = ints(pads)
    (stride_y, stride_x) = ints(strides)
    for d, (extent, before, after) in enumerate(((extents[0], top, bottom), (extents[1], left, right))):
        reach = extent + before + after + effective_kernel(kernel[d], dilations[d]) + dilations[d] + ints(strides)[d]
        if reach > FARTHEST:
            raise VerifyException(
                f"'{op.name}' op window of strides {list(ints(strides))} and dilations {list(dilations)} reaches "
                f"beyond {FARTHEST} elements"
            )
    height = window_extent(extents[0], kernel[0], stride_y, dilations[0], (top, bottom))
    width = window_extent(extents[1], kernel[1], stride_x, dilations[1], (left, right))
    if height < 1 or width < 1:
        raise VerifyException(
            f"'{op.name}' op window {list(kernel)} does not fit the input {list(extents)} padded by {list(ints(pads))}"
        )
    return height, width

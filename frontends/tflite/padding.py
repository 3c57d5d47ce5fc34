"""TFLite's padding schemes as explicit rows and columns."""

from __future__ import annotations

from collections.abc import Sequence

SAME, VALID = 0, 1
"""The schema's `Padding`."""


def explicit_padding(extent: int, kernel: int, stride: int, dilation: int, scheme: int) -> tuple[int, int]:
    """Elements outside the input before and after it, along one dimension.

    SAME gives `ceil(extent / stride)` outputs and puts the odd element after (`ComputePaddingWithOffset`); VALID pads
    nothing.
    """
    if scheme == VALID:
        return 0, 0
    outputs = -(-extent // stride)
    total = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - extent, 0)
    return total // 2, total - total // 2


def explicit_pads(
    extents: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int], scheme: int
) -> tuple[int, int, int, int]:
    """Top, bottom, left, right for a 2-D window; each argument in the order height, width."""
    top, bottom = explicit_padding(extents[0], kernel[0], strides[0], dilations[0], scheme)
    left, right = explicit_padding(extents[1], kernel[1], strides[1], dilations[1], scheme)
    return top, bottom, left, right

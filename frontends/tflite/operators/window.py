"""Options that every sliding window has: strides and the padding scheme."""

from __future__ import annotations

from ..node import Node
from ..padding import SAME, VALID
from ..schema import Tensor


def rank4(node: Node, tensor: Tensor) -> tuple[int, int, int, int]:
    """The NHWC extents of a tensor that must have four."""
    if len(tensor.shape) != 4:
        raise node.malformed(f"{tensor} has shape {list(tensor.shape)}, expected 4 extents")
    batch, height, width, channels = tensor.shape
    return batch, height, width, channels


def strides_of(node: Node) -> tuple[int, int]:
    """Vertical and horizontal stride."""
    return node.positive("StrideH"), node.positive("StrideW")


def padding_scheme(node: Node) -> int:
    """SAME or VALID."""
    scheme = node.integer("Padding")
    if scheme not in (SAME, VALID):
        raise node.malformed(f"there is no padding scheme {scheme}")
    return scheme

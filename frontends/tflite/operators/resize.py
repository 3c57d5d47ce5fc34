"""Images of another size: RESIZE_NEAREST_NEIGHBOR, RESIZE_BILINEAR."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects.nn.resize import Resize, ResizeBilinearOp, ResizeNearestOp
from ..node import Node, tensor_type
from .movement import TYPES, expect_output
from .registry import operator
from .window import rank4

WEIGHTED = ("FLOAT32", "INT8", "UINT8", "INT16")
"""Types whose elements have means."""


@operator("RESIZE_NEAREST_NEIGHBOR", inputs=2, types=TYPES)
def resize_nearest(node: Node) -> Operation:
    """Each element from the nearest one."""
    return _resize(node, ResizeNearestOp, TYPES)


@operator("RESIZE_BILINEAR", inputs=2, types=WEIGHTED)
def resize_bilinear(node: Node) -> Operation:
    """Each element from the four nearest ones."""
    return _resize(node, ResizeBilinearOp, WEIGHTED)


def _resize(node: Node, kind: type[Resize], types: Sequence[str]) -> Operation:
    data = node.input(0)
    node.check_same_type((data, node.output), types)
    batch, _, _, channels = rank4(node, data)
    size = node.integers(node.input(1))
    if len(size) != 2 or min(size) < 1:
        raise node.malformed(f"{size} is no height and width")
    expect_output(node, [batch, *size, channels])
    return node.emit(
        kind(
            node.value(data),
            tensor_type(node.output),
            align_corners=bool(node.integer("AlignCorners")),
            half_pixel_centers=bool(node.integer("HalfPixelCenters")),
        )
    )

"""Windows of convolutions and pools: ONNX's attributes as explicit numbers in two dimensions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..reasons import Unsupported
from .node import Node


@dataclass(frozen=True)
class Window:
    """A window of two dimensions; with one dimension the first has a single element."""

    kernel: tuple[int, int]
    strides: tuple[int, int]
    pads: tuple[int, int, int, int]
    """Top, bottom, left, right."""
    dilations: tuple[int, int]
    result: tuple[int, ...]
    """Extents of the result in space."""
    own: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The pads without what lies beyond them, where the number of windows is rounded up."""


def window_of(node: Node, space: tuple[int, ...], kernel: tuple[int, ...], *, ceil: bool = False) -> Window:
    """The window of an operator over `space`."""
    rank = len(space)
    if rank not in (1, 2):
        raise Unsupported(f"windows of {rank} dimensions cannot be compiled")
    strides = [int(v) for v in node.attributes.get("strides", [1] * rank)]
    dilations = [int(v) for v in node.attributes.get("dilations", [1] * rank)]
    given = [int(v) for v in node.attributes.get("pads", [0] * 2 * rank)]
    if len(kernel) != rank or len(strides) != rank or len(dilations) != rank or len(given) != 2 * rank:
        raise node.malformed("the window's attributes have several lengths")
    if min(*strides, *dilations, *kernel) < 1 or min(given) < 0:
        raise node.malformed("the window's attributes must be positive")
    auto = node.attributes.get("auto_pad", "NOTSET")
    pads: list[tuple[int, int]] = []
    own: list[tuple[int, int]] = []
    result: list[int] = []
    for axis in range(rank):
        reach = (kernel[axis] - 1) * dilations[axis] + 1
        before, after = given[axis], given[axis + rank]
        if auto in ("SAME_UPPER", "SAME_LOWER"):
            count = math.ceil(space[axis] / strides[axis])
            missing = max((count - 1) * strides[axis] + reach - space[axis], 0)
            before, after = missing // 2, missing - missing // 2
            if auto == "SAME_LOWER":
                before, after = after, before
        elif auto == "VALID":
            before = after = 0
        own.append((before, after))
        whole = space[axis] + before + after - reach
        count = (math.ceil(whole / strides[axis]) if ceil else whole // strides[axis]) + 1
        if ceil and (count - 1) * strides[axis] >= space[axis] + before:
            count -= 1
        if ceil:
            after = max(after, (count - 1) * strides[axis] + reach - space[axis] - before)
        if count < 1:
            raise node.malformed(f"the window {list(kernel)} does not fit {list(space)}")
        result.append(count)
        pads.append((before, after))
    if rank == 1:
        pads, own = [(0, 0), *pads], [(0, 0), *own]
        strides, dilations, kernel = [1, *strides], [1, *dilations], (1, *kernel)
    (top, bottom), (left, right) = pads
    return Window(
        (kernel[0], kernel[1]),
        (strides[0], strides[1]),
        (top, bottom, left, right),
        (dilations[0], dilations[1]),
        tuple(result),
        (*own[0], *own[1]),
    )

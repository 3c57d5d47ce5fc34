"""STRIDED_SLICE: NumPy's slices, with masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from ..node import Node, Unsupported, tensor_type
from .movement import TYPES, data_of, expect_output
from .registry import operator


@dataclass(frozen=True)
class Part:
    """Settings of the operator for one dimension of the input."""

    begin: int
    extent: int
    step: int
    shrinks: bool
    """Whether the result lacks the dimension."""


@operator("STRIDED_SLICE", inputs=4, types=TYPES)
def strided_slice(node: Node) -> Operation:
    """Elements from a first one on in steps; then dimensions go, and new ones of extent 1 come."""
    data = data_of(node)
    begin, end, step = (node.integers(node.input(position)) for position in (1, 2, 3))
    if not len(begin) == len(end) == len(step):
        raise node.malformed(f"begin {begin}, end {end} and strides {step} have different lengths")
    if 0 in step:
        raise node.malformed(f"the strides {step} must not be 0")
    parts, shape = _parts(node, data.shape, begin, end, step)
    if 0 in shape:
        raise Unsupported("the result has no elements")
    expect_output(node, shape)
    cut = node.emit(
        SliceOp(
            node.value(data),
            [part.begin for part in parts],
            [part.step for part in parts],
            [part.extent for part in parts],
        )
    )
    if tuple(part.extent for part in parts) == node.output.shape:
        return cut
    return node.emit(ReshapeOp(cut.results[0], tensor_type(node.output)))


def _parts(
    node: Node, given: Sequence[int], begin: Sequence[int], end: Sequence[int], step: Sequence[int]
) -> tuple[list[Part], list[int]]:
    """A part for each dimension of the input, and the shape of the result."""

    def masked(field: str, entry: int) -> bool:
        return bool(node.integer(field) >> entry & 1)

    entries = range(len(begin))
    ellipses = [entry for entry in entries if masked("EllipsisMask", entry)]
    fresh = [entry for entry in entries if masked("NewAxisMask", entry) and entry not in ellipses]
    if len(ellipses) > 1:
        raise node.malformed("there are several ellipses")
    covered = len(begin) - len(ellipses) - len(fresh)
    if covered > len(given):
        raise node.malformed(f"{covered} slices do not fit shape {list(given)}")
    rest = len(given) - covered
    parts: list[Part] = []
    shape: list[int] = []

    def whole(count: int) -> None:
        for _ in range(count):
            extent = given[len(parts)]
            parts.append(Part(0, extent, 1, False))
            shape.append(extent)

    for entry in entries:
        if entry in ellipses:
            whole(rest)
        elif entry in fresh:
            shape.append(1)
        else:
            first = None if masked("BeginMask", entry) else begin[entry]
            last = None if masked("EndMask", entry) else end[entry]
            if masked("ShrinkAxisMask", entry):
                index = node.axis(0 if first is None else first, given[len(parts)])
                parts.append(Part(index, 1, 1, True))
                continue
            if node.integer("Offset") and last is not None:
                last += begin[entry]
            picked = range(given[len(parts)])[first : last : step[entry]]
            parts.append(Part(picked.start if picked else 0, len(picked), step[entry], False))
            shape.append(len(picked))
    if not ellipses:
        whole(rest)
    return parts, shape

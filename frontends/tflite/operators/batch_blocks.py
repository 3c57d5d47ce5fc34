"""SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: blocks of pixels to and from the batch."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.padding import PadOp
from ....dialects.nn.rearrange import TransposeOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from ..node import Node, tensor_type
from ..scales import per_tensor
from ..schema import Tensor
from .movement import TYPES, data_of, expect_output
from .registry import operator


@operator("SPACE_TO_BATCH_ND", inputs=3, types=TYPES)
def space_to_batch(node: Node) -> Operation:
    """A margin; then the place within a block becomes the slowest part of the batch."""
    data = data_of(node)
    block, before, after = _geometry(node, data)
    batch, rest = data.shape[0], data.shape[len(block) + 1 :]
    padded = [a + extent + b for a, extent, b in zip(before, data.shape[1:], after, strict=False)]
    if any(extent % size for extent, size in zip(padded, block, strict=True)):
        raise node.malformed(f"extents {padded} are no multiples of the blocks {block}")
    blocks = [extent // size for extent, size in zip(padded, block, strict=True)]
    expect_output(node, (batch * math.prod(block), *blocks, *rest))
    value = node.value(data)
    if any(before) or any(after):
        value = _pad(node, value, before, after, tensor_type(data, (batch, *padded, *rest)))
    pairs = [extent for pair in zip(blocks, block, strict=True) for extent in pair]
    rank = len(block)
    order = [*range(2, 2 * rank + 1, 2), 0, *range(1, 2 * rank + 1, 2), *range(2 * rank + 1, 2 * rank + 1 + len(rest))]
    return _through(node, value, (batch, *pairs, *rest), order, node.output.shape)


@operator("BATCH_TO_SPACE_ND", inputs=3, types=TYPES)
def batch_to_space(node: Node) -> Operation:
    """The slowest part of the batch becomes the place within a block; then margins are cut off."""
    data = data_of(node)
    block, before, after = _geometry(node, data)
    if data.shape[0] % math.prod(block):
        raise node.malformed(f"a batch of {data.shape[0]} is no multiple of the blocks {block}")
    rank = len(block)
    batch, blocks, rest = data.shape[0] // math.prod(block), data.shape[1 : rank + 1], data.shape[rank + 1 :]
    full = [a * b for a, b in zip(blocks, block, strict=True)]
    cut = [extent - a - b for extent, a, b in zip(full, before, after, strict=True)]
    if min(cut, default=1) < 1:
        raise node.malformed(f"the crops leave extents {cut}")
    expect_output(node, (batch, *cut, *rest))
    order = [rank, *(d for i in range(rank) for d in (rank + 1 + i, i)), *range(2 * rank + 1, 2 * rank + 1 + len(rest))]
    whole = _through(node, node.value(data), (*block, batch, *blocks, *rest), order, (batch, *full, *rest))
    if cut == full:
        return whole
    begin = [0, *before, *(0 for _ in rest)]
    return node.emit(SliceOp(whole.results[0], begin, [1] * len(begin), node.output.shape))


def _geometry(node: Node, data: Tensor) -> tuple[list[int], list[int], list[int]]:
    """Blocks, and what is added or cut before and after, for each dimension behind the batch that has a block."""
    block, margins = node.integers(node.input(1)), node.integers(node.input(2))
    if not 1 <= len(block) < len(data.shape) or len(margins) != 2 * len(block):
        raise node.malformed(f"blocks {block} and margins {margins} do not fit shape {list(data.shape)}")
    if min(block) < 1 or min(margins) < 0:
        raise node.malformed(f"blocks {block} or margins {margins} are too small")
    return block, margins[::2], margins[1::2]


def _pad(node: Node, value: SSAValue, before: list[int], after: list[int], type_: TensorType) -> SSAValue:
    """A margin of zeros; TFLite Micro, which knows no unsigned bytes, ignores zero points here."""
    rest = len(type_.get_shape()) - 1 - len(before)
    is_legacy = node.output.element_type.name == "UINT8" and node.output.quantisation is not None
    margin = per_tensor(node, node.output)[1] if is_legacy else 0
    element = tensor_type(node.output).element_type
    fill = IntegerAttr(margin, element) if isinstance(element, IntegerType) else FloatAttr(0.0, element)
    made = PadOp(value, [0, *before, *[0] * rest], [0, *after, *[0] * rest], fill, type_)
    return node.emit(made).results[0]


def _through(
    node: Node, value: SSAValue, split: tuple[int, ...], order: list[int], joined: tuple[int, ...]
) -> Operation:
    """The elements under a shape of more dimensions, transposed, then under a shape of fewer."""
    element = tensor_type(node.output).element_type

    def shaped(given: SSAValue, shape: tuple[int, ...]) -> Operation:
        return node.emit(ReshapeOp(given, TensorType(element, shape)))

    wide = value if shape_of(value) == split else shaped(value, split).results[0]
    return shaped(node.emit(TransposeOp(wide, order)).results[0], joined)

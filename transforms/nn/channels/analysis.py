"""Ranges of every value of a block of `nn` operations, forwards; nothing is known of its arguments but their types."""

from __future__ import annotations

import math
from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, SSAValue

from ....dialects.nn.interfaces import HasRanges, channels_of, element_type_of, shape_of
from ....dialects.nn.ranges import Ranges


def is_dense(value: SSAValue) -> bool:
    """Whether a value is a tensor with elements and a shape that is known."""
    return isinstance(value.type, TensorType) and math.prod(shape_of(value), start=1) > 0


def block_ranges(block: Block) -> Mapping[SSAValue, Ranges]:
    """Least and most of each channel of every tensor that has elements."""
    found: dict[SSAValue, Ranges] = {}

    def of(value: SSAValue) -> Ranges:
        return found[value] if value in found else Ranges.everything(_element(value), channels_of(value))

    for argument in filter(is_dense, block.args):
        found[argument] = of(argument)
    for op in block.ops:
        if all(map(is_dense, (*op.operands, *op.results))) and isinstance(op, HasRanges):
            found.update(zip(op.results, op.ranges([of(operand) for operand in op.operands]), strict=True))
        for result in filter(is_dense, op.results):
            found.setdefault(result, of(result))
    return found


def _element(value: SSAValue) -> Attribute:
    return element_type_of(value)

"""Ranges of every value of a block of `nn` operations, forwards; nothing is known of its arguments but their types."""

from __future__ import annotations

import math
from collections.abc import Mapping

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Block, SSAValue

from ....dialects.nn.interfaces import HasRanges, channels_of, element_type_of, shape_of
from ....dialects.nn.ranges import Ranges

MOST_CHANNELS = 1 << 20
"""Channels of a tensor up to which each one is looked at."""


def is_narrow(block: Block) -> bool:
    """Whether no tensor of a block has more channels than can be looked at."""
    values = (*block.args, *(result for op in block.ops for result in op.results))
    return all(channels_of(value) <= MOST_CHANNELS for value in filter(is_dense, values))


def is_dense(value: SSAValue) -> bool:
    """Whether a value is a tensor with elements and a shape that is known."""
    return isinstance(value.type, TensorType) and math.prod(shape_of(value), start=1) > 0


def block_ranges(block: Block, given: Mapping[SSAValue, Ranges] | None = None) -> Mapping[SSAValue, Ranges]:
    """Least and most of each channel of every tensor that has elements; `given` says it of arguments."""
    found = dict(given or {})
    for argument in filter(is_dense, block.args):
        found.setdefault(argument, _everything(argument))
    for op in block.ops:
        if all(map(_has_ranges, op.results)) and all(map(is_dense, op.operands)) and isinstance(op, HasRanges):
            operands = [found[one] if one in found else _everything(one) for one in op.operands]
            found.update(zip(op.results, op.ranges(operands), strict=True))
        for result in filter(is_dense, op.results):
            found.setdefault(result, _everything(result))
    return found


def _has_ranges(value: SSAValue) -> bool:
    """Truth values can always be both."""
    return is_dense(value) and element_type_of(value) != i1


def _everything(value: SSAValue) -> Ranges:
    return Ranges.everything(element_type_of(value), channels_of(value))

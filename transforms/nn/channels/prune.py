"""Operations with the channels that stay: fewer constants, smaller results, the rest as it was."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects import nn_keys
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import ints
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.conv import DepthwiseConv2DOp
from ....dialects.nn.interfaces import Elementwise, channels_of, element_type_of, shape_of
from ....dialects.nn.padding import PadOp
from ....dialects.nn.removed import Removal, RemovedAttr
from ....dialects.nn.slicing import SliceOp
from .narrow import array_of, keep_outputs, replace
from .need import Need


def prune(need: Need) -> None:
    """Rewrite the operations of a block whose operands or results have fewer channels now."""
    ops = [op for op in need.block.ops if op in need.links]
    # While all values have their old types.
    touched = [op for op in ops if any(map(need.shrinks, (*op.operands, *op.results)))]
    for op in touched:
        _record(op, need)
        if isinstance(op, Accumulate):
            _prune_sums(op, need)
        elif isinstance(op, Elementwise):
            _prune_constants(op, need)
        elif isinstance(op, SliceOp):
            _prune_slice(op, need)
        elif isinstance(op, PadOp):
            _prune_margins(op, need)
    for op in touched:
        for result in op.results:
            if need.shrinks(result):
                kept = int(need.kept[result].sum())
                shape = (*shape_of(result)[:-1], kept)
                Rewriter.replace_value_with_new_type(result, TensorType(cast(Any, element_type_of(result)), shape))


def _record(op: Operation, need: Need) -> None:
    """Leave on the operation what can be judged again."""
    if isinstance(op, Accumulate):
        nn_keys.MACS_WITHOUT.put(op.attributes, op.macs())
        nn_keys.WEIGHTS_WITHOUT.put(op.attributes, array_of(op.filter).nbytes)
    if any(map(need.shrinks, op.results)):
        records = [RemovedAttr.get(channels_of(result), _removals(result, need)) for result in op.results]
        nn_keys.REMOVED.put(op.attributes, records)


def _removals(value: SSAValue, need: Need) -> list[Removal]:
    ranges, kept = need.ranges[value], need.kept[value]
    numbers = need.numbers[value].tolist()
    staying: dict[int, int] = {}
    for channel in np.flatnonzero(kept).tolist():
        staying.setdefault(numbers[channel], channel)
    found: list[Removal] = []
    for channel in np.flatnonzero(~kept).tolist():
        least, most = ranges.least[channel].item(), ranges.most[channel].item()
        if not ranges.is_real:
            found.append(Removal(channel, least, most, staying.get(numbers[channel], -1)))
        else:
            found.append(Removal(channel, *((0, 0) if least == most == 0 else (1, 0))))
    return found


def _prune_sums(op: Accumulate, need: Need) -> None:
    rows, input = need.kept[op.output], need.kept[op.input]
    if op in need.products:
        keep_outputs(op, rows, *need.products[op].without(input, rows))
        return
    keep_outputs(op, rows)
    if not isinstance(op, DepthwiseConv2DOp):
        # Groups go as a whole: those that stay have all their channels.
        kept, inputs = shape_of(op.filter)[0], shape_of(op.filter)[-1]
        assert kept % (int(input.sum()) // inputs) == 0, "groups stay whole"


def _prune_constants(op: Operation, need: Need) -> None:
    """Constants have the channels of the result, or one for all."""
    rows = need.kept[op.results[0]]
    for position, operand in enumerate(op.operands):
        if isinstance(operand.owner, ConstantOp) and channels_of(operand) == len(rows) > 1:
            replace(op, position, operand.owner.array[..., rows])


def _prune_slice(op: SliceOp, need: Need) -> None:
    begin = list(ints(op.begin))
    begin[-1] = int(need.kept[op.input][: begin[-1]].sum())
    op.properties["begin"] = DenseArrayBase.from_list(i64, begin)


def _prune_margins(op: PadOp, need: Need) -> None:
    before, after, kept = list(ints(op.before)), list(ints(op.after)), need.kept[op.output]
    behind = before[-1] + channels_of(op.input)
    before[-1], after[-1] = int(kept[: before[-1]].sum()), int(kept[behind:].sum())
    op.properties["before"], op.properties["after"] = (DenseArrayBase.from_list(i64, each) for each in (before, after))

"""Operations with the channels that stay: fewer constants, smaller results, the rest as it was."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, TensorType, f32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects import nn_keys
from ....dialects.fx.fixed_point_arrays import Truths
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import RescaleAttr, ints
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.conv import DepthwiseConv2DOp
from ....dialects.nn.interfaces import Elementwise, channels_of, element_type_of, shape_of
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.padding import PadOp
from ....dialects.nn.removed import Removal, RemovedAttr
from ....dialects.nn.slicing import SliceOp
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
        nn_keys.WEIGHTS_WITHOUT.put(op.attributes, _array(op.filter).nbytes)
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
    taps = op.taps()
    assert taps is not None, "has links"
    if op in need.products:
        weights, bias = need.products[op].without(input, rows)
    else:
        weights, bias = taps.weights[rows], None
        if not isinstance(op, DepthwiseConv2DOp):
            # Groups go as a whole: those that stay have all their channels.
            assert len(weights) % (int(input.sum()) // weights.shape[2]) == 0, "groups stay whole"
    filter = _in_layout(op, weights, shape_of(op.filter))
    _replace(op, 1, filter)
    if bias is None:
        old = None if op.bias is None else _array(op.bias)
        bias = None if old is None else old[rows]
    if op.bias is not None and bias is not None:
        _replace(op, 2, bias)
    elif bias is not None and bias.any():
        _add_bias(op, bias)
    _prune_factors(op, rows)


def _in_layout(op: Accumulate, weights: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The filter of the operation's own shape, from [output channels, taps, input channels]."""
    outputs, _, inputs = weights.shape
    if isinstance(op, FullyConnectedOp):
        return weights.reshape(outputs, inputs)
    spatial = weights.reshape(outputs, *shape[1:3], inputs)
    return spatial.transpose(3, 1, 2, 0) if isinstance(op, DepthwiseConv2DOp) else spatial


def _prune_factors(op: Accumulate, rows: Truths) -> None:
    rescale = op.rescale
    if rescale is not None and rescale.is_per_channel:
        numbers = np.flatnonzero(rows).tolist()
        multipliers, shifts = ([each[n] for n in numbers] for each in (rescale.multipliers, rescale.shifts))
        op.properties["rescale"] = RescaleAttr.get(multipliers, shifts, rescale.rounding)
    scales = op.filter_scales
    if scales is not None and len(scales) > 1:
        chosen = [scales.get_values()[n] for n in np.flatnonzero(rows).tolist()]
        op.properties["filter_scales"] = DenseArrayBase.from_list(f32, chosen)


def _add_bias(op: Accumulate, bias: npt.NDArray[Any]) -> None:
    constant = _constant(bias, op.accumulator, op.filter)
    _before(op, constant)
    op.operands = (*op.operands[:2], constant.result, *op.operands[2:])


def _prune_constants(op: Operation, need: Need) -> None:
    """Constants have the channels of the result, or one for all."""
    rows = need.kept[op.results[0]]
    for position, operand in enumerate(op.operands):
        if isinstance(operand.owner, ConstantOp) and channels_of(operand) == len(rows) > 1:
            _replace(op, position, operand.owner.array[..., rows])


def _prune_slice(op: SliceOp, need: Need) -> None:
    begin = list(ints(op.begin))
    begin[-1] = int(need.kept[op.input][: begin[-1]].sum())
    op.properties["begin"] = DenseArrayBase.from_list(i64, begin)


def _prune_margins(op: PadOp, need: Need) -> None:
    before, after, kept = list(ints(op.before)), list(ints(op.after)), need.kept[op.output]
    behind = before[-1] + channels_of(op.input)
    before[-1], after[-1] = int(kept[: before[-1]].sum()), int(kept[behind:].sum())
    op.properties["before"], op.properties["after"] = (DenseArrayBase.from_list(i64, each) for each in (before, after))


def _array(value: SSAValue) -> npt.NDArray[Any]:
    assert isinstance(value.owner, ConstantOp), "has links"
    return value.owner.array


def _replace(op: Operation, position: int, array: npt.NDArray[Any]) -> None:
    """Read another constant instead of one, unless it is the same."""
    old = op.operands[position]
    if array.shape == shape_of(old) and (array == _array(old)).all():
        return
    constant = _constant(array, element_type_of(old), old)
    _before(op, constant)
    op.operands[position] = constant.result


def _constant(array: npt.NDArray[Any], element: Attribute, like: SSAValue) -> ConstantOp:
    constant = ConstantOp.of(array, element)
    assert isinstance(like.owner, ConstantOp), "has links"
    name = nn_keys.NAME.get(like.owner.attributes)
    if name is not None:
        nn_keys.NAME.put(constant.attributes, name)
    constant.result.name_hint = like.name_hint
    return constant


def _before(op: Operation, made: Operation) -> None:
    block = op.parent_block()
    assert block is not None, "operations of a block are pruned"
    block.insert_op_before(made, op)

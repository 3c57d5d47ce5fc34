"""Products with some of their output channels: fewer weights, biases and factors, nothing else changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, f32
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import nn_keys
from ....dialects.fx.fixed_point_arrays import Truths
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import RescaleAttr
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.conv import DepthwiseConv2DOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.matmul import FullyConnectedOp


def is_plain(op: Accumulate) -> bool:
    """Whether the scales are the operation's own, and the bias is known."""
    return op.hybrid is None and (op.bias is None or isinstance(op.bias.owner, ConstantOp))


def keep_outputs(
    op: Accumulate,
    rows: Truths,
    weights: npt.NDArray[Any] | None = None,
    bias: npt.NDArray[Any] | None = None,
) -> None:
    """Let a product of constants compute some output channels; the type of its result stays to be changed.

    Args:
        op: the product, plain and with taps.
        rows: for each output channel whether it stays.
        weights: those that stay, [output channels, taps, input channels], if not the operation's own.
        bias: that of the channels that stay, likewise.
    """
    taps = op.taps()
    assert taps is not None, "asked before"
    replace(op, 1, _in_layout(op, taps.weights[rows] if weights is None else weights, shape_of(op.filter)))
    if bias is None and op.bias is not None:
        bias = array_of(op.bias)[rows]
    if op.bias is not None and bias is not None:
        replace(op, 2, bias)
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


def array_of(value: SSAValue) -> npt.NDArray[Any]:
    assert isinstance(value.owner, ConstantOp), "has links"
    return value.owner.array


def replace(op: Operation, position: int, array: npt.NDArray[Any]) -> None:
    """Read another constant instead of one, unless it is the same."""
    old = op.operands[position]
    if array.shape == shape_of(old) and (array == array_of(old)).all():
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

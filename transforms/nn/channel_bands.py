"""A product and what follows channel by channel, such as the mean of an image, computed some channels at a time.

All of the product's operand stays until the last channels are computed. Of everything else only the results are whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...dialects.nn.accumulate import Accumulate
from ...dialects.nn.interfaces import ByChannel, channels_of, element_type_of, shape_of
from ...dialects.nn.joining import ConcatOp
from .channels.narrow import is_plain, keep_outputs


def is_by_channels(operators: Sequence[Operation]) -> bool:
    """Whether neighbouring operators are a product of constants and what keeps its channels apart.

    The result of each but the last one is used by the next one alone.
    """
    return (
        len(operators) > 1
        and isinstance(product := operators[0], Accumulate)
        and is_plain(product)
        and (taps := product.taps()) is not None
        and taps.groups == 1
        and all(isinstance(op, ByChannel) and op.keeps_channels() for op in operators[1:])
        and all(after.operands[0] is before.results[0] for before, after in pairwise(operators))
        and all(op.results[0].has_one_use() for op in operators[:-1])
    )


def channels_of_product(operators: Sequence[Operation]) -> int:
    """Channels that can be computed one after the other."""
    return channels_of(operators[0].results[0])


def split_channels(operators: Sequence[Operation], count: int, numbers: Iterator[int]) -> None:
    """Compute the last result in so many bands of channels, which are numbered."""
    channels, last = channels_of_product(operators), operators[-1]
    ends = [channels * n // count for n in range(count + 1)]
    made = [_band(operators, begin, end, next(numbers)) for begin, end in pairwise(ends)]
    result = last.results[0]
    whole = ConcatOp(
        [op.results[0] for op in made], len(shape_of(result)) - 1, TensorType(element_type_of(result), shape_of(result))
    )
    whole.output.name_hint = result.name_hint
    Rewriter.insert_op(whole, InsertPoint.after(last))
    result.replace_all_uses_with(whole.output)
    for op in reversed(operators):
        Rewriter.erase_op(op)


def _band(operators: Sequence[Operation], begin: int, end: int, number: int) -> Operation:
    """Some channels of the last result, computed before the last operator."""
    product, *others = operators
    assert isinstance(product, Accumulate), "asked before"
    kept = np.zeros(channels_of(product.output), np.bool_)
    kept[begin:end] = True
    made: Operation = product.clone()
    Rewriter.insert_op(made, InsertPoint.before(operators[-1]))
    keep_outputs(made, kept)
    for op in others:
        _narrow(made, end - begin, number)
        made = op.clone({op.operands[0]: made.results[0]})
        Rewriter.insert_op(made, InsertPoint.before(operators[-1]))
    _narrow(made, end - begin, number)
    return made


def _narrow(op: Operation, channels: int, number: int) -> None:
    nn_keys.BAND.put(op.attributes, number)
    (result,) = op.results
    Rewriter.replace_value_with_new_type(
        result, TensorType(element_type_of(result), [*shape_of(result)[:-1], channels])
    )

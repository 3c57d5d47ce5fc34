"""Which channels of an operation's operands and results stay or go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, SSAValue

from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import ints
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.interfaces import ByChannel, Elementwise, channels_of, shape_of
from ....dialects.nn.movement import Movement
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from ....dialects.nn.taps import Taps
from .analysis import is_dense
from .narrow import is_plain

Channels: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Link:
    """Channels of an operand and of a result that are there together, pair by pair."""

    operand: SSAValue
    sources: Channels
    result: SSAValue
    targets: Channels
    places: Channels | None = None
    """For reshapes, which of several places each pair belongs to."""


def links(op: Operation) -> Sequence[Link] | None:
    """Return the links of an operation that has a form for any number of channels; None for others.

    Products that mix all channels have none; constants of elementwise operations follow the result.
    """
    if not op.results or not all(map(is_dense, (*op.operands, *op.results))):
        return None
    if any(not shape_of(result) for result in op.results):
        return None
    if isinstance(op, Accumulate):
        taps = op.taps()
        return None if taps is None or not is_plain(op) else list(_of_groups(op, taps))
    if isinstance(op, Elementwise):
        return _elementwise(op)
    if isinstance(op, ByChannel):
        return [_same(op.operands[0], op.results[0])] if op.keeps_channels() else None
    if isinstance(op, ReshapeOp):
        return _reshaped(op)
    return _moved(op) if isinstance(op, Movement) else None


def _of_groups(op: Accumulate, taps: Taps) -> Iterator[Link]:
    if taps.groups == 1:
        return
    outputs, inputs = taps.weights.shape[0] // taps.groups, taps.weights.shape[2]
    index = np.indices((taps.groups, outputs, inputs)).reshape(3, -1)
    sources, targets = index[0] * inputs + index[2], index[0] * outputs + index[1]
    yield Link(op.input, sources, op.output, targets)


def _same(operand: SSAValue, result: SSAValue) -> Link:
    every = np.arange(channels_of(result))
    return Link(operand, every, result, every)


def _elementwise(op: Operation) -> Sequence[Link] | None:
    (result,) = op.results
    found: list[Link] = []
    for operand in op.operands:
        width = channels_of(operand)
        if isinstance(operand.owner, ConstantOp) or (width == 1 and channels_of(result) > 1):
            continue
        found.append(_same(operand, result))
    return found


def _reshaped(op: ReshapeOp) -> Sequence[Link] | None:
    given, made = channels_of(op.input), channels_of(op.output)
    if not shape_of(op.input) or (given % made and made % given):
        return None
    every = np.arange(max(given, made))
    return [Link(op.input, every % given, op.output, every % made, every // given)]


def _moved(op: Movement) -> Sequence[Link] | None:
    moves = op.channel_moves()
    if moves is None or (isinstance(op, SliceOp) and _skips(op)):
        return None
    return [
        Link(op.operands[move.operand], move.sources, op.results[move.result], move.targets)
        for move in moves
        if move.sources is not None
    ]


def _skips(op: SliceOp) -> bool:
    """Whether channels between those that are taken are left out, or turned round."""
    return ints(op.step)[-1] != 1

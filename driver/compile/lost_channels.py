"""Channels that a network lost, by operator: read off the records that `nn-channels` leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import nn_keys
from ...dialects.nn.accumulate import Accumulate
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.interfaces import HasMacs, shape_of
from ...dialects.operations import operations
from ...targets.interfaces.description import LostChannels

HEADS = ("index", "operator", "channels", "MACs", "weights", "constant", "unused", "twin")
"""Columns of the table of what went, by operator."""
SUMS = 5
"""How many of them come before those with numbers of channels."""
NONE = "-"
"""Stands for no channels there."""


def lost_channels(module: ModuleOp) -> tuple[LostChannels, ...]:
    """Every product, and every other operator whose result lost channels; none if nothing went.

    Args:
        module: at level `nn`, after the clean-ups.
    """
    found = tuple(_operators(module))
    return found if any(one.channels < one.channels_without for one in found) else ()


def freed_weights(module: ModuleOp) -> int:
    """Bytes of weights that went with channels, of a module at level `nn` after the clean-ups."""
    without = ((op, nn_keys.WEIGHTS_WITHOUT.get(op.attributes)) for op in operations(module))
    return sum(bytes - _weights(op) for op, bytes in without if bytes is not None)


def finding(lost: Sequence[LostChannels]) -> str:
    """One sentence on a model of which something went."""
    macs, macs_without, weights, weights_without = (
        sum(getattr(one, name) for one in lost) for name in ("macs", "macs_without", "weights", "weights_without")
    )
    return (
        f"channels: {macs:,} of {macs_without:,} MACs and {weights:,} of {weights_without:,} bytes of weights decide "
        "all results of this model; the others went"
    )


def cells(lost: Sequence[LostChannels]) -> list[tuple[object, ...]]:
    """A row of `HEADS` for each operator of which something went."""
    return [
        (
            one.index,
            one.op,
            f"{one.channels} of {one.channels_without}",
            f"{one.macs:,} of {one.macs_without:,}",
            f"{one.weights:,} of {one.weights_without:,}",
            *(_runs(each) for each in (one.constant, one.unused, one.twin)),
        )
        for one in lost
        if one.is_smaller
    ]


def _runs(numbers: Sequence[int]) -> str:
    """Ascending numbers, those in a row as `FIRST-LAST`; a dash for none."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return " ".join("-".join(map(str, run)) for run in runs) or NONE


def _operators(module: ModuleOp) -> Iterator[LostChannels]:
    for op in module.walk():
        origin = nn_keys.ORIGIN.get(op.attributes)
        records = nn_keys.REMOVED.get(op.attributes) or ()
        if origin is None or not (records or isinstance(op, HasMacs)):
            continue
        removals = [one for record in records for one in record.removals]
        channels = sum(shape_of(result)[-1] for result in op.results)
        macs = op.macs() if isinstance(op, HasMacs) else 0
        weights = _weights(op)
        yield LostChannels(
            origin.index.data,
            origin.opcode.data,
            origin.tensor.data,
            channels,
            channels + len(removals),
            macs,
            nn_keys.MACS_WITHOUT.get(op.attributes) or macs,
            weights,
            nn_keys.WEIGHTS_WITHOUT.get(op.attributes) or weights,
            *(tuple(one.channel for one in removals if one.reason == why) for why in ("constant", "unused", "twin")),
        )


def _weights(op: Operation) -> int:
    """Bytes of the weights."""
    if not isinstance(op, Accumulate) or not isinstance(op.filter.owner, ConstantOp):
        return 0
    return math.prod(shape_of(op.filter)) * op.filter.owner.array.itemsize

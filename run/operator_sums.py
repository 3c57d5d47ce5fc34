"""Checksums of what operators compute, by the oracle of the outputs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..targets.interfaces.description import Buffer, Description, LostChannels, Operator
from ..targets.projects.operator_sums import OperatorSum
from .oracles.oracle import Oracle, OracleTooSlow
from .samples import Array


def operator_sums(
    oracle: Oracle, description: Description, inputs: Sequence[Array], outputs: Sequence[Array]
) -> tuple[OperatorSum, ...]:
    """CRC-32 of the tensors that operators leave in a pool, by sample.

    Left out is what has no tensor of its own in the model file or in the plan (views, what was fused or added), and
    floats, which two right programs compute differently.

    Args:
        oracle: the model's.
        description: the compiled model.
        inputs: stacked samples (first axis), one array per input.
        outputs: the golden outputs of these.

    Returns:
        in the order of the run; none where the oracle knows none, or computes other outputs beside them.
    """
    places = _places(description)
    try:
        answer = oracle.answer(description, inputs, further=list(places))
    except OracleTooSlow:
        raise
    except InputError:
        return ()
    if not all(map(_equal, answer.outputs, outputs)):
        return ()
    lost = {one.name: one for one in description.lost if one.channels < one.channels_without}
    return tuple(
        OperatorSum(operator.position, operator.label, buffer.pool, buffer.offset, buffer.bytes, _sums(found))
        for name, (operator, buffer) in places.items()
        if (found := _staying(answer.further.get(name), lost.get(name))) is not None
        and found.dtype.kind in "iub"
        and found[0].nbytes == buffer.bytes
    )


def _staying(found: Array | None, lost: LostChannels | None) -> Array | None:
    """The channels of a tensor that the compiled model computes; None where they are not its last dimension."""
    if found is None or lost is None:
        return found
    gone = {*lost.constant, *lost.unused, *lost.twin}
    if found.shape[-1] != lost.channels_without:
        return None
    return found[..., [channel for channel in range(lost.channels_without) if channel not in gone]]


def _equal(one: Array, two: Array) -> bool:
    return np.array_equal(one.reshape(-1), two.reshape(-1))


def _places(description: Description) -> dict[str, tuple[Operator, Buffer]]:
    """The last call that computes a tensor, and where the tensor then lies, by the tensor's name."""
    places: dict[str, tuple[Operator, Buffer]] = {}
    for operator in description.operators:
        for buffer in description.buffers:
            if buffer.name == operator.name and buffer.first_use <= operator.position <= buffer.last_use:
                places[operator.name] = (operator, buffer)
    return places


def _sums(samples: Array) -> tuple[int, ...]:
    return tuple(zlib.crc32(np.ascontiguousarray(sample).tobytes()) for sample in samples)

"""Checksums of what operators compute, by the reference interpreter of the outputs.

Interpreters show the outputs of a model alone: so they are given a copy of the model whose outputs are all its tensors.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import tflite

from ..errors import InputError
from ..targets.interfaces.description import Buffer, Description, Operator
from ..targets.projects.operator_sums import OperatorSum
from .oracle import reference
from .samples import Array

_OUTPUTS_FIELD = 8
"""Of a SubGraph's table, as the schema numbers it."""


def operator_sums(
    model: bytes, description: Description, inputs: Sequence[Array], outputs: Sequence[Array], *, timeout: float
) -> tuple[OperatorSum, ...]:
    """CRC-32 of the tensors that operators leave in a pool, by sample.

    Left out is what has no tensor of its own in the model file or in the plan (views, what was fused or added), and
    floats, which two right programs compute differently.

    Args:
        model: a TFLite file.
        description: the compiled model.
        inputs: stacked samples (first axis), one array per input.
        outputs: the golden outputs of these.
        timeout: seconds that the interpreter may take.

    Returns:
        in the order of the run; none where the interpreter refuses the copy, or computes other outputs of it.
    """
    places = _places(description)
    tensors = _tensors_by_name(model)
    known = [(tensors[name], *place) for name, place in places.items() if name in tensors]
    try:
        answer = reference(with_outputs(model, [tensor for tensor, _, _ in known]), inputs, timeout=timeout).outputs
    except InputError:
        return ()
    if not all(map(_equal, answer, outputs)):
        return ()
    return tuple(
        OperatorSum(operator.position, operator.label, buffer.pool, buffer.offset, buffer.bytes, _sums(found))
        for (_, operator, buffer), found in zip(known, answer[len(outputs) :], strict=True)
        if found.dtype.kind in "iub" and found[0].nbytes == buffer.bytes
    )


def with_outputs(model: bytes, tensors: Sequence[int]) -> bytes:
    """A TFLite file whose first subgraph has further outputs: indices of its tensors.

    The longer list is put behind the file, and the subgraph's reference to its outputs leads there.
    """
    subgraph = tflite.Model.GetRootAs(model, 0).Subgraphs(0)
    assert subgraph is not None, "the model was imported"
    table = subgraph._tab  # pyright: ignore
    field = table.Pos + table.Offset(_OUTPUTS_FIELD)
    longer = [*(subgraph.Outputs(index) for index in range(subgraph.OutputsLength())), *tensors]
    changed = bytearray(model) + bytes(-len(model) % 4)
    struct.pack_into("<I", changed, field, len(changed) - field)
    return bytes(changed) + struct.pack(f"<I{len(longer)}i", len(longer), *longer)


def _tensors_by_name(model: bytes) -> dict[str, int]:
    """Indices of the tensors of the first subgraph that have a name of their own."""
    subgraph = tflite.Model.GetRootAs(model, 0).Subgraphs(0)
    assert subgraph is not None, "the model was imported"
    names = [(subgraph.Tensors(index).Name() or b"").decode() for index in range(subgraph.TensorsLength())]  # pyright: ignore
    return {name: index for index, name in enumerate(names) if names.count(name) == 1}


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

"""A TFLite file with other shapes and another first subgraph, for interpreters that take files as they are."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from tflite.Model import Model as ModelTable

_SUBGRAPHS = 8
"""Place of the field `subgraphs` in the vtable of a model."""

_SHAPE, _SHAPE_SIGNATURE = 4, 18
"""Places of the fields `shape` and `shape_signature` in the vtable of a tensor."""


def resized(data: bytes, subgraph: int, shapes: Mapping[tuple[int, int], tuple[int, ...]]) -> bytes | None:
    """The file with other shapes of tensors, and `subgraph` first.

    Args:
        data: a sound TFLite file.
        subgraph: what its interpreters are to run.
        shapes: new shapes by subgraph and tensor.

    Returns:
        None if the file cannot say so: a tensor has no shape at all, or another subgraph is first and operators name
        subgraphs by index.
    """
    if not shapes and not subgraph:
        return data
    buffer = bytearray(data)
    root: Any = ModelTable.GetRootAs(buffer, 0)
    for (graph, tensor), shape in shapes.items():
        table = root.Subgraphs(graph).Tensors(tensor)
        place = table._tab.Offset(_SHAPE)
        if not place:
            return None
        _append_vector(buffer, table._tab.Pos + place, shape)
        place = table._tab.Offset(_SHAPE_SIGNATURE)
        if place:
            _append_vector(buffer, table._tab.Pos + place, shape)
    if subgraph:
        if _names_subgraphs(root):
            return None
        _exchange(buffer, root, subgraph)
    return bytes(buffer)


def _append_vector(buffer: bytearray, field: int, numbers: Sequence[int]) -> None:
    """Let a field of a table name a new vector of int32 at the end of the file."""
    buffer += bytes(-len(buffer) % 4)
    struct.pack_into("<I", buffer, field, len(buffer) - field)
    buffer += struct.pack(f"<I{len(numbers)}i", len(numbers), *numbers)


def _names_subgraphs(root: Any) -> bool:
    """Whether there are operators of control flow: IF, WHILE, CALL_ONCE."""
    codes = [root.OperatorCodes(index).BuiltinCode() for index in range(root.OperatorCodesLength())]
    return any(code in (118, 119, 129) for code in codes)


def _exchange(buffer: bytearray, root: Any, subgraph: int) -> None:
    """Let the first subgraph and another change places; offsets count from where they stand."""
    vector = root._tab.Vector(root._tab.Offset(_SUBGRAPHS))
    places = vector, vector + 4 * subgraph
    targets = [place + struct.unpack_from("<I", buffer, place)[0] for place in places]
    for place, target in zip(places, reversed(targets), strict=True):
        struct.pack_into("<I", buffer, place, target - place)

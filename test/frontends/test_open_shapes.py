"""What the file leaves open and nothing decides before the run: refused for that, not as malformed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema
from tflite_build import Operator, Tensor, constant, options, write_model

from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite


def with_signature(data: bytes, tensor: int, signature: tuple[int, ...]) -> bytes:
    """The file, with another shape signature of a tensor of its first subgraph."""
    import flatbuffers

    model: Any = schema.ModelT.InitFromPackedBuf(data, 0)
    model.subgraphs[0].tensors[tensor].shapeSignature = list(signature)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def test_sizes_that_are_computed_are_the_reason() -> None:
    """As in loops over a list: what is behind the slice has shapes that do not fit, and that is not the reason."""
    tensors = [
        Tensor((4, 6), "float32", name="x"),
        Tensor((2,), "int32", name="size"),
        constant(np.zeros(2, np.int32)),
        Tensor((1, 1), "float32", name="some"),
        constant(np.zeros((1, 6), np.float32)),
        Tensor((4, 6), "float32", name="y"),
    ]
    operators = [
        Operator("SLICE", (0, 2, 1), (3,), options("Slice")),
        Operator("CONCATENATION", (3, 4), (5,), options("Concatenation", axis=0)),
    ]
    data = with_signature(write_model(tensors, operators, (0, 1), (5,)), 3, (-1, -1))
    with pytest.raises(UnsupportedError) as caught:
        import_tflite(data, "model")
    message = str(caught.value)
    assert "SLICE: tensor 1 'size' is computed at run time" in message
    assert "malformed" not in message
    assert "--input-shape" not in message

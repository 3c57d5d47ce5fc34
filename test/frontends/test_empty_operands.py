"""Operators that look for an element refuse tensors that have none, with that reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tflite_build import Operator, Tensor, constant, options, write_model

from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite

NOTHING = constant(np.zeros((0, 2), np.float32))
FIRST = constant(np.zeros(1, np.int32))


@pytest.mark.parametrize(
    ("opcode", "table", "operands", "result"),
    [
        ("REDUCE_MAX", options("Reducer"), (NOTHING, FIRST), Tensor((2,), "float32")),
        ("MEAN", options("Reducer"), (NOTHING, FIRST), Tensor((2,), "float32")),
        ("ARG_MAX", options("ArgMax", outputType=2), (NOTHING, FIRST), Tensor((2,), "int32")),
        ("GATHER", options("Gather"), (NOTHING, FIRST), Tensor((1, 2), "float32")),
        ("EMBEDDING_LOOKUP", None, (FIRST, NOTHING), Tensor((1, 2), "float32")),
    ],
)
def test_nothing_to_look_at(opcode: str, table: Any, operands: tuple[Tensor, ...], result: Tensor) -> None:
    # The model's input goes to an operator of its own: there is always something to run.
    tensors = [*operands, result, Tensor((1,), "float32"), Tensor((1,), "float32")]
    operators = [Operator(opcode, (0, 1), (2,), table), Operator("ADD", (3, 3), (4,), options("Add"))]
    with pytest.raises(UnsupportedError, match=rf"{opcode}: .* of shape \[0, 2\] has no elements"):
        import_tflite(write_model(tensors, operators, (3,), (2, 4)), "model")

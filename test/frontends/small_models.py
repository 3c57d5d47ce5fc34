"""A small convolution model whose parts tests replace one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tflite_build import Operator, Tensor, constant, options, write_model

CONV_OPTIONS = {"padding": 1, "strideH": 1, "strideW": 1}


def conv_tensors() -> list[Tensor]:
    """Input, filter, bias, output of a VALID convolution."""
    return [
        Tensor((1, 4, 4, 2), "int8", (0.5,), (3,), name="x"),
        constant(np.ones((3, 2, 2, 2), np.int8), (0.25, 0.5, 1.0)),
        constant(np.zeros(3, np.int32), (0.125, 0.25, 0.5)),
        Tensor((1, 3, 3, 3), "int8", (2.0,), (-5,), name="y"),
    ]


@dataclass
class Parts:
    """What `write_model` takes, open to change."""

    tensors: list[Tensor] = field(default_factory=conv_tensors)
    operators: list[Operator] = field(
        default_factory=lambda: [Operator("CONV_2D", [0, 1, 2], [3], options("Conv2D", **CONV_OPTIONS))]
    )
    inputs: Sequence[int] = (0,)
    outputs: Sequence[int] = (3,)
    signature: Any = None

    def write(self) -> bytes:
        """The file."""
        return write_model(self.tensors, self.operators, self.inputs, self.outputs, signature=self.signature)

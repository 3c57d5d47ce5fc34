"""Runs models with TFLite Micro: in a process of its own, because it aborts on what it does not like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tflite_micro.python.tflite_micro import runtime

ARENA = 64 << 20
"""Bytes; more than malloc ever keeps for another time, so that every arena begins as zeros, as a static one does.

Kernels exist that read what they never wrote: SPACE_TO_BATCH_ND takes the value of its margin from there.
"""


def run(model: bytes, inputs: Sequence[NDArray[Any]], count: int) -> list[NDArray[Any]]:
    """Outputs of every sample, stacked."""
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA)
    stacks: list[list[NDArray[Any]]] = [[] for _ in range(count)]
    for sample in range(len(inputs[0])):
        for index, stacked in enumerate(inputs):
            interpreter.set_input(stacked[sample], index)
        interpreter.invoke()
        for index in range(count):
            stacks[index].append(np.array(interpreter.get_output(index)))
    return [np.stack(stack) for stack in stacks]

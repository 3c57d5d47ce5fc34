"""Runs models with LiteRT's reference kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from numpy.typing import NDArray


def run(model: bytes, inputs: Sequence[NDArray[Any]], count: int) -> list[NDArray[Any]]:
    """Outputs of every sample, stacked."""
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    places = [detail["index"] for detail in interpreter.get_input_details()]
    results = [detail["index"] for detail in interpreter.get_output_details()]
    assert len(results) == count, "as many outputs as the case says"
    stacks: list[list[NDArray[Any]]] = [[] for _ in results]
    for sample in range(len(inputs[0])):
        for place, stacked in zip(places, inputs, strict=True):
            interpreter.set_tensor(place, stacked[sample])
        interpreter.invoke()
        for stack, result in zip(stacks, results, strict=True):
            stack.append(np.array(interpreter.get_tensor(result)))
    return [np.stack(stack) for stack in stacks]

"""Runs LiteRT's reference kernels on pickled (model, stacked inputs, number of outputs) triples from stdin.

Pickles the stacked outputs to stdout.
"""

from __future__ import annotations

import os
import pickle
import sys
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


def main() -> None:
    """Answer one batch."""
    jobs = pickle.load(sys.stdin.buffer)
    answer = pickle.dumps([run(*job) for job in jobs])
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()

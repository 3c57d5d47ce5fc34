"""Runs a reference interpreter in a process of its own: some models abort theirs.

Called by path, so that nothing but the interpreter is loaded: `python oracle_worker.py tflm|litert < in.npz > out.npz`.
In: `model` (bytes), `input_<i>` (samples, *shape). Out: `output_<i>` likewise. A failure is one line on standard error.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

ARENA_BYTES = 64 << 20
UNAVAILABLE = 3
"""Exit code: the interpreter is not installed."""

Run = Callable[[list[Any]], list[Any]]


def tflm(model: bytes) -> Run:
    """TFLite Micro's reference kernels."""
    from tflite_micro.python.tflite_micro import runtime  # pyright: ignore

    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)
    outputs = _tflite_outputs(model)

    def run(inputs: list[Any]) -> list[Any]:
        for index, array in enumerate(inputs):
            interpreter.set_input(array, index)
        interpreter.invoke()
        return [np.array(interpreter.get_output(index)) for index in range(outputs)]

    return run


def litert(model: bytes) -> Run:
    """LiteRT's reference kernels, without delegates."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType  # pyright: ignore

    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    places = [detail["index"] for detail in interpreter.get_input_details()]
    results = [detail["index"] for detail in interpreter.get_output_details()]

    def run(inputs: list[Any]) -> list[Any]:
        for place, array in zip(places, inputs, strict=True):
            interpreter.set_tensor(place, array)
        interpreter.invoke()
        return [np.array(interpreter.get_tensor(result)) for result in results]

    return run


def _tflite_outputs(model: bytes) -> int:
    import tflite  # pyright: ignore

    subgraph = tflite.Model.GetRootAs(model, 0).Subgraphs(0)
    assert subgraph is not None, "an interpreter has accepted the model"
    return subgraph.OutputsLength()


def main(name: str) -> int:
    """Serve one request; returns the exit code."""
    request = np.load(io.BytesIO(sys.stdin.buffer.read()))
    inputs = [request[f"input_{index}"] for index in range(len(request.files) - 1)]
    try:
        run = {"tflm": tflm, "litert": litert}[name](request["model"].tobytes())
    except ImportError as error:
        print(error, file=sys.stderr)
        return UNAVAILABLE
    samples = len(inputs[0]) if inputs else 1
    rows = [run([stacked[sample] for stacked in inputs]) for sample in range(samples)]
    answer = {f"output_{index}": np.stack(column) for index, column in enumerate(zip(*rows, strict=True))}
    packed = io.BytesIO()
    np.savez(packed, **answer)  # pyright: ignore
    sys.stdout.buffer.write(packed.getvalue())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)

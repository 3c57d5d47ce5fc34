"""Runs reference interpreters in a process of its own: some models abort theirs.

Called by path, so that nothing but an interpreter is loaded: `python worker.py FOLDER`. The folder holds

- `request.json`: `samples`, and `steps`, each with a file `model`, the tensors `inputs` and `outputs` by number, the
  tensors `frees` that no later step reads, and the `oracles` to ask in order;
- `<number>.npy`: the samples of a tensor (first axis), to which the steps add their outputs;
- `journal.jsonl`: what came of each try, one line before it and one after it: done, missing, refused, or failed at a
  sample. A step that has an answer there, and a
  try that has an end there, are not repeated: whoever calls may go on after a process that died.

It ends with 0 when every step has an answer, or one has none of any oracle.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ARENA_BYTES = 64 << 20

Run = Callable[[list[Any]], list[Any]]
"""Inputs of one sample to its outputs."""


def tflm(model: bytes, outputs: int) -> Run:
    """TFLite Micro's reference kernels."""
    from tflite_micro.python.tflite_micro import runtime  # pyright: ignore

    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)

    def run(inputs: list[Any]) -> list[Any]:
        for index, array in enumerate(inputs):
            interpreter.set_input(array, index)
        interpreter.invoke()
        return [np.array(interpreter.get_output(index)) for index in range(outputs)]

    return run


def litert(model: bytes, outputs: int) -> Run:
    """LiteRT's reference kernels, without delegates."""
    return _litert(model, outputs, "BUILTIN_REF")


def litert_builtin(model: bytes, outputs: int) -> Run:
    """LiteRT's usual kernels, without delegates: some operators have no other."""
    return _litert(model, outputs, "BUILTIN_WITHOUT_DEFAULT_DELEGATES")


def _litert(model: bytes, outputs: int, resolver: str) -> Run:
    from ai_edge_litert.interpreter import Interpreter, OpResolverType  # pyright: ignore

    kernels = OpResolverType[resolver]
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=kernels, num_threads=1)
    interpreter.allocate_tensors()
    places = [detail["index"] for detail in interpreter.get_input_details()]
    results = [detail["index"] for detail in interpreter.get_output_details()]
    assert len(results) == outputs, "the file says how many outputs there are"

    def run(inputs: list[Any]) -> list[Any]:
        details: Any = interpreter.get_input_details()
        shapes = [tuple(detail["shape"]) for detail in details]
        if shapes != [array.shape for array in inputs]:  # an operator before it has defined them
            for place, array in zip(places, inputs, strict=True):
                interpreter.resize_tensor_input(place, array.shape)
            interpreter.allocate_tensors()
        for place, array in zip(places, inputs, strict=True):
            interpreter.set_tensor(place, array)
        interpreter.invoke()
        return [np.array(interpreter.get_tensor(result)) for result in results]

    return run


ORACLES: dict[str, Callable[[bytes, int], Run]] = {"tflm": tflm, "litert": litert, "litert-builtin": litert_builtin}


def main(folder: Path) -> None:
    """Work off the request in a folder."""
    request = json.loads((folder / "request.json").read_text())
    journal = folder / "journal.jsonl"
    ended = {
        (line["step"], line["oracle"]): line["state"]
        for line in map(json.loads, journal.read_text().splitlines())
        if line["state"] != "trying"
    }
    for number, step in enumerate(request["steps"]):
        tries = [(number, oracle) for oracle in step["oracles"]]
        done = any(ended.get(one) == "done" for one in tries)
        for one in tries:
            if not done and one not in ended:
                done = _try(folder, journal, one, step, request["samples"])
        if not done:
            return
        for tensor in step["frees"]:
            (folder / f"{tensor}.npy").unlink(missing_ok=True)


def _try(folder: Path, journal: Path, one: tuple[int, str], step: dict[str, Any], samples: int) -> bool:
    """Ask one oracle for one step; whether it has answered."""

    def note(state: str, reason: str = "") -> None:
        with journal.open("a") as file:
            file.write(json.dumps({"step": one[0], "oracle": one[1], "state": state, "reason": reason}) + "\n")

    note("trying")
    state = "refused"
    try:
        stacks = [np.load(folder / f"{tensor}.npy") for tensor in step["inputs"]]
        run = ORACLES[one[1]]((folder / step["model"]).read_bytes(), len(step["outputs"]))
        rows: list[list[Any]] = []
        for sample in range(samples):
            state = "failed"
            rows.append(run([stack[sample] for stack in stacks]))
        for tensor, column in zip(step["outputs"], zip(*rows, strict=True), strict=True):
            np.save(folder / f"{tensor}.npy", np.stack(column))
    except ImportError as error:
        note("missing", str(error))
        return False
    except Exception as error:
        note(state, (str(error).strip() or type(error).__name__).splitlines()[0])
        return False
    note("done")
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Public ONNX files: how far the compiled network is from onnxruntime, and what is refused.

    python bench/onnx_files.py [FILE.onnx ...] [--samples N] [--markdown FILE]

The files are those of ../shared/onnx beside the repository. Each is compiled for this machine and compared on random
inputs, the same each time. The exact oracle is that of `stillpool verify`, whose quantised products are integers; the
other column is onnxruntime with the file as it is written, without optimisations. Open dimensions, and integers without
dimensions such as a sampling rate, are those of the arrays in FILE.io.npz beside it. The answer is 1 if a float network
is further than 1e-3 away, or a quantised one differs.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stillpool import Artifact, compile, load
from stillpool.errors import InputError, StillpoolError, UnsupportedError
from stillpool.run.oracles.onnx import session_of
from stillpool.run.samples import random_inputs

FILES = Path(__file__).resolve().parents[2] / "shared" / "onnx"
TOLERANCE = 1e-3
"""Largest difference of float networks, absolute or relative."""
AT_ONCE = 10
"""Runs of one program, which has a limit of time."""
LAST_BITS = 1e-6
"""Largest difference of floats behind the last QuantizeLinear, such as a softmax: a step is larger."""


@dataclass(frozen=True)
class Verdict:
    """Result of a file."""

    name: str
    kind: str
    verdict: str
    exact: str = ""
    as_written: str = ""
    ram: int | None = None

    @property
    def row(self) -> str:
        """A line of a table in Markdown."""
        ram = "" if self.ram is None else f"{self.ram:,}"
        return f"| {self.name} | {self.kind} | {self.verdict} | {self.exact} | {self.as_written} | {ram} |"


HEAD = """\
| file | kind | verdict | from the exact oracle | runs that differ as the file is written | workspace, bytes |
|---|---|---|---|---|---:|"""


def main() -> int:
    """Compare, print a table, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    files = given.files or sorted(FILES.glob("*.onnx"))
    if not files:
        print(f"no ONNX file given, and none in {FILES}", file=sys.stderr)
        return 2
    print(HEAD)
    found: list[Verdict] = []
    for file in files:
        found.append(compared(file, given.samples))
        print(found[-1].row, flush=True)
    if given.markdown:
        given.markdown.write_text("\n".join([HEAD, *(one.row for one in found)]) + "\n", encoding="utf-8")
    return int(any(one.verdict == "wrong" for one in found))


def compared(file: Path, samples: int) -> Verdict:
    """Compile a file and compare it."""
    import onnx

    kind = _kind(onnx.load(file))
    try:
        artifact = compile(_loaded(file))
    except (InputError, UnsupportedError) as error:
        reason = str(error).splitlines()[0].replace(f"{file}: ", "").replace(str(file), "it")
        return Verdict(file.stem, kind, f"refused: {reason}")
    except StillpoolError as error:
        return Verdict(file.stem, kind, f"failed: {error}")
    assert isinstance(artifact, Artifact), "one model is compiled"
    inputs = random_inputs(artifact.description, samples, seed=0)
    for number, (name, array) in enumerate(inputs.items()):
        if array.dtype.kind == "i" and array.size == samples and (kept := _recorded(file, number)) is not None:
            inputs[name] = np.full_like(array, kept.reshape(-1)[0])
    parts = [
        list(artifact.execute({name: array[at : at + AT_ONCE] for name, array in inputs.items()}).outputs.values())
        for at in range(0, samples, AT_ONCE)
    ]
    outputs = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    exact = artifact.reference(list(inputs.values())).outputs
    session = session_of(onnx.load(file), file.name)
    names = [value.name for value in session.get_inputs()]
    runs = [
        session.run(None, dict(zip(names, map(np.asarray, arrays), strict=True)))
        for arrays in zip(*inputs.values(), strict=True)
    ]
    written = [np.stack(arrays) for arrays in zip(*runs, strict=True)]
    is_float = kind == "float"
    away, differing = _distance(outputs, exact), _differing(outputs, exact)
    good = away <= TOLERANCE if is_float else differing == 0
    words = f"{away:.1e}" if is_float else f"{differing} of {samples} runs differ"
    other = _distance(outputs, written) if is_float else _differing(outputs, written)
    as_written = f"{other:.1e} away" if is_float else f"{other} of {samples}"
    ram = sum(pool["bytes"] for pool in artifact.manifest["pools"] if pool["kind"] == "workspace")
    return Verdict(file.stem, kind, "equal" if good else "wrong", words, as_written, ram)


def _loaded(file: Path) -> Any:
    """The model of a file, its open dimensions as recorded arrays have them."""
    import onnx

    recorded, graph = file.with_suffix(".io.npz"), onnx.load(file, load_external_data=False).graph
    if not recorded.exists():
        return load(file)
    arrays, weights = np.load(recorded), {tensor.name for tensor in graph.initializer}
    shapes: dict[str, list[int]] = {}
    for number, value in enumerate(one for one in graph.input if one.name not in weights):
        dims = value.type.tensor_type.shape.dim
        if any(dim.WhichOneof("value") != "dim_value" for dim in dims) and f"in_{number}" in arrays:
            shapes[value.name] = list(arrays[f"in_{number}"].shape[-len(dims) :])
    return load(file, input_shapes=shapes) if shapes else load(file)


def _recorded(file: Path, number: int) -> Any:
    """A recorded input; None if there is none."""
    recorded = file.with_suffix(".io.npz")
    arrays = np.load(recorded) if recorded.exists() else {}
    return arrays.get(f"in_{number}")


def _kind(model: Any) -> str:
    """Return the quantisation of a file's numbers."""
    operators, domains = {node.op_type for node in model.graph.node}, {node.domain for node in model.graph.node}
    if any("qonnx" in domain or "brevitas" in domain or "finn" in domain for domain in domains):
        return "QONNX"
    if any(name.startswith("QLinear") for name in operators):
        return "QOperator"
    return "QDQ" if "DequantizeLinear" in operators else "float"


def _distance(arrays: Sequence[Any], others: Sequence[Any]) -> float:
    """The largest difference, of numbers above one relative to them."""
    return max(
        float((np.abs(one.astype(np.float64) - other) / np.maximum(np.abs(other), 1)).max())
        for one, other in zip(arrays, _alike(arrays, others), strict=True)
    )


def _differing(arrays: Sequence[Any], others: Sequence[Any]) -> int:
    """The runs in which any element differs by more than the last bits of floats."""
    away = [
        np.abs(one.astype(np.float64) - other) > LAST_BITS * np.maximum(np.abs(other), 1)
        for one, other in zip(arrays, _alike(arrays, others), strict=True)
    ]
    return int(np.any([each.reshape(len(each), -1).any(axis=1) for each in away], axis=0).sum())


def _alike(arrays: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Arrays in the shapes of others."""
    return [np.asarray(other).reshape(one.shape) for one, other in zip(arrays, others, strict=True)]


if __name__ == "__main__":
    sys.exit(main())

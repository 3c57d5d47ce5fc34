"""ONNX's own node tests: which are compiled and equal what is expected, and why others are refused.

    python bench/onnx_nodes.py [OPERATOR ...] [--markdown FILE] [-v]

The tests come with the package `onnx`: one operator each, with inputs and outputs. Weights, axes and shapes are inputs
there; those that must be constants become constants, and the table counts such tests by themselves. Tests that are
compiled are joined, many to a program, and run as C. The answer is 1 if a result differs from what is expected.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stillpool import compile, load
from stillpool.errors import InputError, StillpoolError, UnsupportedError

TOGETHER = 40
"""Tests in one program."""
_RUN_TIME = re.compile(r"input '([^']*)' is computed at run time")
_PLACES = re.compile(r" \(operators? [^()]*\)$")
_NAMES = re.compile(r"'[^']*'|\[[-0-9, ]*\]|-?[0-9]+(?:\.[0-9]+)?")


@dataclass
class Case:
    """A test, and what became of it."""

    name: str
    model: Any
    inputs: list[np.ndarray]
    outputs: list[np.ndarray]
    tolerance: tuple[float, float]
    constants: list[str] = field(default_factory=list)
    """Inputs that became constants."""
    verdict: str = ""
    """`passed`, `refused`, `malformed` or `wrong`."""
    reason: str = ""

    @property
    def operator(self) -> str:
        """The operator of the test, the last one where there are several."""
        return self.model.graph.node[-1].op_type


def cases(operators: Sequence[str] = ()) -> list[Case]:
    """The tests that the installed package makes, of some operators or of all."""
    from onnx import numpy_helper
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = collect_testcases()

    def array(value: Any) -> np.ndarray:
        return np.asarray(numpy_helper.to_array(value) if hasattr(value, "data_type") else value)

    made: list[Case] = []
    for case in found:
        if case.model is None or not case.data_sets:
            continue
        inputs, outputs = case.data_sets[0]
        try:
            arrays = [array(value) for value in inputs], [array(value) for value in outputs]
        except (TypeError, ValueError):
            # Sequences and optional values are no arrays; their models are refused.
            arrays = [], []
        made.append(Case(case.name, case.model, *arrays, (case.rtol, max(case.atol, 1e-6))))
    return [case for case in made if not operators or case.operator in operators]


def with_constants(model: Any, inputs: Sequence[np.ndarray], names: Sequence[str]) -> Any:
    """The model with some inputs as constants."""
    import onnx
    from onnx import numpy_helper

    made = onnx.ModelProto()
    made.CopyFrom(model)
    values = dict(zip([value.name for value in model.graph.input], inputs, strict=False))
    del made.graph.input[:]
    made.graph.input.extend(value for value in model.graph.input if value.name not in names)
    made.graph.initializer.extend(numpy_helper.from_array(values[name], name) for name in names)
    return made


def given(case: Case) -> dict[str, np.ndarray]:
    """Inputs of a test by name, without those that became constants."""
    names = [value.name for value in case.model.graph.input]
    pairs = zip(names, case.inputs, strict=False)
    return {name: array for name, array in pairs if name not in case.constants}


def imported(case: Case, folder: Path) -> Any:
    """The test's model, with as few constants as it takes; None if it is refused."""
    file = folder / "case.onnx"
    while True:
        model = with_constants(case.model, case.inputs, case.constants)
        try:
            file.write_bytes(model.SerializeToString())
            load(file, input_shapes={name: array.shape for name, array in given(case).items()})
            return model
        except UnsupportedError as error:
            more = [name for name in _RUN_TIME.findall(str(error)) if name in given(case)]
            if more:
                case.constants += dict.fromkeys(more)
                continue
            lines = str(error).splitlines()
            line = next((line.strip() for line in lines if line.startswith("  ")), lines[0].split(": ", 1)[-1])
            case.verdict, case.reason = "refused", _PLACES.sub("", line)
        except InputError as error:
            case.verdict, case.reason = "malformed", str(error).splitlines()[0]
        except StillpoolError as error:
            case.verdict, case.reason = "refused", str(error).splitlines()[0]
        return None


def joined(parts: Sequence[tuple[Case, Any]]) -> Any:
    """One model with everything of several, whose names begin with the number of the part."""
    from onnx import compose, helper

    models = [compose.add_prefix(model, f"p{number}_") for number, (_, model) in enumerate(parts)]
    graphs = [model.graph for model in models]
    whole = helper.make_graph(
        [node for graph in graphs for node in graph.node],
        "joined",
        [value for graph in graphs for value in graph.input],
        [value for graph in graphs for value in graph.output],
        [value for graph in graphs for value in graph.initializer],
    )
    return helper.make_model(whole, opset_imports=models[0].opset_import, ir_version=models[0].ir_version)


def run(parts: Sequence[tuple[Case, Any]], folder: Path) -> None:
    """Compile and run tests in one program, or in several where that fails; fills in the verdicts."""
    file = folder / "joined.onnx"
    try:
        file.write_bytes(joined(parts).SerializeToString())
        inputs = {f"p{n}_{name}": array for n, (case, _) in enumerate(parts) for name, array in given(case).items()}
        artifact = compile(load(file, input_shapes={name: array.shape for name, array in inputs.items()}))
        wanted = {tensor.name for tensor in artifact.description.inputs}
        outputs = list(artifact.run({name: array for name, array in inputs.items() if name in wanted}).values())
    except Exception as error:
        if len(parts) > 1:
            middle = len(parts) // 2
            run(parts[:middle], folder)
            run(parts[middle:], folder)
            return
        ours = isinstance(error, StillpoolError)
        reason = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        parts[0][0].verdict, parts[0][0].reason = "refused" if ours else "wrong", reason
        return
    for case, _ in parts:
        made = [outputs.pop(0) for _ in case.model.graph.output]
        case.reason = next(_differences(case, made), "")
        case.verdict = "wrong" if case.reason else "passed"


def _differences(case: Case, made: Sequence[np.ndarray]) -> Iterator[str]:
    relative, absolute = case.tolerance
    for number, (array, wanted) in enumerate(zip(made, case.outputs, strict=True)):
        if array.shape != wanted.shape or array.dtype != wanted.dtype:
            yield f"output {number} is {array.dtype}{list(array.shape)}, not {wanted.dtype}{list(wanted.shape)}"
        elif not np.allclose(array, wanted, rtol=relative, atol=absolute, equal_nan=True):
            with np.errstate(all="ignore"):
                apart = np.nanmax(np.abs(array.astype(np.float64) - wanted.astype(np.float64)))
            yield f"output {number} differs by {apart:.3g}"


def judged(found: Sequence[Case]) -> None:
    """Import every test, run what is imported, and fill in the verdicts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds: dict[str, list[tuple[Case, Any]]] = defaultdict(list)
        for case in found:
            model = imported(case, folder)
            if model is not None:
                kinds[str(model.opset_import)].append((case, model))
        for parts in kinds.values():
            for first in range(0, len(parts), TOGETHER):
                run(parts[first : first + TOGETHER], folder)


def table(found: Sequence[Case]) -> str:
    """Markdown: totals, then operators with their counts and reasons."""
    passed = [case for case in found if case.verdict == "passed"]
    plain = sum(not case.constants for case in passed)
    counts = Counter(case.verdict for case in found)
    lines = [
        f"| tests | {len(found)} |",
        "|---|---|",
        f"| passed as they are | {plain} |",
        f"| passed with weights, axes or shapes as constants | {len(passed) - plain} |",
        f"| refused with a reason | {counts['refused'] + counts['malformed']} |",
        f"| wrong | {counts['wrong']} |",
        "",
        "| operator | passed | refused | reasons |",
        "|---|---|---|---|",
    ]
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in found:
        groups[case.operator].append(case)
    for operator, group in sorted(groups.items()):
        verdicts = Counter(case.verdict for case in group)
        reasons = Counter(_NAMES.sub("N", case.reason) for case in group if case.verdict != "passed")
        words = "; ".join(reason.replace("|", "\\|") for reason, _ in reasons.most_common(4))
        lines.append(f"| {operator} | {verdicts['passed']} | {len(group) - verdicts['passed']} | {words} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the table; 1 if a test was wrong."""
    parser = argparse.ArgumentParser(description="ONNX's own node tests")
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--markdown", type=Path, help="write the table there")
    parser.add_argument("-v", action="store_true", help="name every test that did not pass")
    options = parser.parse_args()
    found = cases(options.operators)
    judged(found)
    if options.v:
        for case in found:
            if case.verdict != "passed":
                print(f"{case.verdict}: {case.name}: {case.reason}")
    text = table(found)
    print(text)
    if options.markdown:
        options.markdown.write_text(text)
    return int(any(case.verdict in ("wrong", "malformed") for case in found))


if __name__ == "__main__":
    sys.exit(main())

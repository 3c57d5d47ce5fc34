"""ONNX's own node tests: which are compiled and equal what is expected, and why others are refused.

    python bench/onnx_nodes.py [OPERATOR ...] [--page] [-v]

`--page` writes docs/reference/onnx-nodes.md, or the rows of some operators there. The tests come with the package
`onnx`: one operator each, with inputs and outputs. Weights, axes and shapes are inputs there; those that must be
constants become constants, and the page counts such tests by themselves. Tests that are compiled are joined, many to a
program, and run as C. The answer is 1 if a result differs from what is expected.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "onnx-nodes.md"
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
            case.verdict, case.reason = "refused", _PLACES.sub("", line.replace(str(file), "the file"))
        except InputError as error:
            case.verdict, case.reason = "malformed", str(error).splitlines()[0].replace(str(file), "the file")
        except StillpoolError as error:
            case.verdict, case.reason = "refused", str(error).splitlines()[0].replace(str(file), "the file")
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
        reason = f"{type(error).__name__}: {str(error).splitlines()[0]}".replace(str(file), "the file")
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


def rows(found: Sequence[Case]) -> dict[str, str]:
    """For each operator a row of a table in Markdown: its counts, and why tests are refused."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in found:
        groups[case.operator].append(case)
    made: dict[str, str] = {}
    for operator, group in sorted(groups.items()):
        passed = [case for case in group if case.verdict == "passed"]
        plain = sum(not case.constants for case in passed)
        reasons = Counter(_NAMES.sub("N", case.reason) for case in group if case.verdict != "passed")
        ordered = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
        words = "; ".join(reason.replace("|", "\\|") for reason, _ in ordered[:4])
        made[operator] = f"| {operator} | {plain} | {len(passed) - plain} | {len(group) - len(passed)} | {words} |"
    return made


def page(made: Mapping[str, str]) -> str:
    """The page with the rows of all operators: totals come first."""
    import onnx

    counts = np.sum([[int(cell) for cell in row.split("|")[2:5]] for row in made.values()], axis=0).tolist()
    return "\n".join(
        [
            "# ONNX's node tests",
            "",
            f"Generated by `python bench/onnx_nodes.py --page` from the tests of onnx {onnx.__version__}; do not edit.",
            "",
            "A test is refused for what its operator needs: another type of elements, an output whose shape depends on",
            "numbers, an operator that is not there. N stands for names and numbers. No test is wrong.",
            "",
            "| tests | passed as they are | with weights, axes or shapes as constants | refused |",
            "|---:|---:|---:|---:|",
            f"| {sum(counts)} | {' | '.join(map(str, counts))} |",
            "",
            "| operator | passed | with constants | refused | why |",
            "|---|---:|---:|---:|---|",
            *(row for _, row in sorted(made.items())),
            "",
        ]
    )


def written() -> dict[str, str]:
    """The rows of the page as it is."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    return {line.split(" | ")[0][2:]: line for line in lines if re.match(r"\| [A-Z]\w+ \| \d", line)}


def main() -> int:
    """Print the table; 1 if a test was wrong."""
    parser = argparse.ArgumentParser(description="ONNX's own node tests")
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--page", action="store_true", help=f"write {PAGE.name}, or the rows of the operators there")
    parser.add_argument("-v", action="store_true", help="name every test that did not pass")
    options = parser.parse_args()
    found = cases(options.operators)
    judged(found)
    if options.v:
        for case in found:
            if case.verdict != "passed":
                print(f"{case.verdict}: {case.name}: {case.reason}")
    faults = [case for case in found if case.verdict in ("wrong", "malformed")]
    for case in faults:
        print(f"{case.verdict}: {case.name}: {case.reason}")
    made = {**(written() if options.operators else {}), **rows(found)}
    print("\n".join(rows(found).values()))
    if options.page and not faults:
        PAGE.write_text(page(made), encoding="utf-8")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

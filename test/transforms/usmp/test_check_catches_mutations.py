"""Moving any buffer onto a live neighbour must be caught by `usmp-check`, always."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import sweeps
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i64

from stillpool.driver import pipeline
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.describe import Signature
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.pipeline import Rows
from stillpool.errors import StillpoolError, UnsupportedError
from stillpool.run.artifact import Artifact
from stillpool.run.samples import random_inputs
from stillpool.transforms.usmp.analysis.structure import alignment_of, size_of
from stillpool.transforms.usmp.check import timed_run
from stillpool.transforms.usmp.placing.pose import Posed, pose

ROOT = Path(__file__).resolve().parents[3]
DIGITS, NOVELTY = (ROOT / f"examples/{name}/{name}.tflite" for name in ("digits", "novelty"))
SMALL = ("hello_world_int8", "micro_speech_quantized", "trained_lstm_int8")
LARGER = ("ad01_int8", "kws_int8", "resnet8_int8", "strww_int8")
"""For the sweep; of larger ones every mutation would take hours."""
STEP = sweeps.size(3, long=1)
"""Of the mutations of those, each which one is tried: it is odd, as each neighbour has two."""
MODELS = [
    pytest.param(NOVELTY, id="novelty"),
    pytest.param(DIGITS, id="digits", marks=pytest.mark.sweep),
    *(
        pytest.param(path, id=path.stem, marks=() if path.stem in SMALL else pytest.mark.sweep)
        for path in sorted((ROOT.parent / "shared/models").glob("*.tflite"))
        if path.stem in SMALL + LARGER
    ),
]
CAUGHT = ("reads buffer", "writes to buffer", "takes bytes", "not aligned", "releases input")
"""What the refusals say that are about places."""


@dataclass
class Planned:
    """A model with its plan."""

    compilation: Compilation
    signature: Signature
    module: ModuleOp
    posed: Posed

    @property
    def allocs(self) -> list[memref.AllocOp]:
        """The buffers, in the order of the problem."""
        return list(self.posed.lives)

    def outputs(self) -> dict[str, np.ndarray]:
        """What the C of the plan as it is now computes."""
        artifact = Artifact.of(self.compilation.finish(self.signature, self.module))
        return artifact.execute(random_inputs(artifact.description, 3, 0)).outputs


def planned(path: Path, rows: Rows = "off") -> Planned:
    try:
        compilation = prepare(path, rows=rows, planner_seconds=0.05).decided
        module = compilation.module("memref")
    except UnsupportedError as error:
        pytest.skip(str(error))
    signature = Signature.of(module)
    compilation.place(module)
    return Planned(compilation, signature, module, pose(module)[0])


def _type(alloc: memref.AllocOp) -> MemRefType:
    assert isinstance(alloc.memref.type, MemRefType)
    return alloc.memref.type


def _offset(alloc: memref.AllocOp) -> int:
    offset = alloc.attributes["pool.offset"]
    assert isinstance(offset, IntegerAttr)
    return offset.value.data


def places_on(neighbour: memref.AllocOp, moved: memref.AllocOp) -> Iterator[int]:
    """Offsets at which a buffer lies on its neighbour: where that begins, and on its last bytes only."""
    first, alignment = _offset(neighbour), alignment_of(moved, _type(moved))
    last = (first + size_of(_type(neighbour)) - 1) // alignment * alignment
    yield first
    if last > first:
        yield last


def mutations(plan: Planned) -> Iterator[tuple[str, int]]:
    """Move each buffer onto each live neighbour in its pool, one after the other.

    Says what was done, and during how many operators both are live: in one, an output may be sound on a dying input.
    """
    allocs = plan.allocs
    positions = [set(range(min(life.operators), max(life.operators) + 1)) for life in plan.posed.lives.values()]
    for i, alloc in enumerate(allocs):
        kept = dict(alloc.attributes)
        for j in plan.posed.problem.neighbours[i]:
            # Behind the buffers come the parts of inputs that are read by rows.
            if j >= len(allocs) or allocs[j].attributes["pool.assigned"] != kept["pool.assigned"]:
                continue
            for offset in places_on(allocs[j], alloc):
                alloc.attributes["pool.offset"] = IntegerAttr(offset, i64)
                names = (str(op.attributes.get("pool.name")) for op in (alloc, allocs[j]))
                yield f"{offset}: {' on '.join(names)}", len(positions[i] & positions[j])
        alloc.attributes |= kept


def is_refused(module: ModuleOp) -> bool:
    try:
        pipeline.apply(module, pipeline.parsed("usmp-check"), where="model")
    except StillpoolError as error:
        return any(words in str(error) for words in CAUGHT)
    return False


def check(plan: Planned, step: int = 1) -> None:
    """What is not refused must be sound, an output at another distance on its dying input, and give the same bits."""
    expected = plan.outputs()
    refused = 0
    for what, together in islice(mutations(plan), 0, None, step):
        if is_refused(plan.module):
            refused += 1
            continue
        assert together == 1, what
        for name, values in plan.outputs().items():
            np.testing.assert_array_equal(values.view(np.uint8), expected[name].view(np.uint8), err_msg=what)
    pipeline.apply(plan.module, pipeline.parsed("usmp-check"), where="model")
    assert refused


@pytest.mark.parametrize("path", MODELS)
def test_every_clash_is_caught(path: Path) -> None:
    check(planned(path), STEP if path.stem in LARGER else 1)


def test_clashes_of_rows_are_caught() -> None:
    check(planned(DIGITS, rows="on"), step=101)


@pytest.mark.sweep
def test_more_clashes_of_rows_are_caught() -> None:
    check(planned(DIGITS, rows="on"), step=sweeps.size(23, long=1))


@pytest.mark.sweep
def test_every_clash_is_caught_in_ranges_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where nothing is small enough to be looked at element by element."""
    monkeypatch.setattr(timed_run, "MOST_ELEMENTS", -1)
    check(planned(DIGITS), STEP)


def test_an_output_ahead_of_its_input_is_caught() -> None:
    """In place is sound only at or below the input: one element above destroys what is still to be read."""
    plan = planned(DIGITS)
    allocs, problem = plan.allocs, plan.posed.problem
    assert problem.leads, "the model has an elementwise operator"
    for output, given in problem.leads:
        allocs[output].attributes["pool.offset"] = IntegerAttr(_offset(allocs[given]) + 1, i64)
        with pytest.raises(StillpoolError, match=r"reads buffer|takes bytes"):
            pipeline.apply(plan.module, pipeline.parsed("usmp-check"), where="model")

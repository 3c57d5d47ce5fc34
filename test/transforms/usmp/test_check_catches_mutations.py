"""Moving any buffer onto a live neighbour must be caught by `usmp-check`, always."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from stillpool.driver import pipeline
from stillpool.driver.describe import entry_function
from stillpool.errors import StillpoolError
from stillpool.frontends.tflite import import_tflite
from stillpool.transforms.usmp.pose import pose

ROOT = Path(__file__).resolve().parents[3]
MODELS = [
    ROOT / "examples/digits/digits.tflite",
    *(ROOT.parent / "shared/models" / f"{name}.tflite" for name in ("kws_int8", "resnet8_int8", "hello_world_int8")),
]

MAY_BE_SOUND = ("add", "softmax", "max_pool2d", "average_pool2d")
"""Operators whose output may be sound on their dying input (a softmax of one row in place, a pooled row over the rows
it came from): the check runs such a call element by element to know."""


def planned(path: Path) -> ModuleOp:
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    module = import_tflite(path.read_bytes(), "model")
    pipeline.apply(module, pipeline.to_memref(), where="model")
    pipeline.apply(
        module, f"{pipeline.to_buffers(pipeline.Plan())},{pipeline.to_pools(pipeline.Plan())}", where="model"
    )
    return module


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_clash_is_caught(path: Path) -> None:
    module = planned(path)
    (posed,) = pose(module)
    problem, lives = posed.problem, posed.lives
    allocs = list(lives)
    positions = [set(range(min(life.operators), max(life.operators) + 1)) for life in lives.values()]
    calls = [op.callee.string_value() for op in entry_function(module).body.block.ops if isinstance(op, func.CallOp)]
    moved = 0
    for i, alloc in enumerate(allocs):
        kept = alloc.attributes["pool.offset"]
        for j in problem.neighbours[i]:
            shared = positions[i] & positions[j]
            if len(shared) == 1 and calls[shared.pop()].startswith(MAY_BE_SOUND):
                continue
            alloc.attributes["pool.offset"] = allocs[j].attributes["pool.offset"]
            with pytest.raises(StillpoolError, match=r"reads buffer|takes bytes|not aligned"):
                pipeline.apply(module, "usmp-check", where="model")
            moved += 1
        alloc.attributes["pool.offset"] = kept
    pipeline.apply(module, "usmp-check", where="model")
    assert moved


def test_an_output_ahead_of_its_input_is_caught() -> None:
    """In place is sound only at or below the input: one element above destroys what is still to be read."""
    module = planned(MODELS[0])
    (posed,) = pose(module)
    problem, lives = posed.problem, posed.lives
    allocs = list(lives)
    assert problem.leads, "the model has an elementwise operator"
    for output, given in problem.leads:
        offset = allocs[given].attributes["pool.offset"]
        assert isinstance(offset, IntegerAttr)
        allocs[output].attributes["pool.offset"] = IntegerAttr(offset.value.data + 1, i64)
        with pytest.raises(StillpoolError, match=r"reads buffer|takes bytes"):
            pipeline.apply(module, "usmp-check", where="model")

"""A buffer moved onto a live neighbour must be caught by `usmp-check`, always; what it lets pass must run right.

Whether a moved plan is right is decided by running it: the operators in C, on random inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from compiled_operators import Bytes, CompiledOperators
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from stillpool.driver import pipeline
from stillpool.driver.compile import prepare
from stillpool.errors import StillpoolError
from stillpool.planner import Problem
from stillpool.transforms.usmp.pose import pose
from stillpool.transforms.usmp.structure import pools

ROOT = Path(__file__).resolve().parents[3]
MODELS = [
    ROOT / "examples/digits/digits.tflite",
    *(ROOT.parent / "shared/models" / f"{name}.tflite" for name in ("kws_int8", "strww_int8", "resnet8_int8")),
]
SAMPLES = 2


class Mutants:
    """A planned model whose buffers can be moved."""

    def __init__(self, path: Path, folder: Path):
        if not path.exists():
            pytest.skip(f"{path.name} is not here")
        compilation = prepare(path)
        self.module: ModuleOp = compilation.module("pools")
        for pool in pools(self.module).values():
            # Room for every move: what is wrong is never only that a buffer leaves its pool.
            assert pool.size is not None
            pool.properties["size"] = IntegerAttr(pool.size.value.data * 4, i64)
        (posed,) = pose(self.module)
        self.problem: Problem = posed.problem
        self.leads = posed.directions.below | posed.directions.above
        self.allocs: list[memref.AllocOp] = [
            members[0] for members in posed.members if isinstance(members[0], memref.AllocOp)
        ]
        self._operators = CompiledOperators(compilation.artifact(), self.module, folder)
        source = np.random.default_rng(1)
        sizes = [self.problem.buffers[self.allocs.index(alloc)].size for alloc in self._operators.inputs]
        self._inputs: list[list[Bytes]] = [
            [source.integers(0, 256, size, np.uint8) for size in sizes] for _ in range(SAMPLES)
        ]
        self._expected = [self._operators.run(inputs) for inputs in self._inputs]

    def offset(self, index: int) -> int:
        attribute = self.allocs[index].attributes["pool.offset"]
        assert isinstance(attribute, IntegerAttr)
        return attribute.value.data

    def move(self, index: int, offset: int) -> None:
        self.allocs[index].attributes["pool.offset"] = IntegerAttr(offset, i64)

    def refusal(self) -> str | None:
        """What `usmp-check` says, None if it accepts the plan."""
        try:
            pipeline.apply(self.module, "usmp-check", where="model")
        except StillpoolError as error:
            return str(error)
        return None

    def runs_right(self) -> bool:
        """Whether the plan gives the results that it gave before it was changed."""
        found = (self._operators.run(inputs) for inputs in self._inputs)
        return all(
            np.array_equal(a, b)
            for got, expected in zip(found, self._expected, strict=True)
            for a, b in zip(got, expected, strict=True)
        )

    def moves(self, index: int) -> Iterator[tuple[int, int]]:
        """Neighbours, and offsets onto or next to each: its start, its end less a step, and where a lead ends."""
        buffer = self.problem.buffers[index]
        for other in self.problem.neighbours[index]:
            start, size = self.offset(other), self.problem.buffers[other].size
            ends = [start + size - buffer.alignment, start - buffer.size + buffer.alignment]
            if (index, other) in self.leads:
                ends += [start - self.leads[index, other], start - self.leads[index, other] + buffer.alignment]
            if (other, index) in self.leads:
                ends += [start + self.leads[other, index], start + self.leads[other, index] - buffer.alignment]
            for offset in dict.fromkeys([start, *ends]):
                if offset >= 0 and offset % buffer.alignment == 0 and offset != self.offset(index):
                    yield other, offset


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_clash_is_caught(path: Path, tmp_path: Path) -> None:
    mutants = Mutants(path, tmp_path)
    caught = 0
    for index in range(len(mutants.allocs)):
        kept = mutants.offset(index)
        for other, offset in list(mutants.moves(index)):
            mutants.move(index, offset)
            refusal = mutants.refusal()
            names = f"'{mutants.problem.buffers[index].name}' at {offset}, near '{mutants.problem.buffers[other].name}'"
            if refusal is None:
                assert mutants.runs_right(), f"{names} passed the check and runs wrong"
            else:
                assert "written over it" in refusal, f"{names}: {refusal}"
                caught += not mutants.runs_right()
        mutants.move(index, kept)
    assert mutants.refusal() is None
    assert caught


def test_an_output_ahead_of_its_input_is_caught(tmp_path: Path) -> None:
    """In place is sound only at or below the input: one element above destroys what is still to be read."""
    mutants = Mutants(MODELS[0], tmp_path)
    in_place = [pair for pair, distance in mutants.problem.leads.items() if distance == 0]
    assert in_place, "the model has an elementwise operator"
    for output, given in in_place:
        kept = mutants.offset(output)
        mutants.move(output, mutants.offset(given) + 1)
        assert not mutants.runs_right()
        assert "written over it" in (mutants.refusal() or "")
        mutants.move(output, kept)

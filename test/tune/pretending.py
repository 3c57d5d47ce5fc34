"""Tasks to tune, and workers that measure nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from stillpool.driver.compile.prepare import prepare
from stillpool.machines.cpus import get_cpu
from stillpool.tune.job import Job, Result
from stillpool.tune.measure import program_digest
from stillpool.tune.tasks import Tasks, tasks_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIGITS, NOVELTY = (EXAMPLES / name / f"{name}.tflite" for name in ("digits", "novelty"))


WINDOW = """
func.func @window(%x: tensor<1x6x6x8xi8>) -> (tensor<1x6x6x8xi8>) {
  %w = nn.constant dense<3> : tensor<8x3x3x8xi8>
  %b = nn.constant dense<7> : tensor<8xi32>
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] zero_points [2, 0, -1]
    rescale <[1500000000], [-8]> clamp <-128, 127> :
    (tensor<1x6x6x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>) -> tensor<1x6x6x8xi8>
  func.return %y : tensor<1x6x6x8xi8>
}
"""
"""A convolution with three taps side by side along two dimensions."""
PRODUCT = """
func.func @product(%x: tensor<4x14xi8>, %w: tensor<14x6xi8>) -> (tensor<4x6xi8>) {
  %y = nn.batch_matmul %x, %w zero_points [2, -3, -1] rescale <[1500000000], [-8]> clamp <-128, 127> :
    (tensor<4x14xi8>, tensor<14x6xi8>) -> tensor<4x6xi8>
  func.return %y : tensor<4x6xi8>
}
"""
"""Of two matrices neither of which is constant."""


def network(folder: Path) -> Path:
    """A file with two products after each other, which are two tasks."""
    rng, sizes, lines = np.random.default_rng(0), (24, 12, 10), list[str]()
    for number, (depth, count) in enumerate(pairwise(sizes)):
        filters, biases = rng.integers(-9, 10, (count, depth)).tolist(), rng.integers(-99, 99, count).tolist()
        types = f"tensor<1x{depth}xi8>, tensor<{count}x{depth}xi8>, tensor<{count}xi32>"
        lines += [
            f"%w{number} = nn.constant dense<{filters}> : tensor<{count}x{depth}xi8>",
            f"%b{number} = nn.constant dense<{biases}> : tensor<{count}xi32>",
            f"%x{number + 1} = nn.fully_connected %x{number}, %w{number}, %b{number} zero_points [0, 0, 0]",
            f"rescale <[1500000000], [-8]> clamp <-128, 127> : ({types}) -> tensor<1x{count}xi8>",
        ]
    last = len(sizes) - 1
    types = f"(%x0: tensor<1x{sizes[0]}xi8>) -> (tensor<1x{sizes[-1]}xi8>)"
    body = "\n  ".join([*lines, f"func.return %x{last} : tensor<1x{sizes[-1]}xi8>"])
    path = folder / "network.mlir"
    path.write_text(f"func.func @network{types} {{\n  {body}\n}}\n")
    return path


def tasks(model: Path = DIGITS, target: str = "cortex-m4") -> Tasks:
    """The tasks of a model."""
    return tasks_of(prepare(model).module("tasks"), get_cpu(target))


class Pretending:
    """Gives every candidate a cost that is made of its text; backwards if wanted, as if the last were done first."""

    def __init__(self, *, backwards: bool = False, wrong: str = "", strays: str = "", most: int | None = None):
        self.jobs: list[Job] = []
        self._backwards, self._wrong, self._strays, self._most = backwards, wrong, strays, most

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        numbers = range(len(jobs))[:: -1 if self._backwards else 1]
        for number in numbers:
            if self._most is not None and len(self.jobs) >= self._most:
                raise KeyboardInterrupt
            self.jobs.append(jobs[number])
            yield number, self._result(jobs[number])

    def _result(self, job: Job) -> Result:
        if "jam" in job.schedule and "unroll" in job.schedule:
            return Result(None, failed="too long")
        if self._strays and self._strays in job.schedule:
            return Result(None, wrong="it wrote at 0x20000000, which is not its own")
        outputs = "wrong" if self._wrong and self._wrong in job.schedule else "right"
        value = 1000 + int(hashlib.sha256(job.schedule.encode()).hexdigest()[:4], 16)
        return Result(value, 100, f"{program_digest(job.program)}:{outputs}")

    def close(self) -> None:
        pass

"""Measures schedules of common shapes, which come with the package: `lowering/schedule/known/common.jsonl`.

    .venv/bin/python bench/common_schedules.py [MEASUREMENTS]

The shapes are general, as small networks have them: fully connected layers between widths that are powers of two, of
bytes and of floats, and convolutions of one point, of 3x3 and by channel on small images. What is kept are the tasks
that take at least one percent less than with `--optimize speed` from GCC, and less from zig's clang. MEASUREMENTS
keeps what was measured with GCC, so that a second start goes on where the first one ended; by default it is
`build/common_schedules.jsonl`.
"""

from __future__ import annotations

import itertools
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stillpool.dialects.task.steps import Winograd
from stillpool.lowering.schedule.known.database import Database, Record, best_of
from stillpool.lowering.schedule.known.known import SHIPPED
from stillpool.tune.job import Job, Way
from stillpool.tune.measure import measured
from stillpool.tune.session import Tuned
from stillpool.tune.store import Store, exported
from stillpool.tune.tasks import Task
from stillpool.tune.tuning import Tuning, Wishes, workers_of

ROOT = Path(__file__).resolve().parents[1]
TARGET = "cortex-m4"
TRIALS = 16
OTHER = "zig"
"""The compiler that what is kept must be faster from, too: C does not know which one it will meet."""
LEAST_GAIN = 0.01
"""Part of what a task takes with `speed`."""


@dataclass(frozen=True)
class Layer:
    """One layer of a network."""

    operator: str
    attributes: str
    input: tuple[int, ...]
    filter: tuple[int, ...]
    output: tuple[int, ...]
    element: str = "i8"
    by_channel: bool = True
    """Whether each channel has a factor of its own, where elements are bytes."""

    def lines(self, number: int) -> tuple[str, str, list[str]]:
        """The types of input and output, and the operations; constants are at random."""
        generator = np.random.default_rng(number)
        types = ["x".join(map(str, shape)) + f"x{self.element}" for shape in (self.input, self.filter, self.output)]
        x, w, y = (f"tensor<{type}>" for type in types)
        channels = self.output[-1]
        if self.element == "f32":
            b, told = f"tensor<{channels}xf32>", "clamp <0.0, inf>"
            values = generator.standard_normal(self.filter).astype(np.float32).tobytes().hex().upper()
            bias = f'"0x{generator.standard_normal(channels).astype(np.float32).tobytes().hex().upper()}"'
        else:
            b, factors = f"tensor<{channels}xi32>", channels if self.by_channel else 1
            values = generator.integers(-127, 128, self.filter, np.int8).tobytes().hex().upper()
            bias = f"[{', '.join(map(str, generator.integers(-2000, 2000, channels)))}]"
            multipliers = ", ".join(map(str, generator.integers(1 << 30, 1 << 31, factors)))
            shifts = ", ".join(["-8"] * factors)
            told = f"zero_points [-128, 0, -128] rescale <[{multipliers}], [{shifts}]> clamp <-128, 127>"
        return (
            x,
            y,
            [
                f'%w{number} = nn.constant dense<"0x{values}"> : {w}',
                f"%b{number} = nn.constant dense<{bias}> : {b}",
                f"%y{number} = nn.{self.operator} %x{number}, %w{number}, %b{number} {self.attributes} {told} : "
                f"({x}, {w}, {b}) -> {y}",
            ],
        )


def layers() -> Iterator[Layer]:
    """The layers."""
    for outputs, by_channel in itertools.product((8, 16, 32), (False, True)):
        yield connected(2, outputs, by_channel=by_channel)
    for inputs, outputs in itertools.product((32, 64, 128), repeat=2):
        yield connected(inputs, outputs, "f32")
    yield window("conv2d", 4, 64, 1)
    yield window("conv2d", 4, 64, 3)
    yield window("depthwise_conv2d", 4, 64, 3)


def connected(inputs: int, outputs: int, element: str = "i8", *, by_channel: bool = True) -> Layer:
    """A fully connected layer of one row."""
    return Layer("fully_connected", "", (1, inputs), (outputs, inputs), (1, outputs), element, by_channel)


def window(operator: str, side: int, channels: int, size: int) -> Layer:
    """A convolution that keeps the sides of a square image."""
    image, pad = (1, side, side, channels), size // 2
    attributes = f"strides [1, 1] pads [{pad}, {pad}, {pad}, {pad}] dilations [1, 1]"
    filter = (channels, size, size, channels) if operator == "conv2d" else (1, size, size, channels)
    return Layer(operator, attributes, image, filter, image)


def module(wanted: list[Layer]) -> str:
    """A module with all layers, each with an input and an output of its own."""
    arguments, results, lines = list[str](), list[str](), list[str]()
    for number, layer in enumerate(wanted):
        x, y, operations = layer.lines(number)
        arguments.append(f"%x{number}: {x}")
        results.append(y)
        lines += operations
    returned = ", ".join(f"%y{number}" for number in range(len(results)))
    types = ", ".join(results)
    body = "\n  ".join([*lines, f"func.return {returned} : {types}"])
    return f"func.func @common({', '.join(arguments)}) -> ({types}) {{\n  {body}\n}}\n"


def kept_of(one: Tuned) -> list[Record]:
    """Return the measured records of a task that are worth a place in the package: the fastest that is so from another
    compiler, too, with what it was compared with.

    Transformed constants are left out: what they save has to be asked for.
    """
    speed = one.speed
    if speed is None or speed.value is None:
        return []
    compared = [record for _, record in sorted(one.records.items()) if record.role]
    found = [record for record in one.records.values() if Winograd.keyword not in record.schedule]
    usual = from_other(one.task, speed)
    while (best := best_of(found)) is not None and best.value is not None:
        if best.value > (1 - LEAST_GAIN) * speed.value:
            return []
        if from_other(one.task, best) < usual:
            return [*compared, best]
        found.remove(best)
    return []


def from_other(task: Task, record: Record) -> float:
    """Return the cost of a schedule from the other compiler; infinite where it has none."""
    job = Job(task.program, task.place.function, task.place.number, record.schedule, Way(TARGET, cc=OTHER))
    value = measured(job).value
    return math.inf if value is None else value


def main() -> None:
    """Measure, and write what comes with the package."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "common_schedules.jsonl"
    store, way = Store(path), Way(TARGET)
    kept: list[Record] = []
    workers = workers_of(way, os.cpu_count() or 1, None)
    try:
        for wanted in (list(same) for _, same in itertools.groupby(layers(), lambda one: (one.operator, one.element))):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "common.mlir"
                file.write_text(module(wanted))
                tuning = Tuning(file, store, Wishes(way, trials=TRIALS))
            tuning.run(workers)
            total, what = tuning.total(), f"{len(wanted)} {wanted[0].operator} of {wanted[0].element}"
            print(f"{what}: {total['speed']:,.0f} instructions with speed, {total['best']:,.0f} at best", flush=True)
            kept += [record for one in tuning.session.tuned for record in kept_of(one)]
    finally:
        workers.close()
    shipped = Database(kept)
    SHIPPED.write_bytes(exported(shipped))
    print(f"{len(shipped.tasks())} tasks: {SHIPPED}")


if __name__ == "__main__":
    main()

"""Measures schedules of common shapes, which come with the package: `lowering/schedule/known/common.jsonl`.

    .venv/bin/python bench/common_schedules.py [MEASUREMENTS]

The shapes are general: fully connected layers between widths that are powers of two, with activation, quantised by
tensor and by channel. MEASUREMENTS keeps everything that was measured, so that a second start goes on where the first
one ended; by default it is `build/common_schedules.jsonl`.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from stillpool.lowering.schedule.known import Database
from stillpool.lowering.schedule.known.known import SHIPPED
from stillpool.tune.job import Way
from stillpool.tune.store import Store, exported
from stillpool.tune.tuning import Tuning, Wishes, workers_of

ROOT = Path(__file__).resolve().parents[1]
TARGET = "cortex-m4"
TRIALS = 16
WIDTHS = (64, 128)


def layers() -> str:
    """A module with one layer of each kind, each with an input and an output of its own."""
    arguments, results, lines = list[str](), list[str](), list[str]()
    for number, (inputs, outputs, by_channel) in enumerate(itertools.product(WIDTHS, WIDTHS, (False, True))):
        generator = np.random.default_rng((inputs, outputs, by_channel))
        weights = generator.integers(-127, 128, (outputs, inputs), np.int8).tobytes().hex().upper()
        bias = ", ".join(map(str, generator.integers(-2000, 2000, outputs)))
        count = outputs if by_channel else 1
        multipliers = ", ".join(map(str, generator.integers(1 << 30, 1 << 31, count)))
        shifts = ", ".join(["-8"] * count)
        arguments.append(f"%x{number}: tensor<1x{inputs}xi8>")
        results.append(f"tensor<1x{outputs}xi8>")
        lines += [
            f'%w{number} = nn.constant dense<"0x{weights}"> : tensor<{outputs}x{inputs}xi8>',
            f"%b{number} = nn.constant dense<[{bias}]> : tensor<{outputs}xi32>",
            f"%y{number} = nn.fully_connected %x{number}, %w{number}, %b{number} zero_points [-128, 0, -128] "
            f"rescale <[{multipliers}], [{shifts}]> clamp <-128, 127> : "
            f"(tensor<1x{inputs}xi8>, tensor<{outputs}x{inputs}xi8>, tensor<{outputs}xi32>) -> tensor<1x{outputs}xi8>",
        ]
    returned = ", ".join(f"%y{number}" for number in range(len(results)))
    types = ", ".join(results)
    body = "\n  ".join([*lines, f"func.return {returned} : {types}"])
    return f"func.func @common({', '.join(arguments)}) -> ({types}) {{\n  {body}\n}}\n"


def main() -> None:
    """Measure, and write what comes with the package."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "common_schedules.jsonl"
    store, way = Store(path), Way(TARGET)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "common.mlir"
        file.write_text(layers())
        tuning = Tuning(file, store, Wishes(way, trials=TRIALS))
    workers = workers_of(way, os.cpu_count() or 1, None)
    try:
        tuning.run(workers)
    finally:
        workers.close()
    wanted = {one.task.digest for one in tuning.session.tuned}
    SHIPPED.write_bytes(exported(Database.of(one for one in store.database.records.values() if one.task in wanted)))
    total = tuning.total()
    print(f"{total['speed']:,.0f} instructions with speed, {total['best']:,.0f} at best: {SHIPPED}")


if __name__ == "__main__":
    main()

"""Time of one inference on this machine with schedules for it, beside LiteRT: ratios, measured in turns in one run.

Usage: python bench/host_speed.py [MODEL.tflite ...] [--cc COMMAND] [--rounds N]
The models are the int8 ones of MLPerf Tiny in ../shared/models beside the repository; without them the shipped example
is measured, alone. The C is compiled with -O3 -march=native, LiteRT runs with one thread, without its delegate and with
XNNPACK. Of all rounds the fastest inference counts: what else runs on the machine makes others slower.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stillpool
from stillpool.cli.tables import rendered, table
from stillpool.run.host import HostProgram
from stillpool.run.samples import random_inputs

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT.parent / "shared" / "models"
NAMES = ("ad01_int8", "kws_int8", "resnet8_int8", "vww_int8")
EXAMPLE = ROOT / "examples" / "digits" / "digits.tflite"
FLAGS = ("-O3", "-march=native")
REPEATS = 100
"""Inferences in a round."""


def litert(path: Path, *, delegate: bool) -> Callable[[], float]:
    """A function that gives microseconds of the fastest of some inferences."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = OpResolverType.AUTO if delegate else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(os.fspath(path), num_threads=1, experimental_op_resolver_type=kind)
    interpreter.allocate_tensors()
    details: Any = interpreter.get_input_details()
    for detail in details:
        interpreter.set_tensor(detail["index"], np.zeros(detail["shape"], detail["dtype"]))

    def round() -> float:
        found = list[int]()
        for _ in range(REPEATS):
            begin = time.perf_counter_ns()
            interpreter.invoke()
            found.append(time.perf_counter_ns() - begin)
        return min(found) / 1000

    return round


def ours(path: Path, optimize: str | None) -> Callable[[], float]:
    """Return the time of the C."""
    artifact = stillpool.compile(path, optimize=optimize) if optimize else stillpool.compile(path)
    program = HostProgram(artifact.interface, artifact.program_code, flags=FLAGS)
    inputs = random_inputs(artifact.description, 1, 0)
    return lambda: min(program.run(inputs, repeats=REPEATS).microseconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--cc", help="command of the C compiler")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    if given.cc:
        os.environ["CC"] = given.cc
    public = [path for name in NAMES if (path := MODELS / f"{name}.tflite").exists()]
    rows: list[tuple[object, ...]] = []
    for path in given.models or public or [EXAMPLE]:
        ways = [litert(path, delegate=False), litert(path, delegate=True), ours(path, None), ours(path, "speed")]
        best = [float("inf")] * len(ways)
        for _ in range(given.rounds):
            best = [min(least, way()) for least, way in zip(best, ways, strict=True)]
        to_litert, to_xnnpack = best[3] / best[0], best[3] / best[1]
        rows.append((path.stem, *(round(each, 1) for each in best), round(to_litert, 2), round(to_xnnpack, 2)))
    heads = ("model", "LiteRT us", "XNNPACK us", "plain us", "speed us", "to LiteRT", "to XNNPACK")
    print(rendered(table(f"one inference, one thread; C compiled with {' '.join(FLAGS)}", heads, rows)))


if __name__ == "__main__":
    main()

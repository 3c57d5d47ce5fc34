"""Where the time of a compilation goes: CPU seconds per step, without the C compiler.

Usage: python bench/compile_time.py [MODEL.tflite] [--json FILE]
The default model is ../shared/models/vww_int8.tflite beside the repository, else the shipped example.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
VWW = ROOT.parent / "shared" / "models" / "vww_int8.tflite"
EXAMPLE = ROOT / "examples" / "digits" / "digits.tflite"


class Clock:
    """Sums CPU seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, step: str, work: Callable[[], T]) -> T:
        """Do `work` and book its CPU time under `step`."""
        start = time.process_time()
        result = work()
        self.seconds[step] = self.seconds.get(step, 0.0) + time.process_time() - start
        return result


def measure(path: Path) -> dict[str, float]:
    """CPU seconds per step, from starting Python's imports to the last byte of C."""
    clock = Clock()

    def imports() -> None:
        import numpy  # noqa: F401
        import tflite  # noqa: F401

        import stillpool.driver.compile.prepare  # noqa: F401

    clock.time("imports", imports)
    from stillpool.driver import pipeline
    from stillpool.driver.compile import c_source
    from stillpool.driver.compile.describe import Signature, describe
    from stillpool.driver.compile.prepare import prepare
    from stillpool.targets.interfaces.native import Native

    compilation = clock.time("import model", lambda: prepare(path))
    module = compilation.model.nn.clone()

    def run(*passes: ModulePass) -> None:
        for one in passes:
            clock.time(one.name, lambda one=one: pipeline.apply(module, (one,), where=str(path)))

    run(*pipeline.to_simplified(compilation.plan), *pipeline.to_tasks(compilation.plan), *pipeline.to_memref())
    signature = Signature.of(module)
    run(*pipeline.to_buffers(compilation.plan), *pipeline.to_pools(compilation.plan))
    planned = clock.time("describe", module.clone)
    run(*pipeline.to_materialised())
    native = Native(clock.time("describe", lambda: describe(signature, planned, module, name=compilation.model.name)))
    emit: list[float] = []

    def emit_c(lowered: object) -> None:
        start = time.process_time()
        pipeline.apply(module, pipeline.to_emitc(), where=str(path))
        emit.append(time.process_time() - start)

    clock.time("print C", lambda: c_source.c_sources(native, module, {}, emit_c))
    clock.seconds["print C"] -= sum(emit)
    clock.seconds["emit-c"] = sum(emit)
    return clock.seconds


def main() -> None:
    """Measure, print a table, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=VWW if VWW.exists() else EXAMPLE)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    seconds = measure(arguments.model)
    total = sum(seconds.values())
    for step, value in [*seconds.items(), ("total", total)]:
        print(f"{step:28} {value:7.3f} s {value / total:6.1%}")
    if arguments.json:
        document = {
            "model": arguments.model.name,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cpu_seconds": {step: round(value, 3) for step, value in seconds.items()},
            "total_cpu_seconds": round(total, 3),
        }
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()

"""One model on one target, in figures: a program of its own, so that it can be stopped when it takes too long.

Usage: python bench/model_figures.py MODEL.tflite TARGET [--opt LEVEL] [--cc gcc|zig|PROGRAM]
Prints one JSON document. TARGET is a processor, which is emulated, or `host`: this machine, where time is measured.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HOST = "host"
HOST_SECONDS = 0.5
"""Time to spend on measuring times."""


def emulated(path: Path, target: str, opt: str, cc: str | None) -> dict[str, Any]:
    """Figures of one inference on an emulated processor; raises what `emulate` raises."""
    import stillpool
    from stillpool.machines.cpus import get_cpu
    from stillpool.run.emulate.emulator import emulate
    from stillpool.run.samples import random_inputs

    artifact = stillpool.compile([stillpool.load(path)], target=target)
    stacked = random_inputs(artifact.description, 1, 0)
    figures = emulate(artifact, get_cpu(target), stacked, cc=cc, opt=opt).figures
    keys = ("emulator", "compiler", "instructions", "estimated_cycles", "stack_bytes", "worst_case_stack_bytes")
    document = figures.document()
    macs = sum(operator.macs for operator in artifact.description.operators)
    return {key: document[key] for key in keys} | {"macs": macs, "flash": document["flash"], "ram": document["ram"]}


def on_host(path: Path) -> dict[str, Any]:
    """The median time of one inference on this machine."""
    import stillpool
    from stillpool.run.host import FLAGS, find_compiler
    from stillpool.run.samples import random_inputs

    artifact = stillpool.compile([stillpool.load(path)])
    stacked = random_inputs(artifact.description, 1, 0)
    once = max(artifact.execute(stacked, repeats=2).median_microseconds, 0.1)
    repeats = min(100_000, max(5, round(HOST_SECONDS * 1e6 / once)))
    compiler = find_compiler()
    said = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    return {
        "compiler": " ".join([*(said[:1] or compiler), *FLAGS]),
        "median_us": artifact.execute(stacked, repeats=repeats).median_microseconds,
        "macs": sum(operator.macs for operator in artifact.description.operators),
    }


def measured(path: Path, target: str, opt: str, cc: str | None, seconds: float) -> dict[str, Any]:
    """The figures, from a process that is ended after `seconds`; `{"missing": reason}` where there are none."""
    command = [sys.executable, __file__, str(path), target, "--opt", opt, *(["--cc", cc] if cc else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"missing": f"took longer than {seconds:g} s"}
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["no reason given"])[-1]}
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("target")
    parser.add_argument("--opt", default="2")
    parser.add_argument("--cc")
    given = parser.parse_args()
    from stillpool.errors import StillpoolError

    try:
        found = (
            on_host(given.model) if given.target == HOST else emulated(given.model, given.target, given.opt, given.cc)
        )
    except StillpoolError as error:
        sys.exit(str(error).splitlines()[0])
    print(json.dumps(found))


if __name__ == "__main__":
    main()

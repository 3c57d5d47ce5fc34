"""The planner on benchmark files, models and generated problems: bytes, bound, gap, CPU seconds, memory.

Usage: python bench/planner.py [--files DIR] [--models DIR] [--large COUNT ...] [--json FILE]
Files are CSV (`NAME.CAPACITY.csv`) and, in `conflicts/`, JSON; the defaults are ../shared/planner and ../shared/models
beside the repository.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from planner_models import models, table

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def measure(problem: Any, seconds: float) -> dict[str, Any]:
    """One plan, in figures."""
    from stillpool.planner import plan

    start = time.process_time()
    pools = plan(problem, seconds=seconds).pools
    return {
        "buffers": len(problem.buffers),
        "bytes": sum(pool.size for pool in pools),
        "lower_bound_bytes": sum(pool.lower_bound for pool in pools),
        "proved_optimal": all(pool.optimal for pool in pools),
        "cpu_seconds": round(time.process_time() - start, 2),
    }


def file(path: Path) -> dict[str, Any]:
    """A benchmark file, at the capacity in its name."""
    from stillpool.planner import files

    is_csv = path.suffix == ".csv"
    problem = files.read_csv(path, int(path.name.split(".")[-2])) if is_csv else files.read_json(path)
    return {"name": path.name, **measure(problem, 20)}


def large(arguments: tuple[str, int, bool]) -> dict[str, Any]:
    """A generated problem, with or without numba, in a process of its own."""
    sys.path.insert(0, str(ROOT / "bench"))
    from planner_generator import generate

    kind, count, is_compiled = arguments
    problem = generate(kind, count)
    if not is_compiled:
        from stillpool.planner import large as module

        vars(module)["find_spec"] = lambda name: None
    found = measure(problem, 2)
    gap = found["bytes"] / found["lower_bound_bytes"] - 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"kind": kind, "numba": is_compiled, **found, "gap": round(gap, 5), "process_mib": peak}


def main() -> None:
    """Measure, print, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, default=SHARED / "planner")
    parser.add_argument("--models", type=Path, default=SHARED / "models")
    parser.add_argument("--large", type=int, nargs="*", default=[100_000])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    document: dict[str, list[dict[str, Any]]] = {"csv": [], "conflicts": [], "models": models(arguments.models)}
    print(table(document["models"]), flush=True)
    document["generated"] = []
    for group, pattern in (("csv", "*.csv"), ("conflicts", "conflicts/*.json")):
        for path in sorted(arguments.files.glob(pattern)):
            document[group].append(file(path))
            print(document[group][-1], flush=True)
    compiled = (True, False) if find_spec("numba") else (False,)
    for count in arguments.large:
        for kind in ("transformer", "random"):
            for is_compiled in compiled:
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    document["generated"] += pool.map(large, [(kind, count, is_compiled)])
                print(document["generated"][-1], flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Fit the tables of `machines/cost_tables`, and say how far estimates are from what runs.

    python bench/schedule_costs.py TARGET [MODEL.tflite ...] [--ways speed,balanced,size,plain] [--cc COMPILER]
                                   [--kept] [--check] [--record]

Every model is compiled each way and run on the emulated processor: what is measured of each operator is kept in
build/costs, and only what has changed since is run again (`--kept`: nothing is, all that is there counts). The costs of
kinds of operations that explain it best become the processor's table, and the errors of whole models are printed: with
the table, and in brackets with one that was made without the model. `--check` compares with the table that is there;
`--record` writes what is printed to bench/results/schedule_costs.json, too, and
prints all that is there as the table of docs/internals/estimates.md. Without models those of ../shared/models are
taken. Fitting needs scipy (`pip install scipy`); the emulator is the extra `emulate`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from cost_fit import Fit
from cost_rows import PLAIN, VARIANTS, WAYS, Measured, measured, read
from cost_table import table

from stillpool.errors import StillpoolError
from stillpool.machines.costs import TABLES
from stillpool.machines.cpus import Cpu, get_cpu

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT.parent / "shared" / "models"
KEPT = ROOT / "build" / "costs"
RESULTS = ROOT / "bench" / "results" / "schedule_costs.json"
PROCESSES = 2


def measured_all(models: Sequence[Path], cpu: Cpu, ways: Sequence[str], cc: str | None) -> list[Measured]:
    """Every model, every way; what cannot be compiled or run is said and left out."""
    jobs = [(path, way) for path in models for way in ways]
    with ProcessPoolExecutor(PROCESSES) as pool:
        found = pool.map(partial(_one, cpu=cpu, cc=cc), jobs)
        return [one for one in found if one is not None]


def _one(job: tuple[Path, str], cpu: Cpu, cc: str | None) -> Measured | None:
    path, way = job
    try:
        found = measured(path, cpu, way, cc, KEPT)
    except StillpoolError as error:
        print(f"left out: {path.stem} {way}: {error}", flush=True)
        return None
    print(f"measured: {path.stem} {way}", flush=True)
    return found


def shown(fit: Fit, ways: Sequence[str]) -> dict[str, dict[str, dict[str, float]]]:
    """Print errors in percent by model and way, and give them as they are recorded."""
    document: dict[str, dict[str, dict[str, float]]] = {}
    print(f"{'error of instructions, percent':34}" + "".join(f"{way:>18}" for way in ways))
    for model in fit.models:
        cells: list[str] = []
        for way in ways:
            error = fit.error(model, way)
            cells.append("" if error is None else f"{error.own:+.1f} ({error.held_out:+.1f})")
            if error is not None:
                document.setdefault(model, {})[way] = {
                    "instructions": error.measured,
                    "error": round(error.own, 2),
                    "error_held_out": round(error.held_out, 2),
                    "code_error": round(error.code, 2),
                }
        print(f"{model:34}" + "".join(f"{cell:>18}" for cell in cells))
    return document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--ways", default=",".join((*WAYS, PLAIN)), help=f"further ones: {', '.join(VARIANTS)}")
    parser.add_argument("--cc")
    parser.add_argument("--kept", action="store_true", help="measure nothing")
    parser.add_argument("--check", action="store_true", help="fit nothing")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_intermixed_args()
    cpu, ways = get_cpu(given.target), given.ways.split(",")
    if not given.kept:
        measured_all(given.models or sorted(MODELS.glob("*.tflite")), cpu, ways, given.cc)
    fit = Fit(read(KEPT, cpu), cpu, is_fitted=not given.check)
    errors = shown(fit, ways)
    if not given.check:
        text = json.dumps({"instructions": fit.instructions, "code": fit.code}, indent=1, sort_keys=True)
        (TABLES / f"{cpu.cost_table}.json").write_text(text + "\n", encoding="utf-8")
    if given.record:
        known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        known[cpu.name] = errors
        RESULTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(table(known))


if __name__ == "__main__":
    main()

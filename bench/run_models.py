"""Public models on emulated processors and on this machine, beside TFLite Micro with CMSIS-NN.

Usage: python bench/run_models.py [MODEL.tflite ...] [--record] [--targets T,T] [--opt LEVEL] [--cc PROGRAM] ...
The models are those of ../shared/models beside the repository, the peers' figures ../shared/peers/tflm.json; without
them the shipped example is measured, alone. A run of everything at the default level is recorded in
bench/results/models.json under the release that the checkout is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import history
from model_figures import HOST, measured
from model_tables import emulated_table, host_table
from peers import Peers

from stillpool.cli.tables import rendered
from stillpool.machines.cpus import get_cpu

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
EXAMPLE = ROOT / "examples" / "digits" / "digits.tflite"
RESULTS = ROOT / "bench" / "results" / "models.json"
TARGETS = ("cortex-m4", "cortex-m0plus", "cortex-m33", "rv32imc", HOST)
OPT = "2"


def main() -> None:
    """Measure, print what there is and what is missing, and record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--opt", default=OPT)
    parser.add_argument("--cc")
    parser.add_argument("--record", action="store_true", help="record a run of some models, too")
    parser.add_argument("--seconds", type=float, default=300, help="that one model may take on one target")
    given = parser.parse_args()
    public = sorted((SHARED / "models").glob("*.tflite"))
    models: list[Path] = given.models or public or [EXAMPLE]
    targets: list[str] = given.targets.split(",")
    peers = Peers.read(SHARED / "peers" / "tflm.json")
    chosen = bool(public) and (given.record or not given.models)
    whole = chosen and tuple(targets) == TARGETS and (given.opt, given.cc) == (OPT, None)

    results = measure_all(models, targets, given.opt, given.cc, given.seconds)
    missing = absent(targets, peers, bool(public), given.cc)
    missing += [
        f"{model.stem} on {target}: {entry['missing']}"
        for (model, target), entry in results.items()
        if "missing" in entry
    ]
    by_target: dict[str, dict[str, dict[str, Any]]] = {target: {} for target in targets}
    for (model, target), entry in results.items():
        if "missing" not in entry:
            peer = peers.on_host(model) if target == HOST else peers.emulated(model, target)
            by_target[target][model.stem] = {**entry, "peer": peer}
    before = history.earlier(RESULTS, history.version())
    print(rendered(*tables(by_target, before)))
    for line in missing:
        print(f"missing: {line}")
    if whole:
        history.record(RESULTS, history.version(), {"opt": given.opt, "missing": missing, "targets": by_target})
        print(f"recorded release {history.version()} in {RESULTS.relative_to(ROOT)}")


def measure_all(
    models: list[Path], targets: list[str], opt: str, cc: str | None, seconds: float
) -> dict[tuple[Path, str], dict[str, Any]]:
    """Figures by model and target: emulated ones side by side, times on this machine after them, one by one."""
    cases = [(model, target) for target in targets if target != HOST for model in models]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(cases, pool.map(lambda case: told(*case, opt, cc, seconds), cases), strict=True))
    if HOST in targets:
        found |= {(model, HOST): told(model, HOST, opt, None, seconds) for model in models}
    return found


def told(model: Path, target: str, opt: str, cc: str | None, seconds: float) -> dict[str, Any]:
    """`measured`, with a word on standard error when it is done."""
    found = measured(model, target, opt, cc, seconds)
    print(f"{model.stem} on {target}: {found.get('missing', 'measured')}", file=sys.stderr, flush=True)
    return found


def absent(targets: list[str], peers: Peers, public: bool, cc: str | None) -> list[str]:
    """Parts that the comparison lacks, in words."""
    lines = [] if public else ["../shared/models is not here: only the shipped example is measured"]
    if not peers.document:
        lines.append("../shared/peers/tflm.json is not here: there is nothing to compare with")
    for target in targets:
        if target == HOST:
            continue
        gcc = f"{get_cpu(target).gcc_prefix}gcc"
        if cc is None and shutil.which(gcc) is None:
            theirs = f", the peers by {peers.compiler}" if peers.has(target) else ""
            lines.append(f"{gcc} is not installed: {target} is compiled by zig{theirs}")
        if peers.document and not peers.has(target):
            lines.append(f"the peers have no figures of {target}")
    return lines


def tables(by_target: dict[str, dict[str, dict[str, Any]]], before: tuple[str, dict[str, Any]] | None) -> list[Any]:
    """One table for each target that has figures."""
    made: list[Any] = []
    for target, models in by_target.items():
        if not models:
            continue
        compiler = next(iter(models.values()))["compiler"]
        if target == HOST:
            made.append(host_table(compiler, models))
        else:
            made.append(
                emulated_table(target, compiler, models, before[1]["targets"].get(target, {}) if before else {})
            )
    return made


if __name__ == "__main__":
    main()

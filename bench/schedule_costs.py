"""Fit the table of `machines/costs.py` for a processor, and say how far its sums are from what runs.

    python bench/schedule_costs.py cortex-m4 MODEL.tflite ... [--cc COMPILER] [--check]

Every model is compiled without schedules and with each of their variants, run on the emulated processor, and its
operators' instructions and the sizes of their functions are compared with what `lowering.schedule.cost` counts in their
loops. `--check` compares with the table that is there instead of fitting one. Fitting needs scipy
(`pip install scipy`); the emulator is the extra `emulate`. Functions that C compilers would put into their callers are
kept apart, all of those that read or write memory.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, UnitAttr
from xdsl.ir import Operation

import stillpool
from stillpool.driver.emulate.build import build
from stillpool.driver.emulate.emulator import emulate
from stillpool.driver.samples import random_inputs
from stillpool.lowering.emit_c import func_ops, no_inline
from stillpool.lowering.schedule import schedule_pass
from stillpool.lowering.schedule.cost.counts import Counts
from stillpool.lowering.schedule.variants import Variant, variants
from stillpool.machines.cpus import Cpu, get_cpu

_LEAST = {"instructions": 2000.0, "code": 100.0}
"""Sums below which errors are not relative any more."""
_PRIOR = {"instructions": 1.0, "code": 4.0}
"""What an operation costs of a kind that is rare."""
_TRUST = 0.02
"""In the prior, compared with what is measured."""


@dataclass(frozen=True)
class Row:
    """A function as it was counted and measured."""

    model: str
    counted: Mapping[str, Mapping[str, float]]
    measured: Mapping[str, float]
    """Both by `instructions` and `code`."""


def _keep_apart() -> None:
    """Let no function that has memrefs be put into its caller."""

    def specifiers(op: Operation) -> tuple[str, ...]:
        types = op.function_type.inputs if isinstance(op, func.FuncOp) else ()
        if any(isinstance(type, MemRefType) for type in types):
            op.attributes[no_inline.NO_INLINE] = UnitAttr()
        return specified(op)

    specified = no_inline.specifiers
    no_inline.specifiers = func_ops.specifiers = specifiers


def rows_of(path: Path, cpu: Cpu, variant: Variant | None, cc: str | None) -> list[Row]:
    """Every function that operators call, of one compilation; without a variant of schedules, that of plain loops."""
    schedule_pass.variants = lambda _: (variant,) if variant else ()
    artifact = stillpool.compile(path, target=cpu.name, optimize="speed") if variant else stillpool.compile(path)
    counts = {
        op.sym_name.data: Counts(op.body.block)
        for op in artifact.level("memref").walk()
        if isinstance(op, func.FuncOp) and op.body.blocks
    }
    figures = emulate(artifact, cpu, random_inputs(artifact.description, 1, 0), cc=cc).figures
    with tempfile.TemporaryDirectory() as folder:
        image = build(artifact, cpu, Path(folder), cc=cc).image
    # GCC adds what it did to a function, as in `conv2d_0.constprop.0`.
    sizes = {name.partition(".")[0]: symbol.bytes for name, symbol in image.by_name.items()}
    found: dict[str, Row] = {}
    for one in figures.operators:
        name = one.operator.function
        # The planner may turn a function; its loops stay.
        counted = counts.get(name) or counts.get(name.removesuffix("_backwards"))
        if counted is None or name not in sizes:
            continue
        found[name] = Row(
            f"{path.stem} {variant.value if variant else 'plain'}",
            {"instructions": counted.run, "code": counted.static},
            {"instructions": one.instructions, "code": sizes[name]},
        )
    return list(found.values())


def fitted(rows: Sequence[Row], what: str) -> dict[str, float]:
    """Costs of each kind that explain the measured sums best, none below zero."""
    from scipy.optimize import nnls  # pyright: ignore

    kinds = sorted({kind for row in rows for kind in row.counted[what]})
    counted = np.array([[row.counted[what].get(kind, 0.0) for kind in kinds] for row in rows])
    measured = np.array([row.measured[what] for row in rows])
    weights = 1 / np.maximum(measured, _LEAST[what])
    trust = np.linalg.norm(counted * weights[:, None], axis=0) * _TRUST
    system = np.vstack([counted * weights[:, None], np.diag(trust)])
    costs, _ = nnls(system, np.concatenate([measured * weights, trust * _PRIOR[what]]))
    return {kind: round(float(cost), 2) for kind, cost in zip(kinds, costs, strict=True)}


def show_errors(rows: Sequence[Row], costs: Mapping[str, float], what: str) -> None:
    """Print for each compilation how far the sum of its functions is off."""
    for model in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == model]
        real = sum(row.measured[what] for row in own)
        other = costs.get("other", _PRIOR[what])
        ours = sum(n * costs.get(kind, other) for row in own for kind, n in row.counted[what].items())
        print(f"{model:40} {what:12} {real:14,.0f} {100 * (ours / real - 1):+6.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--cc")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    cpu = get_cpu(args.target)
    _keep_apart()
    rows = [
        row
        for path in args.models
        for variant in (None, *variants(cpu))
        for row in rows_of(path, cpu, variant, args.cc)
    ]
    for what, known in (("instructions", cpu.costs.instructions), ("code", cpu.costs.code)):
        costs = known if args.check else fitted(rows, what)
        print(what, costs)
        show_errors(rows, costs, what)


if __name__ == "__main__":
    main()

"""Every public model and small network, for every processor and objective, as it is and by rows: equal results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import models
import pytest
import sweeps

import stillpool
from stillpool.driver.options.options import OBJECTIVES
from stillpool.machines.cpus import cpu_names
from stillpool.run.verify import verify

SMALL = Path(__file__).parents[1] / "conformance" / "networks"
OPEN = ("bigdyn_float",)
"""Networks whose inputs have no shape."""
QUICK = ("hello_world_int8", "hello_world_float", "simple_add_model", "split_concat", "trained_lstm_int8")
"""Models that take little time."""
THINNED, THINNED_QUICK = 17, 11
"""Every which way is taken, of large models and of quick ones; all of them in the long sweep. Both are odd: every
second way is by rows."""

WAYS = [
    (target, objective, rows)
    for target in cpu_names()
    for objective in (*OBJECTIVES, None)
    for rows in ("off", "on")
    if target != "host" or objective is None
]


def cases() -> Iterator[tuple[Path, str, str | None, str]]:
    """Models, each with the ways in which it is compiled; those of large ones differ from model to model."""
    small = [path for path in sorted(SMALL.glob("*.tflite")) if path.stem not in OPEN]
    public = [models.PUBLIC / f"{name}.tflite" for name in models.usual_public()]
    for number, path in enumerate([*small, *public]):
        is_quick = path.parent == SMALL or path.stem in QUICK
        step = sweeps.size(THINNED_QUICK if is_quick else THINNED, long=1)
        for target, objective, rows in WAYS[number % step :: step]:
            yield path, target, objective, rows


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("path", "target", "objective", "rows"),
    [pytest.param(*case, id="-".join((case[0].stem, *map(str, case[1:])))) for case in cases()],
)
def test_compiles_and_computes_the_same(path: Path, target: str, objective: str | None, rows: str) -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    options: dict[str, Any] = {"target": target, "rows": rows, "planner_seconds": 0.05}
    if objective is not None:
        options["optimize"] = objective
    verdict = verify(stillpool.compile(path, **options), samples=1)
    assert verdict.passed, verdict

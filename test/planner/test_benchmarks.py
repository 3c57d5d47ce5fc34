"""The benchmark files, where they lie beside the repository: solved at capacity, never above local search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stillpool.planner import files, plan

FILES = Path(__file__).resolve().parents[3] / "shared" / "planner"
CSV = sorted(FILES.glob("*.csv"))
CONFLICTS = sorted(FILES.glob("conflicts/*.json"))

pytestmark = pytest.mark.skipif(not CSV, reason="needs the planner benchmarks beside the repository")


@pytest.mark.parametrize("path", CSV, ids=lambda path: path.stem)
def test_dense_problems_are_solved_at_capacity(path: Path) -> None:
    capacity = int(path.name.split(".")[-2])
    (pool,) = plan(files.read_csv(path, capacity), seconds=20).pools
    assert pool.size <= capacity
    assert pool.optimal


@pytest.mark.parametrize("path", CONFLICTS, ids=lambda path: path.stem)
def test_explicit_conflicts_need_no_more_than_local_search(path: Path) -> None:
    known = json.loads(path.read_text(encoding="utf-8"))["known"]["hill_climb"]
    pools = plan(files.read_json(path)).pools
    assert sum(pool.size for pool in pools) <= sum(known.values())
    assert all(pool.optimal for pool in pools)

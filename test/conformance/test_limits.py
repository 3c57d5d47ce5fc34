"""What a plan takes is accepted as the limit of its pool, and less is not: limits are judged by the plan itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import sweeps
from branched_graphs import branched_graph

from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.planner import PoolShort

MODELS = Path(__file__).resolve().parents[3] / "shared" / "models"
QUICK = ("kws_int8", "strww_int8", "split_concat")
"""Models whose operators have to run backwards, or become views, for their least plans."""


def limited(model: Model | Path, limit: int | None) -> Compilation:
    """The model with one pool."""
    return prepare(model, pools=["a" if limit is None else f"a:size={limit}"])


def check(model: Model | Path) -> None:
    """Hold the plan's size against itself as a limit."""
    size = limited(model, None).workspace_bytes()["a"]
    assert limited(model, size).workspace_bytes()["a"] == size
    if not size:
        return
    outcome = planned(model, size - 1)
    # Less is only met where the search for the limit finds what the one without did not.
    assert outcome < size if isinstance(outcome, int) else (outcome.size, outcome.limit) == (size, size - 1)


def planned(model: Model | Path, limit: int) -> int | PoolShort:
    """Bytes of the pool, or what it lacks."""
    try:
        return limited(model, limit).workspace_bytes()["a"]
    except PoolShort as short:
        return short


def graph(seed: int) -> Model:
    """A random graph."""
    data = branched_graph(seed).model
    return Model("m", "m.tflite", import_tflite(data, "m"), data)


def shared(name: str) -> Path:
    """A public model beside the repository."""
    path = MODELS / f"{name}.tflite"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


@pytest.mark.parametrize("name", QUICK)
def test_models(name: str) -> None:
    check(shared(name))


def test_graphs() -> None:
    for seed in range(4):
        check(graph(seed))


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.tflite") if path.stem not in QUICK))
def test_all_models(name: str) -> None:
    check(shared(name))


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(1, long=20)))
def test_many_graphs(block: int) -> None:
    for seed in range(2000 + 8 * block, 2000 + 8 * block + sweeps.size(5, long=8)):
        check(graph(seed))


def test_two_pools_at_what_they_take() -> None:
    path = shared("kws_int8")
    pools = prepare(path, pools=["a:size=8100", "b"]).workspace_bytes()
    assert 0 < pools["a"] <= 8100 < sum(pools.values())
    again = prepare(path, pools=[f"a:size={pools['a']}", f"b:size={pools['b']}"]).workspace_bytes()
    assert all(again[name] <= size for name, size in pools.items())

"""Graphs whose concatenations, slices and splits become views: the results stay those of TFLite Micro."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence

import pytest
import sweeps
from case import agree
from host_batch import run_batch
from random_graphs import channels, random_graph
from tflm_oracle import run_oracle
from xdsl.dialects.builtin import ModuleOp

from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.transforms.usmp.placing import plan_pass
from stillpool.transforms.usmp.placing.plan_pass import UsmpPlanPass

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)


AWKWARD = (177, 151)
"""Seeds of graphs that went wrong once: a tensor beside itself in a concatenation of channels, one concatenation within
another of int16."""


def pooled(data: bytes, **options: bool) -> str:
    """The planned program."""
    return prepare(Model("m", "m.tflite", import_tflite(data, "m"), data), **options).text("pools")


def pool_sizes(data: bytes, *, views: bool) -> list[int]:
    """Bytes of each pool."""
    return [int(size) for size in re.findall(r"pool.declare .* size (\d+)", pooled(data, views=views))]


def check(seeds: Sequence[int], *, images: bool = False) -> int:
    """Compare with the oracle; gives the number of graphs in which something became a view."""
    cases = [random_graph(seed, images=images) for seed in seeds]
    for seed, case, ours, theirs in zip(seeds, cases, run_batch(cases), run_oracle(cases), strict=True):
        assert agree(case, ours, theirs) is None, f"random_graph({seed}): {agree(case, ours, theirs)}"
    return sum("memref.view" in pooled(case.model) for case in cases)


def test_results_stay_the_same() -> None:
    assert check([*range(4), *AWKWARD]) >= 2
    assert check(range(2), images=True) >= 1


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(1, long=20)))
def test_results_of_many_graphs_stay_the_same(block: int) -> None:
    graphs, images = sweeps.size(8, long=30), sweeps.size(5, long=10)
    assert check(range(100 + 30 * block, 100 + 30 * block + graphs)) >= 8 * graphs // 30
    assert check(range(100 + 10 * block, 100 + 10 * block + images), images=True) >= 2 * images // 10


def test_channels_are_stored_with_gaps() -> None:
    case = channels()
    assert agree(case, run_batch([case])[0], run_oracle([case])[0]) is None
    assert "conv2d_0_strided" in pooled(case.model)
    assert pool_sizes(case.model, views=True) < pool_sizes(case.model, views=False)


def test_no_pool_grows() -> None:
    for seed in range(4):
        model = random_graph(seed).model
        assert pool_sizes(model, views=True) <= pool_sizes(model, views=False), f"random_graph({seed})"


def test_a_bound_spares_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate whose bound is above the plan without it is not planned, and the choice stays the same."""
    model = random_graph(3).model
    counts: list[int] = []
    sizes: list[list[int]] = []
    outcome = UsmpPlanPass._outcome
    for bound in (plan_pass._is_surely_larger, lambda *_: False):
        planned: list[ModuleOp] = []
        monkeypatch.setattr(plan_pass, "_is_surely_larger", bound)
        monkeypatch.setattr(
            UsmpPlanPass, "_outcome", lambda self, m, of, p=planned: p.append(m) or outcome(self, m, of)
        )
        sizes.append(pool_sizes(model, views=True))
        counts.append(len(planned))
    assert sizes[0] == sizes[1]
    assert counts[0] < counts[1]

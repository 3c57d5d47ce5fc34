"""Random graphs of operators that run by rows: what TFLite Micro computes, on fewer bytes or as many."""

from __future__ import annotations

import pytest
import sweeps
from branched_graphs import branched_graph
from test_branched_graphs import check

from stillpool.driver.options import Options

MODE: Options = {"rows": "on", "planner_seconds": 0.05}
SCHEDULED: Options = {**MODE, "optimize": "speed", "target": "cortex-m4"}
"""Schedules of a processor, in their portable meaning."""


def check_seeds(seeds: range, *modes: Options) -> None:
    """Branched graphs."""
    check([branched_graph(seed) for seed in seeds], [f"branched_graph({seed})" for seed in seeds], modes)


def test_results_stay_the_same() -> None:
    check_seeds(range(4), MODE)


def test_results_stay_the_same_with_schedules() -> None:
    check_seeds(range(4, 7), SCHEDULED)


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=50)))
def test_results_of_many_graphs_stay_the_same(block: int) -> None:
    check_seeds(range(3000 + 12 * block, 3012 + 12 * block), MODE, SCHEDULED)

"""Random graphs with branches, each planned in three ways: the results stay those of TFLite Micro."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest
import sweeps
from branched_graphs import branched_graph, late_part
from case import Case, agree
from host_batch import run_batch
from tflm_oracle import run_oracle

from stillpool.driver.options.options import Options

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

MODES: tuple[Options, ...] = ({}, {"views": False}, {"overlap": "inplace"})
"""The plans of every graph."""


def check(cases: Sequence[Case], names: Sequence[str], modes: Sequence[Options] = MODES) -> None:
    """Compare with the oracle."""
    expected = run_oracle(cases)
    for mode in modes:
        for case, name, ours, theirs in zip(cases, names, run_batch(cases, **mode), expected, strict=True):
            assert agree(case, ours, theirs) is None, f"{name} with {mode}: {agree(case, ours, theirs)}"


def check_seeds(seeds: Sequence[int], modes: Sequence[Options] = MODES) -> None:
    """Random graphs."""
    check([branched_graph(seed) for seed in seeds], [f"branched_graph({seed})" for seed in seeds], modes)


def test_a_part_that_is_written_late() -> None:
    check([late_part()], ["late_part()"])


def test_results_stay_the_same() -> None:
    check_seeds(range(6), MODES[:1])


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=50)))
def test_results_of_many_graphs_stay_the_same(block: int) -> None:
    check_seeds(range(1000 + 8 * block, 1000 + 8 * block + sweeps.size(3, long=8)))

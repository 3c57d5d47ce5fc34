"""Random single-operator models: the emitted C against the reference interpreters, bit for bit on integers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Unpack

import pytest
import sweeps
from case import Spec, agree
from host_batch import run_batch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from kinds import KINDS
from tflm_oracle import run_oracle

from stillpool.driver.options import Options

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

EVERY_DAY, SWEEP = 1, sweeps.size(3, long=24)
"""Cases of every second kind in the everyday tests, of each in the sweep; one operator's are compiled together."""

OPERATORS = sorted({kind.split()[0] for kind in KINDS})

SETTINGS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    # A batch is no use to shrink: every failing case in it is reported with its parameters.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def batches(operator: str, size: int, step: int = 1) -> st.SearchStrategy[list[Spec]]:
    """Different cases of every kind of an operator, or of each `step`th, `size` of each."""
    kinds = [strategy for kind, strategy in KINDS.items() if kind.split()[0] == operator][::step]
    each = st.tuples(*(st.lists(kind, min_size=size, max_size=size, unique=True) for kind in kinds))
    return each.map(lambda lists: [spec for specs in lists for spec in specs])


def check(specs: Sequence[Spec], **options: Unpack[Options]) -> None:
    """Compare every case, compiled with options, with the oracle; names all that differ."""
    cases = [spec.case() for spec in specs]
    results = zip(specs, cases, run_batch(cases, **options), run_oracle(cases), strict=True)
    wrong = [f"{spec}\n    {why}" for spec, case, ours, theirs in results if (why := agree(case, ours, theirs))]
    assert not wrong, f"{len(wrong)} of {len(specs)} cases differ:\n" + "\n".join(wrong[:5])


@pytest.mark.parametrize("operator", OPERATORS)
def test_agrees_with_the_reference(operator: str) -> None:
    @settings(SETTINGS, max_examples=1)
    @given(batches(operator, EVERY_DAY, step=2))
    def run(specs: list[Spec]) -> None:
        check(specs)

    run()


@pytest.mark.sweep
@pytest.mark.parametrize("operator", OPERATORS)
def test_sweep_agrees_with_the_reference(operator: str) -> None:
    @settings(SETTINGS, max_examples=1)
    @given(batches(operator, SWEEP))
    def run(specs: list[Spec]) -> None:
        check(specs)

    run()

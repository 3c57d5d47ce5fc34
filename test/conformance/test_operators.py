"""Random single-operator models: the emitted C against the reference interpreters, bit for bit on integers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Unpack

import pytest
import sweeps
from case import Spec, agree
from host_batch import run_batch
from kinds import KINDS
from tflm_oracle import run_oracle
from varied import examples, spread

from stillpool.driver.options.options import Options

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

EVERY_DAY, SWEEP = 1, sweeps.size(2, long=24)
"""Cases of every second kind in the everyday tests, of each in the sweep; one operator's are compiled together."""

OPERATORS = sorted({kind.split()[0] for kind in KINDS})


def specs_of(operator: str, size: int, step: int = 1, first: int = 0) -> list[Spec]:
    """Different cases of every kind of an operator, or of each `step`th: `size` of each, its own for every kind."""
    kinds = [kind for kind in KINDS if kind.split()[0] == operator][first::step]
    return [spec for kind in kinds for spec in examples(KINDS[kind], size, kind)]


def check(specs: Sequence[Spec], **options: Unpack[Options]) -> None:
    """Compare every case, compiled with options, with the oracle; names all that differ."""
    cases = [spec.case() for spec in specs]
    results = zip(specs, cases, run_batch(cases, **options), run_oracle(cases), strict=True)
    wrong = [f"{spec}\n    {why}" for spec, case, ours, theirs in results if (why := agree(case, ours, theirs))]
    assert not wrong, f"{len(wrong)} of {len(specs)} cases differ:\n" + "\n".join(wrong[:5])


@pytest.mark.parametrize("operator", OPERATORS)
def test_agrees_with_the_reference(operator: str) -> None:
    check(specs_of(operator, EVERY_DAY, step=2))


@pytest.mark.parametrize("operator", ["ADD", "CONV_2D", "FULLY_CONNECTED", "SUB"])
def test_each_kind_has_parameters_of_its_own(operator: str) -> None:
    """Eight kinds were once tried with one set of parameters, and activations with none of them."""
    varies = spread(specs_of(operator, 1))
    kinds = sum(kind.split()[0] == operator for kind in KINDS)
    assert len(varies["seed"]) > kinds // 2, varies
    assert len(varies["activation"]) > 1, varies


@pytest.mark.sweep
@pytest.mark.parametrize("operator", OPERATORS)
def test_sweep_agrees_with_the_reference(operator: str) -> None:
    check(specs_of(operator, SWEEP))

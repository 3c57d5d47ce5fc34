"""Networks with channels that go: what remains agrees with the reference interpreters, bit for bit."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest
import sweeps
from case import Case, agree
from host_batch import run_batch
from planted_channels import planted
from tflm_oracle import run_oracle

from stillpool.driver.compile import prepare
from stillpool.driver.model import Model
from stillpool.frontends.tflite import import_tflite

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

EVERYDAY = 10
BLOCK = 20


def _wrong(seeds: Sequence[int]) -> list[str]:
    cases = [planted(seed) for seed in seeds]
    pairs = zip(seeds, cases, run_batch(cases), run_oracle(cases), strict=True)
    return [f"{seed}: {why}" for seed, case, *both in pairs if (why := agree(case, *both))]


def _channels(case: Case, off: tuple[str, ...]) -> str:
    return prepare(Model("m", "m.tflite", import_tflite(case.model, "m"), case.model), no_clean_up=off).text("nn")


def test_results_stay_the_same() -> None:
    assert not _wrong(range(EVERYDAY))


def test_most_networks_lose_channels() -> None:
    cases = [planted(seed) for seed in range(EVERYDAY)]
    assert sum(_channels(case, ()) != _channels(case, ("channels",)) for case in cases) > EVERYDAY / 2


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(100, long=1000)))
def test_results_stay_the_same_in_many(block: int) -> None:
    assert not _wrong(range(1000 + block * BLOCK, 1000 + (block + 1) * BLOCK))

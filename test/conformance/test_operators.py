"""Random single-operator models: the emitted C against TFLite Micro, bit for bit on integers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest
from case import Spec, agree
from dense_specs import fully_connected
from host_batch import run_batch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pointwise_specs import additions, recodings, reshapes, softmaxes
from tflm_oracle import run_oracle
from window_specs import convolutions, pools

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

STRATEGIES: dict[str, st.SearchStrategy[Spec]] = {
    "conv_int8": convolutions(depthwise=False, integer=True),
    "conv_float": convolutions(depthwise=False, integer=False),
    "depthwise_int8": convolutions(depthwise=True, integer=True),
    "depthwise_float": convolutions(depthwise=True, integer=False),
    "average_pool_int8": pools("AVERAGE_POOL_2D", integer=True),
    "average_pool_float": pools("AVERAGE_POOL_2D", integer=False),
    "max_pool_int8": pools("MAX_POOL_2D", integer=True),
    "max_pool_float": pools("MAX_POOL_2D", integer=False),
    "fully_connected_int8": fully_connected(integer=True),
    "fully_connected_float": fully_connected(integer=False),
    "add_int8": additions(integer=True),
    "add_float": additions(integer=False),
    "quantize": recodings("quantize"),
    "requantize": recodings("requantize"),
    "dequantize": recodings("dequantize"),
    "reshape_int8": reshapes(integer=True),
    "reshape_float": reshapes(integer=False),
    "softmax_int8": softmaxes(integer=True),
    "softmax_float": softmaxes(integer=False),
}
BATCH = 24
"""Cases that are compiled together."""

SETTINGS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    # A batch is no use to shrink: every failing case in it is reported with its parameters.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def batches(kind: str) -> st.SearchStrategy[list[Spec]]:
    """Lists of different cases of one kind."""
    return st.lists(STRATEGIES[kind], min_size=BATCH, max_size=BATCH, unique=True)


def check(specs: Sequence[Spec]) -> None:
    """Compare every case with the oracle; names all that differ."""
    cases = [spec.case() for spec in specs]
    results = zip(specs, cases, run_batch(cases), run_oracle(cases), strict=True)
    wrong = [f"{spec}\n    {why}" for spec, case, ours, theirs in results if (why := agree(case, ours, theirs))]
    assert not wrong, f"{len(wrong)} of {len(specs)} cases differ:\n" + "\n".join(wrong[:5])


@pytest.mark.parametrize("kind", STRATEGIES)
def test_agrees_with_tflm(kind: str) -> None:
    @settings(SETTINGS, max_examples=2 if kind.endswith("int8") else 1)
    @given(batches(kind))
    def run(specs: list[Spec]) -> None:
        check(specs)

    run()


@pytest.mark.sweep
@pytest.mark.parametrize("kind", STRATEGIES)
def test_sweep_agrees_with_tflm(kind: str) -> None:
    @settings(SETTINGS, max_examples=12)
    @given(batches(kind))
    def run(specs: list[Spec]) -> None:
        check(specs)

    run()

"""Networks that `quantize_static` made, in every style, against onnxruntime with integer products."""

from __future__ import annotations

import numpy as np
import pytest
from onnx_graphs import Compare
from quantised_networks import NETWORKS, STYLES, quantised

pytestmark = pytest.mark.extra("onnx")
FLOATS = ("gru", "transformer")
"""Parts of these are floats, which sum in another order: elements may differ by one step, and seldom do."""


def _compare(compared: Compare, network: int, style: str, per_channel: bool, samples: int) -> None:
    data, shape = quantised(NETWORKS[network], style, per_channel=per_channel)
    inputs = np.random.default_rng(9).normal(size=(samples, *shape)).astype(np.float32)
    outputs = compared(data, [inputs])
    assert len({given[sample].tobytes() for given, _ in outputs for sample in range(samples)}) > samples // 2
    for given, wanted in outputs:
        if NETWORKS[network].__name__ not in FLOATS:
            np.testing.assert_array_equal(given, wanted)
            continue
        step = np.min(np.diff(np.unique(wanted)))
        assert np.abs(given - wanted).max() <= 1.5 * step
        assert (given != wanted).mean() <= 1e-2


def test_a_network(compared: Compare) -> None:
    _compare(compared, 1, "u8s8", True, 20)


@pytest.mark.sweep
@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("network", range(len(NETWORKS)))
def test_sweep_networks(compared: Compare, network: int, style: str, per_channel: bool) -> None:
    _compare(compared, network, style, per_channel, 100)

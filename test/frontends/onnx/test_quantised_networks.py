"""Networks that `quantize_static` made, in every style, against onnxruntime with integer products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx_graphs import Compare
from quantised_networks import NETWORKS, STYLES, WIDE, of_file, quantised, residual

import stillpool
from stillpool.dialects.nn import DequantizeOp, TransposeOp
from stillpool.run.verify import verify

SHARED = Path(__file__).resolve().parents[4] / "shared"
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


@pytest.mark.parametrize("style", WIDE)
def test_activations_of_sixteen_bits(compared: Compare, style: str, tmp_path: Path) -> None:
    """Sums, means and joins, too; floats are at the border alone."""
    _compare(compared, 2, style, style == "s16s8", 20)
    data, _ = quantised(residual, style, per_channel=True)
    (tmp_path / "net.onnx").write_bytes(data)
    module = stillpool.load(tmp_path / "net.onnx").nn
    assert sum(isinstance(op, DequantizeOp) for op in module.walk()) <= 2


def test_transposes_are_left_at_the_border_alone(compared: Compare, tmp_path: Path) -> None:
    """One for the image, and none if it comes as a camera writes it."""
    data, shape = quantised(residual, "u8s8", per_channel=False)
    file = tmp_path / "model.onnx"
    file.write_bytes(data)
    for layout, count in ((None, 1), ("nhwc", 0)):
        module = stillpool.load(file, input_layout=layout).nn
        assert sum(isinstance(op, TransposeOp) for op in module.walk()) == count
    inputs = np.random.default_rng(3).normal(size=(10, *shape)).astype(np.float32)
    for given, wanted in compared(data, [np.moveaxis(inputs, 2, -1)], input_layout="nhwc"):
        np.testing.assert_array_equal(given, wanted)


def test_inputs_and_outputs_are_integers_where_asked(tmp_path: Path) -> None:
    """Also behind the transpose of an image with its channels first; those of uint8 are int8 here."""
    data, _ = quantised(residual, "u8s8", per_channel=True)
    file = tmp_path / "model.onnx"
    file.write_bytes(data)
    made = stillpool.compile(file, quantised_io=True)
    assert {tensor.dtype for tensor in (*made.description.inputs, *made.description.outputs)} == {"int8"}
    assert verify(made, samples=20).exact


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("sinian_kws", "kws_int8"),
        ("mlperf_k1_resnet8_qdq", "resnet8_int8"),
        ("vww_96_float", "vww_int8"),
        ("mlperf_k1_ad_qdq", "ad01_int8"),
    ],
)
def test_sweep_memory(name: str, other: str, tmp_path: Path) -> None:
    """The workspace is at most that of the same network as a .tflite file, and the float inputs and outputs."""
    files = [SHARED / "onnx" / f"{name}.onnx", SHARED / "models" / f"{other}.tflite"]
    if not all(file.exists() for file in files):
        pytest.skip("public models are not there")
    if "qdq" not in name:
        (tmp_path / "qdq.onnx").write_bytes(of_file(files[0]))
        files[0] = tmp_path / "qdq.onnx"
    onnx, tflite = (stillpool.compile(stillpool.load(file)).manifest for file in files)
    used, whole = (sum(pool["bytes"] for pool in one["pools"]) for one in (onnx, tflite))
    border = sum(tensor["bytes"] for tensor in (*onnx["inputs"], *onnx["outputs"]))
    assert used <= whole + border


@pytest.mark.sweep
@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("style", [*STYLES, *WIDE])
@pytest.mark.parametrize("network", range(len(NETWORKS)))
def test_sweep_networks(compared: Compare, network: int, style: str, per_channel: bool) -> None:
    if style in WIDE and NETWORKS[network].__name__ == "transformer":
        pytest.skip("its output is a float sum of what differs by steps: no step to compare with")
    _compare(compared, network, style, per_channel, 100)

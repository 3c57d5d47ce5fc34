"""Models planned with whole tensors apart from each other: the least peak, proved, without a noticeable search."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from stillpool.driver.compile.prepare import prepare
from stillpool.transforms.usmp.analysis.structure import pools

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "models"
MODELS = sorted(FOLDER.glob("*.tflite"))

PEAKS = {
    "kws_int8": 16_000,
    "mobilenet_v2_quantized_1x3x224x224": 1_505_280,
    "person_detect": 52_992,
    "resnet8_int8": 49_152,
    "vww_int8": 55_296,
}
"""Bytes of the tensors, inputs and outputs included, that are live together at the worst operator."""

pytestmark = pytest.mark.skipif(not MODELS, reason="needs the public models beside the repository")


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_peak_of_whole_tensors_is_proved_at_once(path: Path) -> None:
    compilation = prepare(path, overlap="off")
    module = compilation.module("memref")
    start = time.process_time()
    compilation.place(module)
    assert time.process_time() - start < 2
    workspace = pools(module)["workspace"]
    assert workspace.optimal is not None
    assert workspace.size == workspace.lower_bound
    assert workspace.size is not None
    if path.stem in PEAKS:
        assert workspace.size.value.data == PEAKS[path.stem]

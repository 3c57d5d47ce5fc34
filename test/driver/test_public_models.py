"""Public models, end to end: equal to TFLite Micro, and as small as can be."""

from __future__ import annotations

import models
import pytest
import sweeps

import stillpool
from stillpool.run.verify import verify

INTEGER = (
    "kws_int8",
    "resnet8_int8",
    "vww_int8",
    "ad01_int8",
    "micro_speech_quantized",
    "person_detect",
    "strww_int8",
    "hello_world_int8",
)
LEGACY = {
    "mobilenet_v1_0.25_128_uint8": "LiteRT reference kernels; TFLite Micro for RESHAPE",
    "kws_hybrid": "TFLite Micro; LiteRT reference kernels for CONV_2D (5)",
}
"""Of types that TFLite Micro lacks kernels for, and who judges them; hybrid ones agree bit for bit, too."""
FLOAT = ("ad01_float", "hello_world_float", "resnet8_float", "vww_float")
WORKSPACE = {
    "kws_int8": 8_500,
    "strww_int8": 3_700,
    "micro_speech_quantized": 4_164,
    "resnet8_int8": 33_400,
    "vww_int8": 37_000,
    "ad01_int8": 768,
    "person_detect": 37_000,
}
"""Bytes of workspace, inputs and outputs included, that outputs overlapping their inputs make do with at most."""

SECONDS = 0.05
"""Of the planner's search where plans need not be the least."""
SWEPT = ("vww_int8", "person_detect", "vww_float", "resnet8_float")
"""Their many inferences take long, and their operators are those of others."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sweep if name in SWEPT else ()) for name in INTEGER]
)
def test_integer_models_equal_tflite_micro(name: str) -> None:
    path = models.public(name)
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    artifact = stillpool.compile(path)
    verdict = verify(artifact, samples=sweeps.size(25, long=100))
    assert (verdict.oracle, verdict.exact) == ("TFLite Micro", True), verdict
    (pool,) = artifact.description.pools
    if name in WORKSPACE:
        assert pool.bytes <= WORKSPACE[name]


@pytest.mark.parametrize("name", LEGACY)
def test_legacy_models_equal_litert(name: str) -> None:
    path = models.public(name)
    pytest.importorskip("ai_edge_litert", reason="the reference interpreter is not installed: stillpool[verify]")
    verdict = verify(stillpool.compile(path, planner_seconds=SECONDS), samples=5)
    assert (verdict.oracle, verdict.exact) == (LEGACY[name], True), verdict


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sweep if name in SWEPT else ()) for name in FLOAT]
)
def test_float_models_are_close_to_tflite_micro(name: str) -> None:
    path = models.public(name)
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    verdict = verify(stillpool.compile(path, planner_seconds=SECONDS), samples=sweeps.size(10, long=20))
    assert verdict.oracle == "TFLite Micro"
    assert verdict.passed, verdict


@pytest.mark.sweep
@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m0plus", "host"])
@pytest.mark.parametrize("name", models.usual_public())
def test_every_model_computes_the_same_with_schedules(name: str, target: str) -> None:
    path = models.public(name)
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    verdict = verify(stillpool.compile(path, target=target, optimize="speed", planner_seconds=SECONDS), samples=1)
    assert verdict.passed, verdict

"""`verify` and the search for golden outputs end: too much is refused before it is made, an endless loop is left."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import stillpool
from stillpool.driver import oracle
from stillpool.driver.verify import MOST_BYTES, verify
from stillpool.errors import InputError

DIGITS = Path(__file__).resolve().parents[2] / "examples/digits/digits.tflite"


def test_too_many_samples_are_refused_with_what_can_be_compared() -> None:
    artifact = stillpool.compile(DIGITS)
    bytes_of_a_sample = 64 + 10
    most = MOST_BYTES // bytes_of_a_sample
    with pytest.raises(InputError, match=f"{most + 1} samples of digits, 74 bytes each") as refusal:
        verify(artifact, samples=most + 1)
    assert refusal.value.remedy == f"--samples {most}"


def test_a_reference_that_takes_too_long_is_the_last_one_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def call(command: list[str], **_: object) -> None:
        asked.append(command[-1])
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(oracle, "call", call)
    with pytest.raises(InputError, match="no answer from a reference interpreter: TFLite Micro took longer than 1 s"):
        oracle.reference(b"", [], timeout=1)
    assert asked == ["tflm"]


def test_a_reference_that_a_signal_ends_is_not_the_last_one_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit codes below 0 are signals, every one of them."""

    def call(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, -1, b"", b"")

    monkeypatch.setattr(oracle, "call", call)
    refusals = "TFLite Micro: died with exit code -1; LiteRT reference kernels: died with exit code -1"
    with pytest.raises(InputError, match=f"no reference interpreter runs this model: {refusals}"):
        oracle.reference(b"", [], timeout=1)

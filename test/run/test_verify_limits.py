"""`verify` ends: too much is refused before it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

import stillpool
from stillpool.errors import InputError
from stillpool.run.verify import MOST_BYTES, verify

DIGITS = Path(__file__).resolve().parents[2] / "examples/digits/digits.tflite"


def test_too_many_samples_are_refused_with_what_can_be_compared() -> None:
    artifact = stillpool.compile(DIGITS)
    bytes_of_a_sample = 64 + 10
    most = MOST_BYTES // bytes_of_a_sample
    with pytest.raises(InputError, match=f"{most + 1} samples of digits, 74 bytes each") as refusal:
        verify(artifact, samples=most + 1)
    assert refusal.value.remedy == f"--samples {most}"

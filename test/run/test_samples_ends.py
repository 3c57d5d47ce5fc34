"""Samples at the ends of what inputs may be."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import stillpool
from stillpool.run.samples import ends

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


def test_integers_are_at_both_ends() -> None:
    (values,) = ends(stillpool.compile(DIGITS).description, 0).values()
    assert set(np.unique(values[0])) == {-128, 127}
    assert set(np.unique(values[1])) == {-128}

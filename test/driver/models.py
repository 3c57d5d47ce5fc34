"""Models that tests compile: the shipped example, and public models where they are beside the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sweeps

import stillpool

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples" / "digits" / "digits.tflite"
PUBLIC = ROOT.parent / "shared" / "models"


def example() -> Path:
    """The shipped example."""
    assert DIGITS.exists(), "the repository ships examples/digits/digits.tflite"
    return DIGITS


def public(name: str) -> Path:
    """A public model; skips the test where it is not there."""
    path = PUBLIC / f"{name}.tflite"
    if not path.exists():
        pytest.skip(f"../shared/models/{name}.tflite is not here")
    return path


def every_public() -> list[str]:
    """Names of all public models that are beside the checkout."""
    return sorted(path.stem for path in PUBLIC.glob("*.tflite"))


def usual_public() -> list[str]:
    """The same but for the largest, which takes a minute in some ways, where the sweep is not long."""
    return [name for name in every_public() if sweeps.LONG or name != "mobilenet_v2_quantized_1x3x224x224"]


def compiled(model: Path = DIGITS, **options: Any) -> stillpool.Artifact:
    """The model, compiled; once with each set of options."""
    key = f"{model} {sorted(options.items())}"
    if key not in _COMPILED:
        _COMPILED[key] = stillpool.compile(model, **options)
    return _COMPILED[key]


_COMPILED: dict[str, stillpool.Artifact] = {}

"""The real models beside the repository, where they exist."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2].resolve().parent / "shared" / "models"
PATHS = sorted(FOLDER.rglob("*.tflite")) if FOLDER.is_dir() else []


def named(name: str) -> bytes:
    """The bytes of one model; skips the test if it is not there."""
    path = FOLDER / f"{name}.tflite"
    if not path.is_file():
        pytest.skip(f"the model {name} is not beside the repository")
    return path.read_bytes()

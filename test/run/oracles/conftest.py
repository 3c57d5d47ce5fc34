"""Makes the builder of models importable; everything here asks reference interpreters."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "conformance"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs the extra."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.extra("verify"))

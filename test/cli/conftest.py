"""Makes the helpers beside the tests, and the model builder of the conformance tests, importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]


@pytest.fixture
def compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled before in this process is not compiled again."""
    from compiled_once import use

    use(monkeypatch)

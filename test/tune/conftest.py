"""What tests of tuning share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from stillpool.tune.tasks import Tasks

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "cli")]


@pytest.fixture(scope="session")
def digits() -> Tasks:
    """The tasks of the digits example."""
    from pretending import tasks

    return tasks()

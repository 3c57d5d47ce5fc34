"""Models that several tests emulate, built by each compiler and with each option: compiled to C once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import stillpool
from stillpool.run.artifact import Artifact


@lru_cache(maxsize=16)
def compiled(model: Path, **options: Any) -> Artifact:
    """What `stillpool.compile` makes of a model, its plan after a short search."""
    return stillpool.compile(model, planner_seconds=0.05, **options)

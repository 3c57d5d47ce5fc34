"""Helpers beside this file, and what draws schedules for the conformance tests."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parents[2] / "conformance", Path(__file__).parent):
    sys.path.insert(0, str(folder))

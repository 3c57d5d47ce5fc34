"""The benchmarks are programs beside the package: their folder is on the path here as it is when they run."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

"""Makes the helper modules of `test/driver` importable: tests are no packages."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "driver"))

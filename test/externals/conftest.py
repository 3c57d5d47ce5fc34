"""Makes the helper modules of this folder and its neighbours importable: tests are no packages."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE.parent / "driver", HERE.parent / "conformance", HERE):
    sys.path.insert(0, str(folder))

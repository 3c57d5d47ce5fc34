"""What holds for every test: the environment's programs are found without activating it; hypothesis repeats itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import settings

os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))

# Equal cases on every run and machine: a failure seen once is seen again. No deadline: machines differ.
settings.register_profile("stillpool", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("stillpool")

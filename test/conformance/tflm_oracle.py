"""What TFLite Micro computes for a batch of cases."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from case import Case
from numpy.typing import NDArray


def run_oracle(cases: Sequence[Case]) -> list[list[NDArray[Any]]]:
    """Stacked outputs of every case; fails with the interpreter's words."""
    jobs = pickle.dumps([(case.model, case.inputs) for case in cases])
    worker = Path(__file__).with_name("tflm_worker.py")
    done = subprocess.run([sys.executable, str(worker)], input=jobs, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, f"TFLite Micro failed:\n{done.stderr.decode(errors='replace')[-2000:]}"
    return pickle.loads(done.stdout)

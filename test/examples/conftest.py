"""How an example is built and run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

USECASES = Path(__file__).resolve().parents[2] / "examples" / "usecases"
WARNINGS = "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror"
FLAGS = f"-O0 {WARNINGS} -fsanitize=address,undefined -fno-sanitize-recover=all"


@pytest.fixture
def run_use_case(tmp_path: Path) -> Callable[[str], str]:
    """A function that compiles, builds with sanitisers and runs a use case, and returns what it prints."""

    def run(case: str) -> str:
        stillpool = Path(sys.executable).with_name("stillpool")
        variables = [f"STILLPOOL={stillpool}", f"PYTHON={sys.executable}", f"BUILD={tmp_path}", f"CFLAGS={FLAGS}"]
        done = subprocess.run(
            ["make", "-s", "-C", str(USECASES), case, *variables], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run

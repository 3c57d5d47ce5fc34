"""The use cases of memory pools: every example is compiled, built with sanitisers and run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

USECASES = Path(__file__).resolve().parents[2] / "examples" / "usecases"
CASES = ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"]
STRICT = "-O1 -g -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -fsanitize=address,undefined"


@pytest.mark.parametrize("case", CASES)
def test_use_case(case: str, tmp_path: Path) -> None:
    stillpool = Path(sys.executable).with_name("stillpool")
    variables = [f"STILLPOOL={stillpool}", f"PYTHON={sys.executable}", f"BUILD={tmp_path}", f"CFLAGS={STRICT}"]
    done = subprocess.run(
        ["make", "-s", "-C", str(USECASES), case, *variables], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("47 of 48 right")


def test_every_use_case_is_run() -> None:
    assert [path.stem.split("_")[0] for path in sorted(USECASES.glob("u*.c"))] == CASES

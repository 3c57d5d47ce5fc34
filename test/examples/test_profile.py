"""The example that measures operators on the board: it runs on this machine and compiles for Arm."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stillpool import compile
from stillpool.report.board_cycles import read_cycles
from stillpool.report.manifest_operators import read_operators

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
STRICT = "-O2 -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef -Wstrict-prototypes -Werror"


def test_prints_a_line_for_each_operator(tmp_path: Path) -> None:
    stillpool = Path(sys.executable).with_name("stillpool")
    variables = [f"STILLPOOL={stillpool}", f"BUILD={tmp_path}", f"CFLAGS={STRICT} -fsanitize=address,undefined"]
    command = ["make", "-s", "-C", str(EXAMPLES / "profile"), *variables]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    log = tmp_path / "board.log"
    log.write_text(done.stdout)
    assert len(read_cycles(log, read_operators(tmp_path, None)).operators) == 9
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [position for position, _ in lines] == [str(position) for position in range(9)]
    assert all(int(cycles) < 10**7 for _, cycles in lines), "differences of a counter that may run over"


@pytest.mark.parametrize("cpu", ["cortex-m0plus", "cortex-m4", "cortex-m7", "cortex-m33"])
def test_reads_the_counter_of_processors_that_have_one(cpu: str, tmp_path: Path) -> None:
    compiler = shutil.which("arm-none-eabi-gcc")
    if compiler is None:
        pytest.skip("arm-none-eabi-gcc is not installed")
    made = compile(EXAMPLES / "digits" / "digits.tflite", profile_hooks=True)
    (tmp_path / "digits.h").write_bytes(made.code["include/digits.h"])
    command = [compiler, f"-mcpu={cpu}", "-mthumb", "-std=c99", *STRICT.split(), f"-I{tmp_path}", "-S", "-o-", "main.c"]
    done = subprocess.run(command, cwd=EXAMPLES / "profile", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("clock" in done.stdout) == (cpu == "cortex-m0plus")

"""The C of every kind of operator is clean under strict warnings, with schedules and without."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from kinds import KINDS  # pyright: ignore[reportMissingImports]
from varied import examples  # pyright: ignore[reportMissingImports]

import stillpool

TARGETS = ("host", "cortex-m4", "cortex-m55", "cortex-m0plus")
WARNINGS = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only -Iinclude"


@pytest.mark.sweep
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("number", range(len(KINDS)), ids=list(KINDS))
def test_every_kind_of_operator(number: int, compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    kind, strategy = list(KINDS.items())[number]
    for spec in examples(strategy, 1, kind):
        (tmp_path / "model.tflite").write_bytes(spec.case().model)
        made = stillpool.compile(tmp_path / "model.tflite", target=TARGETS[number % len(TARGETS)])
        made.write(tmp_path / "project")
        sources = sorted(path.relative_to(tmp_path / "project") for path in (tmp_path / "project").rglob("*.c"))
        command = [compiler, *WARNINGS.split(), *map(str, sources)]
        done = subprocess.run(command, cwd=tmp_path / "project", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

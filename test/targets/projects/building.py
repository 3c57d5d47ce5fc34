"""How tests build a layout: every warning an error."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that succeeds; the test is skipped where its program is not installed."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def passes(folder: Path, sources: Sequence[str | Path], include: str, test: str = "test/test_digits.c") -> None:
    """The self-test, linked with the sources that the layout names, is content."""
    run("gcc", "-std=c99", *WARNINGS, f"-I{include}", *sources, test, "-o", "program", "-lm", cwd=folder)
    assert run(folder / "program", cwd=folder).startswith("PASS")


def cmake(folder: Path, build: Path, *options: str) -> None:
    """Configure and build a CMake project."""
    flags = f"-DCMAKE_C_FLAGS={' '.join(WARNINGS)}"
    run("cmake", "-S", folder, "-B", build, "-G", "Unix Makefiles", "--warn-uninitialized", flags, *options, cwd=folder)
    run("cmake", "--build", build, cwd=folder)


def unpacked(archive: bytes, folder: Path) -> Path:
    """A tar archive's files in a folder; Python before 3.11.4 cannot filter them."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        if hasattr(tarfile, "data_filter"):
            opened.extractall(folder, filter="data")
        else:
            opened.extractall(folder)
    return folder

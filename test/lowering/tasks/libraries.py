"""Modules as shared libraries: compiled by stock xdsl-opt and a C compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

STRICT = ("-Wall", "-Wextra", "-Werror", "-Wconversion", "-pedantic")
UBSAN = ("-fsanitize=undefined", "-fno-sanitize-recover=all")


def library(folder: Path, text: str, passes: str, flags: Sequence[str] = UBSAN) -> tuple[ctypes.CDLL, str]:
    """The functions of a module, and their C.

    Args:
        folder: where files go.
        text: the module.
        passes: as `xdsl-opt -p` takes them.
        flags: of gcc; without it the test is skipped.
    """
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    command = ["xdsl-opt", "-p", passes, "-t", "c"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "all.c").write_text(done.stdout)
    subprocess.run(["gcc", "-std=c99", *flags, "-shared", "-fPIC", "all.c", "-o", "all.so"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "all.so")), done.stdout

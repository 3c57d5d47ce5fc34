"""C compilers as tests use them: every warning an error, C99 and C++17, sanitisers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import compilers
import pytest

STRICT = ("-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
# Reports name lines with `-g1` too; with `-g` gcc takes half as long again.
SANITISERS = ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
C, CPP = ("-std=c99",), ("-x", "c++", "-std=c++17")
EVERY_DAY = (("gcc", C),)
CASES = [
    pytest.param(compiler, dialect, marks=() if (compiler, dialect) in EVERY_DAY else pytest.mark.sweep)
    for compiler in ("gcc", "clang")
    for dialect in (C, CPP)
    if shutil.which(compiler)
]
"""(compiler, dialect flags) of what is installed here: every day one, in the sweep each with each."""


def unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Write a tree."""
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def build(folder: Path, compiler: str, flags: Sequence[str], sources: Sequence[str]) -> Path:
    """Compile and link the sources of an unpacked project; fails the test with the compiler's words.

    Where the compiler lacks the libraries of the dialect or of the sanitisers, the test is skipped.
    """
    compilers.need(compiler, flags)
    program = folder / f"program_{compiler}"
    libraries = ["-lm"]
    if "-x" in flags:
        libraries = ["-x", "none", "-lstdc++", *libraries]
        if compiler == "clang" and set(SANITISERS) <= set(flags):
            # Calls of functions by pointer are checked by a part of UBSan that the C driver leaves out before clang 17.
            libraries.append("-fsanitize-link-c++-runtime")
    command = [compiler, *flags, *STRICT, "-Iinclude", *sources, "-o", str(program), *libraries]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program

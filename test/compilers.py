"""What the C compilers of this machine can do: some come without C++, or without the libraries of their sanitisers."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest


def need(compiler: str, flags: Sequence[str]) -> None:
    """Skip the test unless the compiler makes a program with the flags that choose dialect and sanitisers."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    chosen = [flag for flag in flags if flag.startswith(("-fsanitize", "-std")) or flag in ("-x", "c++", "c")]
    if not _links(compiler, tuple(chosen)):
        pytest.skip(f"{compiler} cannot link a program with {' '.join(chosen)}: its libraries are not installed")


@cache
def _links(compiler: str, flags: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "empty.c"
        source.write_text("int main(void) { return 0; }\n")
        libraries = ["-x", "none", "-lstdc++"] if "c++" in flags else []
        command = [compiler, *flags, str(source), *libraries, "-o", str(Path(folder) / "empty")]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

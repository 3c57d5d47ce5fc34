"""Prints the least versions that `pyproject.toml` allows, as constraints for pip: `>=1.26` is the last release of 1.26.

python test/packaging/lowest.py
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("dev", "docs")
"""Extras of those who work on stillpool: their newest versions do."""


def constraints() -> Iterator[str]:
    """`NAME==VERSION`, for pip, of each dependency of the package and of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    named = [
        *project["dependencies"],
        *(line for extra, lines in extras.items() if extra not in TOOLS for line in lines),
    ]
    for requirement in named:
        match = re.match(r"([\w-]+)(?:\[[^\]]*\])?(?:==|>=)([\w.]+)", requirement)
        assert match, f"{requirement} has no least version"
        yield f"{match[1]}=={match[2]}" + (".*" if re.fullmatch(r"\d+\.\d+", match[2]) else "")


if __name__ == "__main__":
    print("\n".join(constraints()))

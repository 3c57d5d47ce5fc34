"""From what a compilation made to the files of a project, in one of the layouts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..targets.interfaces.description import Description
from ..targets.projects.format import Project
from ..targets.projects.registry import get_format
from .manifest import dump
from .tree import MANIFEST


def project_of(
    name: str, models: Sequence[Description], code: Mapping[str, bytes], tests: Mapping[str, str], report: str
) -> Project:
    """The project of C files below `include` and `src`, self-tests by name, and the memory report."""
    return Project(
        name,
        tuple(models),
        _below("include", code),
        _below("src", code),
        {test: text.encode() for test, text in tests.items()},
        {"memory.txt": report.encode()},
    )


def laid_out(project: Project, format: str, manifest: Callable[[list[str]], dict[str, Any]]) -> dict[str, bytes]:
    """The files of a project in a layout: {relative path: bytes}; `manifest` makes that of a list of files.

    Raises:
        UsageError: there is no such layout, or it cannot express the project.
    """
    files = get_format(format).files(project)
    for path in files:
        if path.startswith("/") or ".." in path.split("/") or path == MANIFEST:
            raise UsageError(f"format '{format}' makes the file '{path}', which no project may have")
    return {**files, MANIFEST: dump(manifest([*files, MANIFEST])).encode()}


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path.removeprefix(f"{folder}/"): data for path, data in files.items() if path.startswith(f"{folder}/")}

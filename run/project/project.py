"""From what a compilation made to the files of a project, in one layout or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import UsageError
from ...report.manifest import dump
from ...targets.interfaces.interface import Interface
from ...targets.projects.format import Format, Project
from ...targets.projects.registry import get_formats
from ...targets.provenance import stamped
from .tree import MANIFEST


def project_of(
    interfaces: Sequence[Interface],
    code: Mapping[str, bytes],
    tests: Mapping[str, str],
    report: str,
    linking: Mapping[str, bytes],
) -> Project:
    """The project of C files below `include` and `src`, self-tests by name, the memory report, files for the linker."""
    return Project(
        interfaces[0].stem,
        tuple(interfaces),
        {name: data for name, data in _below("include", code).items() if not name.endswith(".bin")},
        _below("src", code),
        {test: text.encode() for test, text in tests.items()},
        _stamped(interfaces, {"memory.txt": report.encode()}),
        _stamped(interfaces, linking),
        {name: data for name, data in _below("include", code).items() if name.endswith(".bin")},
    )


Manifest = Callable[[list[str]], dict[str, Any]]
"""Makes the manifest of a list of files."""


def laid_out(project: Project, formats: str | Sequence[str], manifest: Manifest) -> dict[str, bytes]:
    """The files of a project: {relative path: bytes}.

    Of several layouts each is a whole project in the folder of its name; one more manifest lists all files.

    Raises:
        UsageError: no layout is named, one is named twice or does not exist, or it cannot express the project.
    """
    chosen = get_formats(formats)
    trees = {name: _tree(project, name, format, manifest) for name, format in chosen.items()}
    if len(trees) == 1:
        return next(iter(trees.values()))
    return _listed({f"{name}/{path}": data for name, files in trees.items() for path, data in files.items()}, manifest)


def _tree(project: Project, name: str, format: Format, manifest: Manifest) -> dict[str, bytes]:
    files = format.files(project)
    for path in files:
        if path.startswith("/") or ".." in path.split("/") or path == MANIFEST:
            raise UsageError(f"format '{name}' makes the file '{path}', which no project may have")
    return _listed(files, manifest)


def _listed(files: dict[str, bytes], manifest: Manifest) -> dict[str, bytes]:
    return {**files, MANIFEST: dump(manifest([*files, MANIFEST])).encode()}


def _stamped(interfaces: Sequence[Interface], files: Mapping[str, bytes]) -> dict[str, bytes]:
    models = [interface.model for interface in interfaces]
    return {name: stamped(name, data, models) for name, data in files.items()}


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path.removeprefix(f"{folder}/"): data for path, data in files.items() if path.startswith(f"{folder}/")}

"""Base of what can be written as a project: one compiled model, or several that share pools."""

from __future__ import annotations

import abc
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...targets.projects.format import Project
from .further_reports import with_reports
from .project import laid_out
from .tree import write_tree


class ProjectTree(abc.ABC):
    """Base of what has a project, a manifest, and one line that says what it is."""

    @cached_property
    def project(self) -> Project:
        """The project that layouts are made from. Asks a reference interpreter for the self-tests' outputs."""
        return self._project()

    @abc.abstractmethod
    def _project(self) -> Project: ...

    @property
    @abc.abstractmethod
    def verdict(self) -> str:
        """One line: whether the plan fits, and the bytes."""

    @abc.abstractmethod
    def manifest_of(self, paths: Sequence[str]) -> dict[str, Any]:
        """The manifest of a project that consists of these files."""

    def __repr__(self) -> str:
        """The verdict: what it holds is far too much to print."""
        return f"<{type(self).__name__} {self.verdict}>"

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest as plain data."""
        return self.manifest_of([])

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The whole project in the layout `dir`: {relative path: bytes}."""
        return self.tree()

    def tree(self, format: str | Sequence[str] = "dir", reports: Sequence[str] = ()) -> dict[str, bytes]:
        """The whole project in one of the layouts of `targets.projects`: {relative path: bytes}.

        Of several layouts each is in the folder of its name. `reports` are of `run.project.further_reports`.

        Raises:
            UsageError: no layout is named, one is named twice or does not exist, or it cannot express the project; or
                there is no such report.
        """
        return laid_out(with_reports(self.project, reports), format, self.manifest_of)

    def write(
        self,
        directory: str | os.PathLike[str],
        format: str | Sequence[str] = "dir",
        reports: Sequence[str] = (),
    ) -> None:
        """Write what `tree` gives; see `run.project.tree.write_tree` for what happens to what is there.

        Raises:
            InputError: the directory is somebody else's or cannot be written.
            UsageError: as of `tree`.
        """
        write_tree(self.tree(format, reports), Path(directory))

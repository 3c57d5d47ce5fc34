"""Several compiled models that share pools: one C project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from ..driver.compile.compiled import CompiledSystem
from ..report.analysis import is_limited, shortfall
from ..report.manifest import manifest, pool_entry
from ..report.report import report
from ..report.schemas import SCHEMA_VERSION
from ..report.text_table import table
from ..targets.projects.format import Project
from ..targets.projects.linking import linker_files
from ..version import __version__
from .artifact import Artifact
from .project.project import project_of
from .project.project_tree import ProjectTree


@dataclass(frozen=True, repr=False)
class System(ProjectTree, CompiledSystem):
    """Models compiled together: what `CompiledSystem` has, and what can be done with it."""

    artifacts: tuple[Artifact, ...]
    """In the order of the request; every one can be run and inspected like that of a single model."""

    @staticmethod
    def of(compiled: CompiledSystem) -> System:
        """What a compilation made, with what can be done with it."""
        given: dict[str, Any] = {field.name: getattr(compiled, field.name) for field in fields(CompiledSystem)}
        given["artifacts"] = tuple(map(Artifact.of, compiled.artifacts))
        return System(**given)

    @property
    def analysis(self) -> dict[str, Any]:
        """The document of `stillpool analyze --json`: what the models share, and that of each of them."""
        shared = self.manifest_of([])
        del shared["files"]
        limited = is_limited(self.pools)
        return {
            "fits": not shortfall(self.pools),
            "limited": limited,
            **shared,
            "models": [a.analysis for a in self.artifacts],
        }

    def _project(self) -> Project:
        code = {path: data for path, data in sorted(self.code.items())}
        tests = {name: text for artifact in self.artifacts for name, text in artifact.tests.items()}
        first = self.artifacts[0]
        linking = linker_files(first.interface.stem, self.pools, first.addresses)
        return project_of([artifact.interface for artifact in self.artifacts], code, tests, self.report, linking)

    def manifest_of(self, paths: Sequence[str]) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "tool": {"name": "stillpool", "version": __version__},
            "concurrency": self.concurrency,
            "links": list(self.links),
            "pools": [pool_entry(pool) for pool in self.pools],
            "workspace_bytes": self.workspace_bytes,
            "workspace_bytes_alone": dict(self.alone),
            "saving_bytes": self.saving_bytes,
            "models": [manifest(artifact.description, artifact.interface.style) for artifact in self.artifacts],
            "files": sorted(paths),
        }

    @property
    def verdict(self) -> str:
        """One line: the models, how they share, what that saves."""
        short = shortfall(self.pools)
        names = ", ".join(model.name for model in self.descriptions)
        return (
            f"{short}: " * bool(short)
            + f"{names} ({self.concurrency}): {self.workspace_bytes:,} bytes of workspace, "
            + f"{sum(self.alone.values()):,} if each had its own"
        )

    @property
    def report(self) -> str:
        """The memory reports of all models after a table of what they share."""
        rows = [(name, size) for name, size in self.alone.items()]
        rows += [("together", self.workspace_bytes), ("saved", self.saving_bytes)]
        parts = [self.verdict, f"workspace\n{table(('model', 'bytes'), rows)}"]
        if self.links:
            parts.append("passed on in place\n" + "\n".join(f"  {link}" for link in self.links))
        return "\n\n".join([*parts, *(report(artifact.description).rstrip("\n") for artifact in self.artifacts)]) + "\n"

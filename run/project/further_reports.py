"""Reports that a project has on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...errors import UsageError, one_of
from ...targets.misra import misra_report
from ...targets.projects.format import Project
from ...targets.provenance import stamped
from ...targets.sbom import sbom

REPORTS: Mapping[str, str] = {"sbom": "{name}.cdx.json", "misra": "misra.md"}
"""The file of each, in the folder of reports."""


def with_reports(project: Project, names: Sequence[str]) -> Project:
    """The project with reports added: `sbom`, a CycloneDX bill of materials, or `misra`, the record of deviations.

    Raises:
        UsageError: there is no such report.
    """
    found = dict(project.reports)
    for name in names:
        if name not in REPORTS:
            raise UsageError(f"report '{name}' is not available", remedy=one_of(name, list(REPORTS)))
        text = sbom(project) if name == "sbom" else misra_report()
        file = REPORTS[name].format(name=project.name)
        found[file] = stamped(file, text.encode(), project.models)
    return replace(project, reports=found)

"""The software bill of materials of a project: CycloneDX 1.6 as JSON.

It is written without a library: it has few kinds of entries, and neither a time nor random numbers, so that equal
projects have equal bills. `https://cyclonedx.org/docs/1.6/json/` describes them.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

from ..version import __version__
from .interfaces.description import Description
from .projects import directory
from .projects.format import Project
from .provenance import LICENCE, OF_THE_MODEL

_NETWORK = "network"


def sbom(project: Project) -> str:
    """The bill: the networks as a library of files, and the models that they were made from."""
    models = [_model(model) for model in project.models]
    files = [_file(project, f"include/{name}", data) for name, data in sorted(project.headers.items())]
    files += [_file(project, f"src/{name}", data) for name, data in sorted(project.sources.items())]
    files += [_file(project, f"include/{name}", data) for name, data in sorted(project.blobs.items())]
    components = [*models, *files]
    document: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": "stillpool", "version": __version__}]},
            "component": {"type": "library", "bom-ref": _NETWORK, "name": project.name, "version": __version__},
        },
        "components": components,
        "dependencies": [{"ref": _NETWORK, "dependsOn": [entry["bom-ref"] for entry in components]}],
    }
    # The number must change with the contents, and with nothing else.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return json.dumps({**document, "serialNumber": f"urn:uuid:{number}"}, indent=2) + "\n"


def _model(model: Description) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": "machine-learning-model",
        "bom-ref": f"model:{model.identifier}",
        "name": model.name,
    }
    if model.origin is None:
        return entry
    properties = [("stillpool:file", model.origin.file), ("stillpool:options", " ".join(model.origin.options))]
    return {
        **entry,
        "hashes": [{"alg": "SHA-256", "content": model.origin.sha256}],
        "licenses": [{"license": {"name": OF_THE_MODEL}}],
        "properties": [{"name": name, "value": value} for name, value in properties],
    }


def _file(project: Project, path: str, data: bytes) -> dict[str, Any]:
    entry = {
        "type": "file",
        "bom-ref": f"file:{path}",
        "name": path,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}],
    }
    if path.startswith("src/custom/"):
        return entry
    is_data = any(path in directory.data(interface) for interface in project.interfaces)
    licence = {"name": OF_THE_MODEL} if is_data else {"id": LICENCE}
    return {**entry, "licenses": [{"license": licence}]}

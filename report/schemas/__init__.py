"""JSON Schemas (draft 2020-12) of all documents that `stillpool` prints and writes, one file for each verb.

They stand beside each other and refer to each other by file name.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

SCHEMA_VERSION = 1
"""`schema` of every document. Raised when a key changes its meaning or goes away; new keys do not raise it."""


def schema(name: str) -> dict[str, Any]:
    """One of the schemas: a verb's, `manifest`, `system` or `error`."""
    return json.loads(files("stillpool.report.schemas").joinpath(f"{name}.schema.json").read_text(encoding="utf-8"))


def names() -> list[str]:
    """Names of all schemas."""
    suffix = ".schema.json"
    found = (entry.name for entry in files("stillpool.report.schemas").iterdir())
    return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix))


def versioned(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the version of its schema in front, if it has none yet."""
    return document if "schema" in document else {"schema": SCHEMA_VERSION, **document}

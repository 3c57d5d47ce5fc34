"""The schemas of what verbs print."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from stillpool.report.schemas import names, schema

REGISTRY: Registry[Any] = Registry().with_resources(
    (f"{name}.schema.json", Resource.from_contents(schema(name))) for name in names()
)


def validator(name: str) -> Draft202012Validator:
    """Checks documents against one of the schemas: a verb's, `manifest`, `system` or `error`."""
    return Draft202012Validator(schema(name), registry=REGISTRY)

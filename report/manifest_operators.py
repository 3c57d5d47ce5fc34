"""The operators that a manifest lists: what a program runs is known without the options it was compiled with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..documents import Shape
from ..errors import UsageError, one_of
from ..targets.interfaces.description import Description, Operator
from .manifest_diff import check_shape, manifest_document


@dataclass(frozen=True)
class Operators:
    """Operators of one model, in execution order."""

    model: str
    """Its name."""
    entries: tuple[Operator, ...]
    origin: str
    """Remedy where they do not fit the output of a program."""

    @staticmethod
    def of(model: Description) -> Operators:
        """Return the operators of a compiled model."""
        return Operators(model.name, model.operators, "profile with the options that the program was compiled with")


def is_manifest(path: Path) -> bool:
    """Whether a path is that of a manifest, or of a folder with one, rather than that of a model."""
    return path.suffix == ".json" or path.is_dir()


def read_operators(path: Path, name: str | None) -> Operators:
    """The operators of a manifest, or of the one in a written project's folder.

    Args:
        path: the manifest or the folder.
        name: which of several models it is, by its name; None where there is one.

    Raises:
        InputError: it cannot be read or is no manifest.
        UsageError: it is of several models, and none or another is named.
    """
    document = manifest_document(path)
    shape: Shape = {"model": str, "operators": [{"index": int, "op": str, "name": str, "macs": int}]}
    check_shape(document, {"models": [shape]} if "models" in document else shape, path)
    models: Sequence[Mapping[str, Any]] = document.get("models", [document])
    names = [str(model["model"]) for model in models]
    if name is None and len(models) != 1:
        raise UsageError(f"{path} is of {len(models)} models", remedy=f"choose one with --name: {', '.join(names)}")
    if name is not None and name not in names:
        raise UsageError(f"{path} is not of a model '{name}'", remedy=one_of(name, names))
    model = models[0 if name is None else names.index(name)]
    entries = tuple(_operator(position, entry, path) for position, entry in enumerate(model["operators"]))
    return Operators(names[models.index(model)], entries, "give the manifest that was written with the program")


def _operator(position: int, entry: Mapping[str, Any], path: Path) -> Operator:
    row = entry.get("row")
    if row is not None:
        check_shape(row, int, path)
    return Operator(
        position,
        entry["index"],
        entry["op"],
        entry["name"],
        entry["macs"],
        "",
        row,
    )

"""Changes between two manifests: pools, buffers, flash and work; for the review of a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..documents import Shape, misfit, read_json
from ..errors import InputError
from .schemas import SCHEMA_VERSION

Document = Mapping[str, Any]

_POOLS: Shape = [{"name": str, "kind": str, "bytes": int}]
_OF_A_MODEL: Mapping[str, Shape] = {
    "buffers": [{"name": str, "pool": str, "offset": int, "bytes": int}],
    "operators": [{"macs": int}],
    "code": {"weights_bytes": int},
}
"""Keys of a manifest that are compared."""
_REMEDY = "give the manifest.json of a compiled project"


@dataclass(frozen=True)
class Change:
    """A number before and after; None where there was or is nothing."""

    what: str
    before: int | None
    after: int | None

    @property
    def delta(self) -> int:
        """How much it grew."""
        return (self.after or 0) - (self.before or 0)

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"what": self.what, "before": self.before, "after": self.after, "delta": self.delta}


@dataclass(frozen=True)
class Moved:
    """A buffer that is new, gone, or not where or as large as it was."""

    name: str
    change: str
    """`added`, `removed`, `moved`, `resized` or `moved and resized`."""
    before: tuple[str, int, int] | None
    """Pool, offset, bytes."""
    after: tuple[str, int, int] | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        sides = {"before": self.before, "after": self.after}
        keys = ("pool", "offset", "bytes")
        placed = {side: None if at is None else dict(zip(keys, at, strict=True)) for side, at in sides.items()}
        return {"name": self.name, "change": self.change, **placed}


@dataclass(frozen=True)
class ManifestDiff:
    """Everything that differs; empty lists say that nothing does."""

    totals: tuple[Change, ...]
    """RAM, flash and MACs, whether they changed or not."""
    pools: tuple[Change, ...]
    """Pools that changed."""
    buffers: tuple[Moved, ...]
    """Buffers that changed."""

    @property
    def is_empty(self) -> bool:
        """Whether the two manifests plan the same."""
        return not self.pools and not self.buffers and not any(change.delta for change in self.totals)

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "equal": self.is_empty,
            "totals": [change.document() for change in self.totals],
            "pools": [change.document() for change in self.pools],
            "buffers": [moved.document() for moved in self.buffers],
        }


def manifest_document(path: Path) -> Document:
    """Read a manifest, or the one in a written project's folder; nothing is known but its schema's version.

    Raises:
        InputError: it cannot be read or is no manifest.
    """
    file = path / "manifest.json" if path.is_dir() else path
    try:
        document = read_json(file)
    except InputError as error:
        raise InputError(error.message, remedy=error.remedy or _REMEDY) from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA_VERSION:
        raise InputError(f"{file} is no manifest of schema {SCHEMA_VERSION}", remedy=_REMEDY)
    return document


def read_manifest(path: Path) -> Document:
    """The manifest of a model or of several, or the one in a written project's folder.

    Raises:
        InputError: it cannot be read or is no manifest.
    """
    document = manifest_document(path)
    model, whole = _OF_A_MODEL, {"pools": _POOLS}
    check_shape(
        document,
        {**whole, "models": [{**model, "identifier": str}]} if "models" in document else {**whole, **model},
        path,
    )
    return document


def check_shape(document: Any, shape: Shape, path: Path) -> None:
    """Refuse a manifest that lacks something.

    Raises:
        InputError: it does, or has something of another type.
    """
    if wrong := misfit(document, shape):
        raise InputError(f"{path} is a damaged manifest: {wrong}", remedy="compile the model again")


def diff_manifests(before: Document, after: Document) -> ManifestDiff:
    """Return the changes from one manifest to the other."""
    pools = [_pools(document) for document in (before, after)]
    changed = [Change(name, pools[0].get(name), pools[1].get(name)) for name in _names(*pools)]
    totals = (
        _total("RAM", before, after, _ram),
        _total("flash: constants", before, after, _flash),
        *_code(before, after),
        _total("MACs", before, after, _macs),
    )
    buffers = [_buffers(document) for document in (before, after)]
    moved = [_moved(name, buffers[0].get(name), buffers[1].get(name)) for name in _names(*buffers)]
    return ManifestDiff(
        totals,
        tuple(change for change in changed if change.before != change.after),
        tuple(one for one in moved if one is not None),
    )


def _total(what: str, before: Document, after: Document, count: Any) -> Change:
    return Change(what, count(before), count(after))


def _ram(document: Document) -> int:
    return sum(pool["bytes"] for pool in document["pools"] if pool["kind"] != "constant")


def _flash(document: Document) -> int:
    pooled = sum(pool["bytes"] for pool in document["pools"] if pool["kind"] == "constant")
    return sum(model["code"]["weights_bytes"] for model in _models(document)) + pooled


def _code(before: Document, after: Document) -> list[Change]:
    """Machine code: as linked where both manifests say it, else estimated; nothing where one of them does not."""
    for what, key in (("flash: code", "linked_bytes"), ("flash: code, estimated", "code_bytes")):
        sizes = [[_code_bytes(model, key) for model in _models(document)] for document in (before, after)]
        if all(size is not None for side in sizes for size in side):
            return [Change(what, *(sum(size for size in side if size is not None) for side in sizes))]
    return []


def _code_bytes(model: Document, key: str) -> int | None:
    found = model.get("code" if key == "linked_bytes" else "estimates")
    size = found.get(key) if isinstance(found, dict) else None
    return size if isinstance(size, int) else None


def _macs(document: Document) -> int:
    return sum(operator["macs"] for model in _models(document) for operator in model["operators"])


def _models(document: Document) -> Sequence[Document]:
    """The models of a manifest of several, or the one that it is of."""
    return document.get("models", [document])


def _pools(document: Document) -> dict[str, int]:
    return {pool["name"]: pool["bytes"] for pool in document["pools"]}


def _buffers(document: Document) -> dict[str, tuple[str, int, int]]:
    """Place and size by name, of several models behind theirs; buffers that share a name are numbered."""
    found: dict[str, tuple[str, int, int]] = {}
    for model in _models(document):
        owner = f"{model['identifier']}: " if "models" in document else ""
        for buffer in model["buffers"]:
            name, number = f"{owner}{buffer['name']}", 2
            while name in found:
                name, number = f"{owner}{buffer['name']} ({number})", number + 1
            found[name] = buffer["pool"], buffer["offset"], buffer["bytes"]
    return found


def _names(before: Mapping[str, Any], after: Mapping[str, Any]) -> Sequence[str]:
    """Names of the first, then those that only the second has."""
    return [*before, *(name for name in after if name not in before)]


def _moved(name: str, before: tuple[str, int, int] | None, after: tuple[str, int, int] | None) -> Moved | None:
    if before == after:
        return None
    if before is None or after is None:
        return Moved(name, "removed" if after is None else "added", before, after)
    words = ["moved"] if before[:2] != after[:2] else []
    words += ["resized"] if before[2] != after[2] else []
    return Moved(name, " and ".join(words), before, after)

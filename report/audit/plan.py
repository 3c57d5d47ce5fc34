"""Contents of a linked program by its manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InputError, UsageError, one_of
from ..manifest_diff import manifest_document


@dataclass(frozen=True)
class PlannedPool:
    """A pool that some model of the manifest uses."""

    name: str
    kind: str
    bytes: int
    alignment: int


@dataclass(frozen=True)
class Plan:
    """The models of a manifest, of one or of several."""

    identifiers: tuple[str, ...]
    """The models as C calls them."""
    pools: tuple[PlannedPool, ...]
    constants: int
    """Bytes of const arrays, without padding."""

    def symbols(self, pool: PlannedPool) -> tuple[str, ...]:
        """Names that an array of the pool may have: a built-in pool's name, or in the application that of the pool."""
        return (*(f"{identifier}_{pool.name}_pool" for identifier in self.identifiers), pool.name)


def read_plan(path: Path) -> Plan:
    """The plan of a manifest, or of the one in a written project's folder.

    Raises:
        InputError: it cannot be read or is no manifest.
    """
    document = manifest_document(path)
    try:
        return _plan(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is a damaged manifest: {error}", remedy="compile the model again") from error


def _plan(document: Mapping[str, Any]) -> Plan:
    models: Sequence[Mapping[str, Any]] = document.get("models", [document])
    pools = [
        PlannedPool(str(pool["name"]), str(pool["kind"]), _number(pool["bytes"]), max(_number(pool["alignment"]), 1))
        for pool in document["pools"]
    ]
    return Plan(
        tuple(str(model["identifier"]) for model in models),
        tuple(pool for pool in pools if pool.bytes),
        sum(_number(model["code"]["weights_bytes"]) for model in models),
    )


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a number of bytes")
    return value


def named_arrays(texts: Sequence[str], plan: Plan) -> dict[str, str]:
    """`POOL=SYMBOL` as symbols by pool.

    Raises:
        UsageError: one is malformed, or names a pool that is not planned.
    """
    found: dict[str, str] = {}
    names = [pool.name for pool in plan.pools]
    for text in texts:
        pool, equals, symbol = text.partition("=")
        if not equals or not symbol:
            raise UsageError(f"pool '{text}' is not POOL=SYMBOL", remedy="write for example workspace=my_array")
        if pool not in names:
            raise UsageError(f"there is no pool '{pool}' in the plan", remedy=one_of(pool, names))
        found[pool] = symbol
    return found

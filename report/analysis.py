"""Verdict on a memory plan: whether it fits, totals, the peak of each pool and what is live there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..targets.interfaces.description import Description, Pool
from .manifest import manifest
from .timeline import chart


def analysis(model: Description, interface: str) -> dict[str, Any]:
    """The manifest with the verdict and the peaks added: the document of `stillpool analyze --json`."""
    document = manifest(model, interface)
    del document["files"]
    for entry, pool in zip(document["pools"], model.pools, strict=True):
        found = chart(model, pool)
        bound = pool.lower_bound_bytes
        entry["gap_bytes"] = None if bound is None else pool.bytes - bound
        entry["short_bytes"] = max(0, pool.bytes - pool.size_limit) if pool.size_limit is not None else 0
        entry["peak"] = found and {
            "position": found.peak,
            "index": model.operators[found.peak].index if found.peak < len(model.operators) else None,
            "positions": list(found.peaks),
            "live_bytes": found.peak_bytes,
            "buffers": [
                {"name": buffer.name, "kind": buffer.kind, "bytes": buffer.bytes, "offset": buffer.offset}
                for buffer in found.live(found.peak)
            ],
        }
    fits = not any(entry["short_bytes"] for entry in document["pools"])
    return {
        "fits": fits,
        "limited": is_limited(model.pools),
        "macs": sum(operator.macs for operator in model.operators),
        **document,
    }


def verdict(model: Description) -> str:
    """One line: whether the plan keeps within the limits of its pools, if they have any, and the bytes."""
    outside = " outside of pools" if model.pooled.payload else ""
    constants = f"constants {model.constants.label}{outside}"
    used = ", ".join(_used(pool) for pool in model.pools if pool.bytes)
    return f"{_fitting(model.pools)}{used or 'no pool memory'}, {constants}"


def is_limited(pools: Iterable[Pool]) -> bool:
    """Whether any pool has a limit: without one there is nothing to fit."""
    return any(pool.size_limit is not None for pool in pools)


def _fitting(pools: Iterable[Pool]) -> str:
    short = shortfall(pools)
    return f"{short}: " if short else "fits: " if is_limited(pools) else ""


def _used(pool: Pool) -> str:
    of = "" if pool.size_limit is None else f" of {pool.size_limit:,}"
    return f"{pool.name} {pool.bytes:,}{of} bytes"


def shortfall(pools: Iterable[Pool]) -> str:
    """The pools that are over their limits, and by how much; nothing if the plan fits."""
    return "; ".join(
        f"short by {pool.bytes - pool.size_limit:,} bytes in pool {pool.name}"
        for pool in pools
        if pool.size_limit is not None and pool.bytes > pool.size_limit
    )

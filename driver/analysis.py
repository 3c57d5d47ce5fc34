"""What a memory plan means: whether it fits, totals, the peak of each pool and what is live there."""

from __future__ import annotations

from typing import Any

from ..targets.interfaces.description import Description
from .manifest import manifest
from .timeline import chart


def analysis(model: Description) -> dict[str, Any]:
    """The manifest with the verdict and the peaks added: the document of `stillpool analyze --json`."""
    document = manifest(model)
    del document["files"]
    for entry, pool in zip(document["pools"], model.pools, strict=True):
        found = chart(model, pool)
        bound = pool.lower_bound_bytes
        entry["gap_bytes"] = None if bound is None else pool.bytes - bound
        entry["short_bytes"] = max(0, pool.bytes - pool.size_limit) if pool.size_limit is not None else 0
        entry["peak"] = found and {
            "position": found.peak,
            "live_bytes": found.peak_bytes,
            "buffers": [
                {"name": buffer.name, "kind": buffer.kind, "bytes": buffer.bytes, "offset": buffer.offset}
                for buffer in found.live(found.peak)
            ],
        }
    fits = not any(entry["short_bytes"] for entry in document["pools"])
    return {"fits": fits, "macs": sum(operator.macs for operator in model.operators), **document}


def verdict(model: Description) -> str:
    """One line: whether the plan fits, and the bytes."""
    constants = f"constants {model.weights_bytes:,} bytes"
    used = ", ".join(f"{pool.name} {pool.bytes:,} bytes" for pool in model.pools if pool.bytes)
    return f"{shortfall(model) or 'fits'}: {used or 'no pool memory'}, {constants}"


def shortfall(model: Description) -> str:
    """The pools that are over their limits, and by how much; nothing if the plan fits."""
    return "; ".join(
        f"short by {pool.bytes - pool.size_limit:,} bytes in pool {pool.name}"
        for pool in model.pools
        if pool.size_limit is not None and pool.bytes > pool.size_limit
    )

"""What a memory plan means: totals, the peak of each pool and what is live there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..targets.interfaces.description import Buffer, Description, Pool
from .manifest import manifest


@dataclass(frozen=True)
class Peak:
    """The fullest moment of a pool."""

    position: int
    """In the program, as `first_use` and `last_use` count."""
    bytes: int
    """Sum of the live buffers; less than the pool's bytes where alignment or placement leaves gaps, more where
    buffers share bytes."""
    buffers: tuple[Buffer, ...]
    """What is live, largest first."""


def peak(model: Description, pool: Pool) -> Peak | None:
    """The first position at which the live buffers of `pool` sum to the most; None for an empty pool."""
    buffers = [buffer for buffer in model.buffers if buffer.pool == pool.name]
    if not buffers:
        return None

    def live(position: int) -> list[Buffer]:
        return [buffer for buffer in buffers if buffer.first_use <= position <= buffer.last_use]

    positions = sorted({buffer.first_use for buffer in buffers})
    best = max(positions, key=lambda position: (sum(b.bytes for b in live(position)), -position))
    found = sorted(live(best), key=lambda buffer: (-buffer.bytes, buffer.offset, buffer.name))
    return Peak(best, sum(buffer.bytes for buffer in found), tuple(found))


def analysis(model: Description) -> dict[str, Any]:
    """The manifest with the verdict and the peaks added: the document of `stillpool analyze --json`."""
    document = manifest(model)
    del document["files"]
    for entry, pool in zip(document["pools"], model.pools, strict=True):
        found = peak(model, pool)
        bound = pool.lower_bound_bytes
        entry["gap_bytes"] = None if bound is None else pool.bytes - bound
        entry["short_bytes"] = max(0, pool.bytes - pool.size_limit) if pool.size_limit is not None else 0
        entry["peak"] = found and {
            "position": found.position,
            "live_bytes": found.bytes,
            "buffers": [
                {"name": buffer.name, "kind": buffer.kind, "bytes": buffer.bytes, "offset": buffer.offset}
                for buffer in found.buffers
            ],
        }
    fits = not any(entry["short_bytes"] for entry in document["pools"])
    return {"fits": fits, "macs": sum(operator.macs for operator in model.operators), **document}


def verdict(model: Description) -> str:
    """One line: whether the plan fits, and the bytes."""
    short = [
        f"short by {pool.bytes - pool.size_limit:,} bytes in pool {pool.name}"
        for pool in model.pools
        if pool.size_limit is not None and pool.bytes > pool.size_limit
    ]
    pools = ", ".join(f"{pool.name} {pool.bytes:,} bytes" for pool in model.pools if pool.bytes)
    return f"{'; '.join(short) or 'fits'}: {pools or 'no pool memory'}, constants {model.weights_bytes:,} bytes"

"""The benchmark of models as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from stillpool.cli.tables import table

HEADS = (
    "model",
    "instructions",
    "TFLM",
    "ratio",
    "per MAC",
    "code+tables",
    "TFLM",
    "ratio",
    "constants",
    "flash",
    "TFLM",
    "RAM",
    "TFLM",
    "stack",
    "bound",
    "TFLM",
)
HOST_HEADS = ("model", "us", "TFLM us", "ratio", "LiteRT us", "ratio", "XNNPACK us", "ratio")


def ratio(ours: float | None, peers: float | None) -> float | None:
    """Ours by theirs: less than 1 is better."""
    return None if ours is None or not peers else round(ours / peers, 3)


def emulated_table(
    target: str, compiler: str, models: Mapping[str, dict[str, Any]], before: Mapping[str, Any]
) -> Table:
    """Every model on a processor, beside TFLite Micro with CMSIS-NN, and beside the release `before`."""
    rows: list[tuple[object, ...]] = []
    for name, entry in models.items():
        peer: dict[str, Any] = entry.get("peer") or {}
        flash = entry["flash"]
        small = flash["code"] + flash["tables"]
        rows.append(
            (
                name,
                entry["instructions"],
                peer.get("instructions"),
                ratio(entry["instructions"], peer.get("instructions")),
                ratio(entry["instructions"], entry["macs"]),
                small,
                peer.get("code_bytes"),
                ratio(small, peer.get("code_bytes")),
                flash["weights"],
                flash["total"],
                peer.get("flash_bytes"),
                entry["ram"]["total"],
                peer.get("ram_bytes"),
                entry["stack_bytes"],
                entry["worst_case_stack_bytes"],
                peer.get("stack_bytes"),
                *((ratio(entry["instructions"], before.get(name, {}).get("instructions")),) if before else ()),
            )
        )
    title = f"{target}: one inference; bytes; {compiler}"
    return table(title, (*HEADS, *(("before",) if before else ())), rows)


def host_table(compiler: str, models: Mapping[str, dict[str, Any]]) -> Table:
    """Every model on this machine."""
    rows: list[tuple[object, ...]] = []
    for name, entry in models.items():
        peers = [entry["peer"].get(runtime) for runtime in ("tflm_ref", "litert_builtin_no_delegate", "litert_xnnpack")]
        compared = [value for peer in peers for value in (peer, ratio(entry["median_us"], peer))]
        rows.append((name, round(entry["median_us"], 2), *compared))
    return table(f"host: one inference, one thread; {compiler}; peers on a machine of their own", HOST_HEADS, rows)

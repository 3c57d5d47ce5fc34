"""Memories of a board and their use by a model, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tables import rendered, table

if TYPE_CHECKING:
    from ..report.board_cycles import BoardCycles

_HEADS = ("position", "index", "operator", "MACs", "cycles", "per MAC", "share", "output")


def board_table(measured: BoardCycles) -> str:
    """Every operator with its MACs, cycles and share."""
    rows = [
        (
            entry.operator.position,
            entry.operator.index,
            entry.operator.op,
            entry.operator.macs,
            entry.cycles,
            entry.per_mac,
            f"{entry.cycles / max(measured.cycles, 1):.1%}",
            entry.operator.name,
        )
        for entry in measured.operators
    ]
    which = "one run" if measured.runs == 1 else f"the last of {measured.runs} runs"
    return rendered(f"{measured.source}, {which}: {measured.cycles:,} cycles", table("", _HEADS, rows))

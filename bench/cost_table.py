"""Table of docs/internals/estimates.md, from what `schedule_costs.py` recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SHOWN = ("cortex-m4", "cortex-m0plus", "cortex-m3", "rv32imc", "cortex-m55")
_NAMES = {"cortex-m4": "M4", "cortex-m0plus": "M0+", "cortex-m3": "M3", "rv32imc": "RV32IMC", "cortex-m55": "M55"}


def table(recorded: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]) -> str:
    """Errors in percent, in brackets those of a table that was made without the model.

    Args:
        recorded: by processor, model and way.
    """
    columns = [
        (target, way)
        for target in SHOWN
        for way in (("speed", "balanced", "size") if target == "cortex-m4" else ("speed",))
        if target in recorded
    ]
    heads = ["", *(f"{_NAMES[target]} `{way}`" for target, way in columns)]
    models = sorted({model for target in SHOWN for model in recorded.get(target, {})})
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for model in models:
        lines.append("| " + " | ".join([model, *_cells(recorded, model, columns)]) + " |")
    return "\n".join(lines)


def _cells(recorded: Mapping[str, Any], model: str, columns: list[tuple[str, str]]) -> Iterator[str]:
    for target, way in columns:
        found = recorded[target].get(model, {}).get(way)
        yield "" if found is None else f"{found['error']:+.1f} ({found['error_held_out']:+.1f})"

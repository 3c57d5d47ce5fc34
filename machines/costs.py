"""Cost of the operations of loops as machine code: instructions and bytes, by instruction set.

The numbers are least squares over operators of public models, with and without schedules, on emulated processors:
`bench/schedule_costs.py` makes the files in `cost_tables`, and says how far off the sums are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLES = Path(__file__).parent / "cost_tables"
OTHER = "other"
"""Any kind that a table does not have."""
CALL = "call"
"""Kind of what the calling function does for each operator."""


@dataclass(frozen=True)
class Costs:
    """Costs of one operation of each kind, as `lowering.schedule.cost` counts them."""

    instructions: Mapping[str, float]
    """Each time that it runs."""
    code: Mapping[str, float]
    """Bytes, each time that it stands in the text."""


@cache
def costs_in(table: str) -> Costs:
    """A table, by the name of its file without the ending."""
    return Costs(**json.loads((TABLES / f"{table}.json").read_text(encoding="utf-8")))

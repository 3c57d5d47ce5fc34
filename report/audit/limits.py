"""Budgets of a linked program: a TOML file with the most bytes of code, constants, pools and sections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...documents import read_toml
from ...driver.options.pool_spec import parse_bytes
from ...errors import InputError, StillpoolError
from ..use import Use
from .compare import Audit
from .elf import Program

_TABLES = ("pools", "sections")


def read_limits(file: Path) -> dict[str, int]:
    """Most bytes by name: `code`, `constants`, `workspace` (all such pools), `pools.NAME`, `sections.NAME`.

    Raises:
        InputError: the file cannot be read or is not TOML, or a key or a size is none.
    """
    limits: dict[str, int] = {}
    for key, value in read_toml(file).items():
        if key in _TABLES and isinstance(value, dict):
            for name, size in cast("Mapping[str, Any]", value).items():
                limits[f"{key}.{name}"] = _bytes(size, f"{file}: {key}.{name}")
        elif key in ("code", "constants", "workspace"):
            limits[key] = _bytes(value, f"{file}: {key}")
        else:
            raise InputError(
                f"{file}: unknown key '{key}'",
                remedy="known are code, constants, workspace, and the tables [pools] and [sections]",
            )
    if not limits:
        raise InputError(f"{file} has no budget", remedy='write for example code = "12K"')
    return limits


def uses(limits: Mapping[str, int], found: Audit, program: Program) -> list[Use]:
    """Use of each budget.

    Raises:
        InputError: a budget is for a pool that is not planned or a section that is not linked.
    """
    # A pool without a known array takes what is planned.
    pools = {pool.planned.name: pool.planned.bytes if pool.array is None else pool.array.bytes for pool in found.pools}
    workspace = (pool.planned.name for pool in found.pools if pool.planned.kind == "workspace")
    known = {
        "code": sum(symbol.bytes for symbol in found.code),
        "constants": sum(symbol.bytes for symbol in found.constants),
        "workspace": sum(pools[name] for name in workspace),
        **{f"pools.{name}": size for name, size in pools.items()},
        **{f"sections.{name}": size for name, size in program.sections.items()},
    }
    for name in limits:
        if name not in known:
            raise InputError(f"budget '{name}': there is no such thing", remedy=f"there are {', '.join(known)}")
    return [Use(name, known[name], budget) for name, budget in limits.items()]


def _bytes(value: Any, where: str) -> int:
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InputError(f"{where}: a budget is a number of bytes or a text such as '12K'")
        return parse_bytes(str(value), where)
    except StillpoolError as error:
        raise InputError(error.message, remedy=error.remedy) from error

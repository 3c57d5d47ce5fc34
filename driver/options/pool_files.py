"""Pools from TOML files and from the memories of boards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast

from ...documents import read_toml
from ...errors import InputError, StillpoolError
from ...machines.boards import BoardMemory, get_board
from .pool_spec import POOL_KINDS, PoolSpec, parse_pool


def read_pools(file: Path) -> list[PoolSpec]:
    """The pools of a TOML file, in order: `[[pool]]` tables with the keys of a pool on the command line.

    `name` must be there, `kind` may be `constant` or `state`; sizes are numbers or texts such as `"64K"`.

    Raises:
        InputError: the file cannot be read, is not TOML, or declares no pool, or a pool is malformed.
    """
    document = read_toml(file)
    unknown = sorted(document.keys() - {"pool"})
    if unknown:
        raise InputError(f"{file}: unknown key '{unknown[0]}'", remedy="a pool file holds [[pool]] tables only")
    return pools_of(document.get("pool"), str(file))


def pools_of(tables: Any, where: str) -> list[PoolSpec]:
    """The pools of a list of tables; `where` names the file.

    Raises:
        InputError: there is none, or one is malformed.
    """
    if not isinstance(tables, list) or not tables:
        raise InputError(f"{where}: there is no pool", remedy='write [[pool]] and name = "sram" below it')
    return [_pool(table, f"{where}, pool {number}") for number, table in enumerate(cast("list[Any]", tables), 1)]


def _pool(table: Any, where: str) -> PoolSpec:
    values = cast("Mapping[str, Any]", table if isinstance(table, dict) else {})
    name, kind = values.get("name"), values.get("kind", "workspace")
    if not isinstance(name, str):
        raise InputError(f"{where} has no name")
    if kind not in POOL_KINDS:
        raise InputError(f"{where}: kind '{kind}' is none of {', '.join(POOL_KINDS)}")
    properties = [f"{key}={value}" for key, value in values.items() if key not in ("name", "kind")]
    try:
        return parse_pool(f"{name}:{','.join(properties)}", kind)
    except StillpoolError as error:
        raise InputError(f"{where}: {error.message}", remedy=error.remedy) from error


def board_pools(name: str) -> list[PoolSpec]:
    """The memories of a board as pools, fastest first.

    RAM is workspace. Flash is a constant pool where the linker must be told of it (external flash); in the flash that
    programs run from, constants are const arrays.

    Raises:
        UsageError: there is no such board.
        InputError: it is a malformed file.
    """
    board = get_board(name)
    pools = [_memory(memory, "workspace") for memory in board.kind("ram")]
    return pools + [_memory(memory, "constant") for memory in board.kind("flash") if memory.section is not None]


def _memory(memory: BoardMemory, kind: Literal["workspace", "constant"]) -> PoolSpec:
    costs: dict[str, float] = {
        "read_bandwidth": memory.read_bandwidth,
        "write_bandwidth": memory.write_bandwidth,
        "read_latency": memory.read_latency,
        "write_latency": memory.write_latency,
        "burst": memory.burst,
    }
    given = tuple((key, value) for key, value in costs.items() if value)
    return PoolSpec(memory.name, kind, memory.bytes, None, memory.section, given)

"""Placement problems as files: the benchmarks' CSV with live ranges, and JSON with explicit conflicts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from .. import documents
from ..errors import InputError
from .problem import Buffer, Plan, Pool, Problem

COLUMNS = ("id", "lower", "upper", "size")
"""Columns of the CSV of google/minimalloc: a buffer is live on the half-open interval [lower, upper)."""


def read_csv(path: Path, capacity: int | None) -> Problem:
    """One pool, buffers with a live range each.

    Raises:
        InputError: the file is no such CSV; names the line.
    """
    try:
        return _rows(path, capacity)
    except csv.Error as error:
        raise InputError(f"{path} is no CSV: {error}") from error


def _rows(path: Path, capacity: int | None) -> Problem:
    rows = csv.DictReader(io.StringIO(documents.read_text(path)))
    if not set(COLUMNS) <= set(rows.fieldnames or ()):
        raise InputError(f"{path}: the first line must name the columns {', '.join(COLUMNS)}")
    buffers: list[Buffer] = []
    for line, row in enumerate(rows, 2):
        try:
            lower, upper, size = (int(row[column]) for column in COLUMNS[1:])
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}, line {line}: lower, upper and size must be whole numbers") from error
        if size < 0 or upper <= lower:
            raise InputError(f"{path}, line {line}: size must not be negative, and upper must exceed lower")
        buffers.append(Buffer(row["id"], size, ((lower, upper),)))
    return Problem(tuple(buffers), (Pool("workspace", capacity, 1),))


def read_json(path: Path) -> Problem:
    """Several pools, buffers with explicit conflicts, alignments and candidate pools.

    `{"buffers": [{"id", "size", "alignment", "pools", "conflicts": [ids]}]}`; pools are those that buffers name.

    Raises:
        InputError: the file is no such JSON; says what is wrong.
    """
    try:
        entries: list[Mapping[str, Any]] = documents.read_json(path)["buffers"]
        ids = {entry["id"]: number for number, entry in enumerate(entries)}
        buffers = tuple(map(_buffer, entries))
        pairs = {(number, ids[other]) for number, entry in enumerate(entries) for other in entry["conflicts"]}
    except InputError as error:
        raise InputError(f"{error.message}: not a placement problem") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: not a placement problem: {type(error).__name__}: {error}") from error
    names = dict.fromkeys(pool for buffer in buffers for pool in buffer.pools)
    conflicts = frozenset((min(a, b), max(a, b)) for a, b in pairs if a != b)
    return Problem(buffers, tuple(Pool(name) for name in names), conflicts=conflicts)


def _buffer(entry: Mapping[str, Any]) -> Buffer:
    """One entry of a JSON file; raises ValueError or KeyError if it makes no sense."""
    name, size, alignment, pools = str(entry["id"]), entry["size"], entry.get("alignment", 1), entry["pools"]
    if not all(type(number) is int and 0 <= number < 1 << 63 for number in (size, alignment)) or alignment < 1:
        raise ValueError(f"buffer '{name}' needs a size of at least 0 and an alignment of at least 1")
    if not isinstance(pools, list) or not all(isinstance(pool, str) for pool in cast("list[Any]", pools)):
        raise ValueError(f"the pools of buffer '{name}' must be a list of names")
    return Buffer(name, size, ((0, 1),), alignment, tuple(cast("list[str]", pools)))


def write_csv(problem: Problem, plan: Plan) -> str:
    """The problem's CSV with a column `offset`."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow((*COLUMNS, "offset"))
    for buffer, placement in zip(problem.buffers, plan.placements, strict=True):
        ((lower, upper),) = buffer.ranges
        rows.writerow((buffer.name, lower, upper, buffer.size, placement.offset))
    return stream.getvalue()


def as_json(problem: Problem, plan: Plan) -> dict[str, Any]:
    """Pool and offset of every buffer, and what is known of each pool."""
    return {
        "pools": [
            {
                "name": pool.name,
                "bytes": pool.size,
                "lower_bound_bytes": pool.lower_bound,
                "proven_optimal": pool.optimal,
                "algorithm": pool.algorithm,
            }
            for pool in plan.pools
        ],
        "buffers": [
            {"id": buffer.name, "pool": placement.pool, "offset": placement.offset}
            for buffer, placement in zip(problem.buffers, plan.placements, strict=True)
        ],
    }

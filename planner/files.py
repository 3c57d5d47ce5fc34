"""Placement problems as files: the benchmarks' CSV with live ranges, and JSON with explicit conflicts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import documents
from ..errors import InputError
from .problem import Buffer, Plan, Pool, Problem

COLUMNS = ("id", "lower", "upper", "size")
"""Columns of the CSV of google/minimalloc: a buffer is live on the half-open interval [lower, upper)."""

MOST_BYTES = 1 << 60
"""Most bytes of all buffers of a problem together, with padding; times go as far."""

_PROBLEM: documents.Shape = {"buffers": [{"id": (str, int), "size": int, "pools": [str], "conflicts": [(str, int)]}]}


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
    limit = None if capacity is None else min(capacity, MOST_BYTES)
    return _checked(Problem(tuple(buffers), (Pool("workspace", limit, 1),)), path)


def read_json(path: Path) -> Problem:
    """Several pools, buffers with explicit conflicts, alignments and candidate pools.

    `{"buffers": [{"id", "size", "alignment", "pools", "conflicts": [ids]}]}`; pools are those that buffers name.

    Raises:
        InputError: the file is no such JSON; says what is wrong.
    """
    try:
        document = documents.read_json(path)
    except InputError as error:
        raise InputError(f"{error.message}: not a placement problem", remedy=error.remedy) from error
    if wrong := documents.misfit(document, _PROBLEM):
        raise InputError(f"{path}: not a placement problem: {wrong}")
    entries: list[Mapping[str, Any]] = document["buffers"]
    ids = {entry["id"]: number for number, entry in enumerate(entries)}
    try:
        buffers = tuple(map(_buffer, entries))
        pairs = {(number, ids[other]) for number, entry in enumerate(entries) for other in entry["conflicts"]}
    except ValueError as error:
        raise InputError(f"{path}: not a placement problem: {error}") from error
    except KeyError as error:
        raise InputError(f"{path}: not a placement problem: a buffer conflicts with {error}, which is none") from error
    names = dict.fromkeys(pool for buffer in buffers for pool in buffer.pools)
    conflicts = frozenset((min(a, b), max(a, b)) for a, b in pairs if a != b)
    return _checked(Problem(buffers, tuple(Pool(name) for name in names), conflicts=conflicts), path)


def _checked(problem: Problem, path: Path) -> Problem:
    """Refuse what offsets and times of 64 bits cannot count."""
    if sum(buffer.size + buffer.alignment for buffer in problem.buffers) > MOST_BYTES:
        raise InputError(f"{path}: the buffers take more than {MOST_BYTES} bytes together")
    if any(abs(time) > MOST_BYTES for buffer in problem.buffers for life in buffer.ranges for time in life):
        raise InputError(f"{path}: there are times beyond {MOST_BYTES}")
    return problem


def _buffer(entry: Mapping[str, Any]) -> Buffer:
    """One entry of a JSON file; raises ValueError if it makes no sense."""
    name, size, alignment = str(entry["id"]), entry["size"], entry.get("alignment", 1)
    if size < 0 or type(alignment) is not int or alignment < 1:
        raise ValueError(f"buffer '{name}' needs a size of at least 0 and an alignment of at least 1")
    return Buffer(name, size, ((0, 1),), alignment, tuple(entry["pools"]))


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

"""The operator table: TOSA's operation to the function that imports it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from .node import Node

Importer = Callable[[Any, Node], SSAValue | Sequence[SSAValue] | None]
"""Takes the operation and what is known around it; returns the results, or None where whoever reads them makes them.
Raises `InputError`, `Unsupported` or xDSL's `VerifyException`."""

_TABLE: dict[type[Operation], Importer] = {}


def imports(*operations: type[Operation]) -> Callable[[Importer], Importer]:
    """Enter the decorated function for operations."""

    def enter(importer: Importer) -> Importer:
        for operation in operations:
            assert operation not in _TABLE, f"{operation.name} has one importer"
            _TABLE[operation] = importer
        return importer

    return enter


def lookup(operation: Operation) -> Importer | None:
    """Return the importer of an operation; None if it is not supported."""
    return _TABLE.get(type(operation))


def title_of(name: str) -> str:
    """Name of an operation in TOSA's specification: `CONV2D` for `tosa.conv2d`."""
    return name.removeprefix("tosa.").upper()


def supported_operators() -> tuple[str, ...]:
    """Names of all supported operators, sorted."""
    return tuple(sorted(title_of(operation.name) for operation in _TABLE))

"""The operator table: TFLite's built-in name to the function that imports it.

An operator is added by one decorated function in a module of this folder, or of a package with an entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tflite.BuiltinOperator import BuiltinOperator
from xdsl.ir import Operation, SSAValue

from ....plugins import Plugins
from ..node import Node

Importer = Callable[[Node], Operation | Sequence[SSAValue]]
"""Emits what the operator becomes and returns its outputs, or the operation whose results they are.

Raises `InputError` (by `node.malformed`), `Unsupported`, `QuantisationError` or xDSL's `VerifyException`.
"""


@dataclass(frozen=True)
class Entry:
    """One row of the table."""

    opcode: str
    importer: Importer
    inputs: tuple[int, int]
    """Least and largest number of inputs, left-out ones included."""
    outputs: int | None
    """Number of outputs; None where the operator's options decide."""
    types: tuple[str, ...]
    """Element types of the data that can be compiled; `A to B` where the output's differs. For people: the importer
    decides, as other operands have types too."""
    states: tuple[int, ...] = ()
    """Positions of inputs that keep state between runs."""


ADDED: Plugins[Importer] = Plugins("stillpool.operators", "a function decorated with @operator", callable)
"""Importers of other packages, by the built-in operator's name or the custom operator's code."""

CUSTOM = "CUSTOM "
"""Begins the opcode of custom operators, before their code."""

_TABLE: dict[str, Entry] = {}


def operator(
    opcode: str,
    *,
    inputs: int | tuple[int, int],
    outputs: int | None = 1,
    types: tuple[str, ...] = ("FLOAT32", "INT8"),
    states: tuple[int, ...] = (),
) -> Callable[[Importer], Importer]:
    """Enter the decorated function for a built-in operator, or for a custom one: `CUSTOM <its code>`."""

    def enter(importer: Importer) -> Importer:
        assert opcode not in _TABLE, f"{opcode} has one importer"
        bounds = (inputs, inputs) if isinstance(inputs, int) else inputs
        _TABLE[opcode] = Entry(opcode, importer, bounds, outputs, types, states)
        return importer

    return enter


def lookup(opcode: str) -> Entry | None:
    """The row of an operator; None if it is not supported.

    Raises:
        UsageError: a package's importer cannot be loaded, or is one of something else.
    """
    name = opcode.removeprefix(CUSTOM)
    if opcode not in _TABLE and ADDED.load(name) is not None and opcode not in _TABLE:
        raise ADDED.refusal(name, f"enters no importer of '{opcode}'")
    return _TABLE.get(opcode)


def supported_operators() -> tuple[str, ...]:
    """Built-in names of all supported operators, sorted, and `CUSTOM <code>` of custom ones."""
    builtin = BuiltinOperator.__dict__
    added = (name if name in builtin else f"{CUSTOM}{name}" for name in ADDED.names())
    return tuple(sorted({*_TABLE, *added}))

"""The operator table: ONNX's name to the function that imports it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .definitions import WRITTEN
from .node import Node
from .tensors import Tensor

Importer = Callable[[Node], Tensor | Sequence[Tensor]]
"""Returns the outputs. Raises `InputError`, `Unsupported` or xDSL's `VerifyException`."""

_TABLE: dict[str, Importer] = {}


def operator(*names: str) -> Callable[[Importer], Importer]:
    """Enter the decorated function for operators; those of other domains are `domain.Name`."""

    def enter(importer: Importer) -> Importer:
        for name in names:
            assert name not in _TABLE, f"{name} has one importer"
            _TABLE[name] = importer
        return importer

    return enter


def lookup(name: str) -> Importer | None:
    """Return the importer of an operator; None if it is not supported."""
    return _TABLE.get(name)


def supported_operators() -> tuple[str, ...]:
    """Names of all supported operators, sorted."""
    return tuple(sorted({*_TABLE, *WRITTEN}))

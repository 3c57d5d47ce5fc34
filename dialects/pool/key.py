"""Attributes `pool.*` as keys, which say on what they may stand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .. import key
from ..key import Value


class Carrier(Enum):
    """Operations or values that an attribute may stand on, as messages call them."""

    MODULE = "modules"
    FUNCTION = "functions"
    ARGUMENT = "arguments of functions"
    BUFFER = "memref.alloc"
    CONSTANT = "memref.global"
    OPERATION = "operations of entry functions"
    CALL = "func.call"


@dataclass(frozen=True)
class Key(key.Key[Value]):
    """An attribute `pool.*`."""

    carriers: tuple[Carrier, ...]

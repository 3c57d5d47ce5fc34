"""How one named attribute of the dialect is read, written and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from xdsl.ir import Attribute

Value = TypeVar("Value")


class Carrier(Enum):
    """What an attribute may stand on; the value says so in messages."""

    MODULE = "modules"
    FUNCTION = "functions"
    ARGUMENT = "arguments of functions"
    BUFFER = "memref.alloc"
    CONSTANT = "memref.global"
    OPERATION = "operations of entry functions"
    CALL = "func.call"


@dataclass(frozen=True)
class Key(Generic[Value]):
    """An attribute `pool.*` whose value means a `Value`; what it means is said where it is defined."""

    name: str
    carriers: tuple[Carrier, ...]
    form: str
    """What its value must be, in words."""
    read: Callable[[Attribute], Value | None]
    """The meaning of a value, None if it is of another form."""
    write: Callable[[Value], Attribute]

    def get(self, attributes: Mapping[str, Attribute]) -> Value | None:
        """The value among the attributes of an operation or argument; None if it is absent or of another form."""
        value = attributes.get(self.name)
        return None if value is None else self.read(value)

    def put(self, attributes: MutableMapping[str, Attribute], value: Value) -> None:
        """Write the value, instead of what was there."""
        attributes[self.name] = self.write(value)

    def remove(self, attributes: MutableMapping[str, Attribute]) -> None:
        """Take the value away, if there is one."""
        attributes.pop(self.name, None)

    def item(self, value: Value) -> dict[str, Attribute]:
        """The value as a mapping of one attribute, to be joined with others."""
        return {self.name: self.write(value)}

    def within(self, attributes: Mapping[str, Attribute]) -> bool:
        """Whether the attribute is there."""
        return self.name in attributes

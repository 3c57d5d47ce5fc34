"""How a named attribute that stands on operations of other dialects is read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, StringAttr, UnitAttr, f32, i64
from xdsl.ir import Attribute

Value = TypeVar("Value")


@dataclass(frozen=True)
class Form(Generic[Value]):
    """Form of an attribute's values, and their meaning."""

    words: str
    """Description of a valid value, for messages."""
    read: Callable[[Attribute], Value | None]
    """The meaning of a value, None if it is of another form."""
    write: Callable[[Value], Attribute]


@dataclass(frozen=True)
class Key(Generic[Value]):
    """An attribute whose value means a `Value`; what it means is said where it is defined."""

    name: str
    form: Form[Value]

    def get(self, attributes: Mapping[str, Attribute]) -> Value | None:
        """The value among the attributes of an operation or argument; None if it is absent or of another form."""
        value = attributes.get(self.name)
        return None if value is None else self.form.read(value)

    def put(self, attributes: MutableMapping[str, Attribute], value: Value) -> None:
        """Write the value, instead of what was there."""
        attributes[self.name] = self.form.write(value)

    def remove(self, attributes: MutableMapping[str, Attribute]) -> None:
        """Take the value away, if there is one."""
        attributes.pop(self.name, None)

    def item(self, value: Value) -> dict[str, Attribute]:
        """The value as a mapping of one attribute, to be joined with others."""
        return {self.name: self.form.write(value)}

    def within(self, attributes: Mapping[str, Attribute]) -> bool:
        """Whether the attribute is there."""
        return self.name in attributes


def _present(value: bool) -> Attribute:
    assert value, "what does not hold is not written"
    return UnitAttr()


TEXT = Form[str]("a text", lambda value: value.data if isinstance(value, StringAttr) else None, StringAttr)
FLAG = Form[bool]("without a value", lambda value: True if isinstance(value, UnitAttr) else None, _present)


def natural(below: int | None = None) -> Form[int]:
    """Integers that are not negative, less than a bound if there is one."""

    def read(value: Attribute) -> int | None:
        number = value.value.data if isinstance(value, IntegerAttr) else -1
        return number if 0 <= number and (below is None or number < below) else None

    words = "an integer that is not negative" if below is None else f"an integer from 0 to {below - 1}"
    return Form(words, read, lambda number: IntegerAttr(number, i64))


def integers(type: IntegerType) -> Form[Sequence[int]]:
    """Dense arrays of integers."""

    def write(values: Sequence[int]) -> Attribute:
        return DenseArrayBase.from_list(type, values)

    return Form(f"array<{type}: ...>", lambda value: _numbers(value, type), write)


def _reals(values: Sequence[float]) -> Attribute:
    return DenseArrayBase.from_list(f32, values)


def _numbers(value: Attribute, type: Attribute) -> tuple[Any, ...] | None:
    return value.get_values() if isinstance(value, DenseArrayBase) and value.elt_type == type else None


REALS = Form[Sequence[float]]("array<f32: ...>", lambda value: _numbers(value, f32), _reals)

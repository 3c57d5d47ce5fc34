"""Instructions: functions of numbers, each of which C has by one name, or by one for each number in it."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import ClassVar, TypeVar, cast

from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def
from xdsl.utils.exceptions import VerifyException

from ..function import Function
from ..values import Value

Kind = TypeVar("Kind", bound=Function)

INTEGER = IntegerAttr.constr(i64)
"""A property that is a number."""
FUNCTIONS: list[type[Function]] = []
"""All functions of numbers."""


def function(kind: type[Kind]) -> type[Kind]:
    """Define a function of numbers."""
    FUNCTIONS.append(irdl_op_definition(kind))
    return kind


def instruction(base: type[Kind], name: str, meaning: str, arm: str = "") -> type[Kind]:
    """Define an instruction on the operands that its base declares.

    Its documentation is what it means, how it is written, and Arm's instructions for it.
    """
    title = "".join(part.capitalize() for part in name.split("_"))
    fields = {"name": f"simd.{name}", "__module__": base.__module__}
    made = function(cast("type[Kind]", type(f"{title}Op", (base,), fields)))
    named = ", ".join(f"%{operand}" for operand, _ in made.get_irdl_definition().operands)
    made.__doc__ = f"{meaning} Example: `simd.{name} {named}`." + (f"\n\nArm: {arm}." if arm else "")
    return made


def rows(*operands: str, base: type[Function] = Function) -> Callable[..., type[Function]]:
    """Return what defines instructions whose operands are i32 with these names."""
    fields = {name: operand_def(i32) for name in operands}
    return partial(instruction, cast("type[Function]", type("Words", (base,), fields)))


class Numbered(Function, abc.ABC):
    """Base of the instructions with numbers in them, which are properties."""

    NUMBERS: ClassVar[Mapping[str, Sequence[int]]]
    """Which numbers there are of each property."""
    FUNCTION: ClassVar[str] = ""
    """Name in C; where it is empty, the operation's, then the numbers."""

    def __init__(self, operand: Value, *numbers: int):
        """`numbers` are the properties in order."""
        given = zip(self.NUMBERS, numbers, strict=True)
        super().__init__(operand, properties={name: IntegerAttr(number, i64) for name, number in given})

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers by name."""
        return {name: getattr(self, name).value.data for name in self.NUMBERS}

    def verify_(self) -> None:
        for name, number in self.numbers.items():
            if number not in (known := self.NUMBERS[name]):
                ends = f"{known[0]} to {known[-1]}" if isinstance(known, range) else " or ".join(map(str, known))
                raise VerifyException(f"{name} is {ends}, not {number}")


def function_named(kind: type[Operation], numbers: Mapping[str, int]) -> str:
    """The name in C of the function that computes operations of a class, those with these numbers."""
    if issubclass(kind, Numbered) and kind.FUNCTION:
        return kind.FUNCTION.format(**numbers)
    return "_".join([kind.name.replace(".", "_"), *map(str, numbers.values())])


def functions_named() -> Iterator[str]:
    """The names in C of all functions."""
    for kind in FUNCTIONS:
        ranges = kind.NUMBERS if issubclass(kind, Numbered) else {}
        for numbers in product(*ranges.values()):
            yield function_named(kind, dict(zip(ranges, numbers, strict=True)))


def numbers_of(op: Operation) -> dict[str, int]:
    """The numbers in an instruction, by name."""
    return op.numbers if isinstance(op, Numbered) else {}


def function_of(op: Operation) -> str:
    """The name in C of the function that computes an operation of this dialect."""
    return function_named(type(op), numbers_of(op))

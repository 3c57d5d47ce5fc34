"""The base of all operations, and instructions: functions of numbers that C has by one name, or one for each number."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import ClassVar, Self, TypeAlias, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import InferenceContext, IRDLOperation, irdl_op_definition, operand_def
from xdsl.utils.exceptions import VerifyException

from ..function import Function
from ..values import Value, flag, integers

Property: TypeAlias = Attribute | int | str | Sequence[int] | None
"""A property as Python writes it: a flag is True or False, None is one that the operation does not have."""
INTEGER = IntegerAttr.constr(i64)
"""A property that is a number."""
OPERATIONS: list[type[IRDLOperation]] = []
"""All operations of the dialect, but for loops, which are those of `scf`."""


def _attribute(value: Property) -> Attribute | None:
    match value:
        case None | Attribute():
            return value
        case bool():
            return flag(value)
        case int():
            return IntegerAttr(value, i64)
        case str():
            return StringAttr(value)
        case _:
            return integers(value, i64)


@cache
def _result_types(kind: type[IRDLOperation]) -> Sequence[Attribute]:
    parts, context = kind.get_irdl_definition().results, InferenceContext()
    return [type for _, part in parts for type in part.constr.infer(context, length=1)]


class SimdOperation(IRDLOperation, abc.ABC):
    """Base of the operations: those that have a name are defined and registered."""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            OPERATIONS.append(irdl_op_definition(cls))

    def __init__(self, *operands: Value | Sequence[Value], **properties: Property):
        """Make the operation of its operands in order, and of its properties."""
        made = {name: _attribute(value) for name, value in properties.items()}
        # Not that of `Function`, whose result is always an i32.
        IRDLOperation.__init__(self, operands=operands, result_types=_result_types(type(self)), properties=made)


class Instruction(SimdOperation, Function, abc.ABC):
    """Base of the functions of numbers."""

    NUMBERS: ClassVar[Mapping[str, Sequence[int]]] = {}
    """Which numbers there are of each property that is one."""
    FUNCTION: ClassVar[str] = ""
    """Name in C; where it is empty, the operation's, then the numbers."""

    @classmethod
    def row(cls, name: str, meaning: str, arm: str = "") -> type[Self]:
        """Define an instruction on the operands that the class declares.

        Its documentation is what it means, how it is written, and Arm's instructions for it.
        """
        title = "".join(part.capitalize() for part in name.split("_"))
        fields = {"name": f"simd.{name}", "__module__": cls.__module__}
        made = cast("type[Self]", type(f"{title}Op", (cls,), fields))
        named = ", ".join(f"%{operand}" for operand, _ in made.get_irdl_definition().operands)
        made.__doc__ = f"{meaning} Example: `simd.{name} {named}`." + (f"\n\nArm: {arm}." if arm else "")
        return made

    @classmethod
    def rows(cls, *operands: str) -> Callable[..., type[Self]]:
        """Return what defines instructions that have operands with these names, too, which are i32."""
        fields = {name: operand_def(i32) for name in operands}
        return cast("type[Self]", type("Words", (cls,), fields)).row

    def verify_(self) -> None:
        for name, number in numbers_of(self).items():
            if number not in (known := self.NUMBERS[name]):
                ends = f"{known[0]} to {known[-1]}" if isinstance(known, range) else " or ".join(map(str, known))
                raise VerifyException(f"{name} is {ends}, not {number}")


def function_named(kind: type[Operation], numbers: Mapping[str, int]) -> str:
    """The name in C of the function that computes operations of a class, those with these numbers."""
    if issubclass(kind, Instruction) and kind.FUNCTION:
        return kind.FUNCTION.format(**numbers)
    return "_".join([kind.name.replace(".", "_"), *map(str, numbers.values())])


def functions_named() -> Iterator[str]:
    """The names in C of all functions of numbers."""
    for kind in OPERATIONS:
        if issubclass(kind, Instruction):
            for numbers in product(*kind.NUMBERS.values()):
                yield function_named(kind, dict(zip(kind.NUMBERS, numbers, strict=True)))


def numbers_of(op: Operation) -> dict[str, int]:
    """The numbers in an instruction, by name."""
    return {name: getattr(op, name).value.data for name in op.NUMBERS} if isinstance(op, Instruction) else {}


def function_of(op: Operation) -> str:
    """The name in C of the function that computes an operation of this dialect."""
    return function_named(type(op), numbers_of(op))

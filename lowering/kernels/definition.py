"""Definition of operations by rows: one call or one decorated function for each, instead of a class."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, TypeVar, cast

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition

_Kind = TypeVar("_Kind", bound=IRDLOperation)


@cache
def constant(value: int) -> IntegerAttr[I64]:
    """A number that stands in an instruction."""
    return IntegerAttr(value, i64)


class Row(IRDLOperation, ABC):
    """An operation that a function of the numbers in its operands says all of."""

    INPUTS: ClassVar[Sequence[str]]
    """Names of operands, as the function has them."""
    WRITTEN: ClassVar[str]
    """How it is written, with names in braces."""
    FUNCTION: ClassVar[Callable[..., Any]]

    @property
    def constants(self) -> dict[str, int]:
        """Return the constant that stands in the operation, if there is one."""
        return {name: one.value.data for name, one in self.properties.items() if isinstance(one, IntegerAttr)}


def defined(base: type[_Kind], name: str, doc: str, **members: object) -> type[_Kind]:
    """Define the operation `DIALECT.NAME`, with what classes of its base have each for themselves."""
    # What is in capitals xDSL knows by its annotation.
    annotations = {member: ClassVar[object] for member in members if member.isupper()}
    own = {"name": name, "__doc__": doc, "__annotations__": annotations, **members}
    return irdl_op_definition(cast(type[_Kind], type(name.rpartition(".")[2], (base,), own)))


def operations_in(dialect: str, *modules: ModuleType) -> list[type[Operation]]:
    """The operations of a dialect in modules, which may have imported others."""
    found: list[object] = [one for module in modules for one in vars(module).values()]
    kinds = [one for one in found if isinstance(one, type) and issubclass(one, Operation) and hasattr(one, "name")]
    return [kind for kind in kinds if kind.name.startswith(f"{dialect}.")]

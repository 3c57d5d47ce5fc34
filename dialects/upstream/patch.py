"""One thing that an operation of xDSL lacks, and how it is added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Dialect, Operation
from xdsl.irdl import AttrConstraint, IRDLOperation, OptPropertyDef
from xdsl.parser import Parser
from xdsl.printer import Printer


@dataclass(frozen=True)
class Patch:
    """An addition to xDSL."""

    what: str
    """For people: the operation and what is added to it."""
    is_needed: Callable[[], bool]
    """Whether xDSL lacks it."""
    add: Callable[[], None]

    def apply(self) -> bool:
        """Add it if it is needed, and say whether it was."""
        needed = self.is_needed()
        if needed:
            self.add()
        return needed


def superseded(patches: Sequence[Patch]) -> tuple[str, ...]:
    """Add what is needed of some additions; return what is not."""
    return tuple(patch.what for patch in patches if not patch.apply())


def syntax(op: type[Operation], parse: Callable[[type[Any], Parser], Operation]) -> Patch:
    """The custom format of an operation that xDSL reads in the generic form only."""

    def is_needed() -> bool:
        return op.parse.__func__ is Operation.parse.__func__  # pyright: ignore[reportFunctionMemberAccess]

    def add() -> None:
        op.parse = classmethod(parse)  # pyright: ignore[reportAttributeAccessIssue]

    return Patch(f"{op.name}: custom format", is_needed, add)


def with_property(
    what: str,
    op: Any,
    given: Patch,
    parse: Callable[[type[Any], Parser], Operation],
    print_: Callable[[Any, Printer], None],
) -> Patch:
    """A property together with the custom format that shows it."""

    def add() -> None:
        given.add()
        op.parse = classmethod(parse)
        op.print = print_

    return Patch(f"{op.name}: {what}", given.is_needed, add)


def operation(dialect: Dialect, op: type[Operation]) -> Patch:
    """An operation that a dialect does not have."""

    def is_needed() -> bool:
        return all(present.name != op.name for present in dialect.operations)

    def add() -> None:
        dialect._operations.append(op)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]

    return Patch(f"{op.name}: operation", is_needed, add)


def optional_property(op: type[IRDLOperation], name: str, constraint: AttrConstraint) -> Patch:
    """A property that upstream's operation may have; xDSL refuses it in the generic form."""
    definition = op.get_irdl_definition()

    def add() -> None:
        definition.properties[name] = OptPropertyDef(constraint)

    return Patch(f"{op.name}: property {name}", lambda: name not in definition.properties, add)

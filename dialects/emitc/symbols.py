"""Checking that a symbol reference means what it should."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException


@dataclass(frozen=True)
class RefersTo(SymbolUserOpInterface):
    """The property `property` must name an operation called `target` in the enclosing symbol table."""

    target: str
    property: str

    def verify(self, op: Operation) -> None:
        reference = op.properties[self.property]
        assert isinstance(reference, SymbolRefAttr), "the property's definition admits symbol references only"
        found = SymbolTable.lookup_symbol(op, reference)
        if found is None:
            raise VerifyException(f"'{op.name}' op @{reference.string_value()} is not declared")
        if found.name != self.target:
            raise VerifyException(f"'{op.name}' op @{reference.string_value()} is a {found.name}, not a {self.target}")

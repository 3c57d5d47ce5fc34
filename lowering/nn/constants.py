"""Constants of a module as `memref.global`s; equal contents become one global."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, StringAttr, UnitAttr
from xdsl.ir import Attribute

from ...dialects import nn_keys
from ...targets.identifiers import UniqueNames, identifier
from .storage import stored


class Globals:
    """The constant globals created so far, in order of creation."""

    def __init__(self, names: UniqueNames):
        self._names = names
        self._by_content: dict[Attribute, memref.GlobalOp] = {}

    def intern(self, value: DenseIntOrFPElementsAttr, name: str, *, is_table: bool) -> memref.GlobalOp:
        """The global that holds `value`; `name` names it if it is new.

        A table is what the compiler adds to the constants of the model: multipliers, shifts, values of functions.
        """
        known = self._by_content.get(value)
        if known is None:
            initial = stored(value)
            known = memref.GlobalOp.get(
                StringAttr(self._names.fresh(identifier(name))),
                MemRefType(initial.get_element_type(), initial.get_shape()),
                initial,
                constant=UnitAttr(),
            )
            nn_keys.NAME.put(known.attributes, name)
            if is_table:
                nn_keys.TABLE.put(known.attributes, True)
            self._by_content[value] = known
        return known

    @property
    def operations(self) -> list[memref.GlobalOp]:
        """All globals, in order of creation."""
        return list(self._by_content.values())

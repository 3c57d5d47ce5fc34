"""Collects what a sound model needs and stillpool cannot compile, to refuse it all at once."""

from __future__ import annotations

from ..reasons import Reasons
from .node import Node

SIZED_BY_VALUES = frozenset({"WHERE", "UNIQUE"})
"""Operators whose results have as many elements as the operands' values say."""


def reason_for(opcode: str) -> str:
    """Why an operator without an importer cannot be compiled."""
    if opcode in SIZED_BY_VALUES:
        return (
            "the values of its operands decide the size of its result, but memory is planned before the model runs; "
            "SELECT_V2, or a comparison that gives a mask, has a size of its own"
        )
    return "the operator cannot be compiled"


class Refusals(Reasons):
    """Reasons not to compile a TFLite file."""

    def __init__(self, source: str):
        super().__init__(source)
        self.by_place: dict[tuple[int, int], str] = {}
        """Reasons by the indices of subgraph and operator."""

    def add(self, node: Node, reason: str) -> None:
        """Refuse one operator."""
        operator = node.operator
        self.by_place[node.graph.index, operator.index] = reason
        index = f"{operator.index}{node.graph.suffix}"
        place = f"{index} '{node.outputs[0].name}'" if node.outputs else index
        self.add_operator(operator.title, reason, place)

    def check(self) -> None:
        """End the import if something was refused.

        Raises:
            UnsupportedError: lists every reason with operator indices and output tensors.
        """
        self.raise_if_any(remedy="stillpool ops lists the operators and types that can be compiled")

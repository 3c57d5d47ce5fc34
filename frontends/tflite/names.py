"""Names of a model's inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..names import distinct
from .schema import Model


@dataclass(frozen=True)
class InterfaceNames:
    """Names in the order of the subgraph's inputs and outputs, distinct on each side."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def interface_names(model: Model, subgraph: int = 0) -> InterfaceNames:
    """Names by the subgraph's first signature, and the tensors' own names where it says nothing."""
    signature = next((signature for signature in model.signatures if signature.subgraph == subgraph), None)
    graph = model.subgraphs[subgraph]

    def side(positions: Sequence[int], given: Mapping[int, str]) -> tuple[str, ...]:
        return distinct([given.get(position) or graph.tensors[position].name for position in positions])

    return InterfaceNames(
        side(graph.inputs, signature.inputs if signature else {}),
        side(graph.outputs, signature.outputs if signature else {}),
    )

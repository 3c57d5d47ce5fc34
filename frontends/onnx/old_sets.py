"""What operators of old sets meant, where ONNX's own converter keeps their text and loses that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from onnx import helper

NAMED_MODES = 11
"""The operator set from which on resizing says how."""
ALONG_ONE = 13
"""The operator set from which on rows are along one dimension."""
OLD = "before operator set 11"
"""Rounding without a name, which takes the element before, and the one behind where there are fewer elements."""


def rewritten(graph: Any, rewrite: Callable[[Any], Sequence[Any]]) -> None:
    """Put other operators in the place of those of a graph and of the graphs inside of it."""
    made: list[Any] = []
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else [*attribute.graphs]:
                rewritten(inner, rewrite)
        made += rewrite(node)
    del graph.node[:]
    graph.node.extend(made)


def named_modes(node: Any) -> Sequence[Any]:
    """Give resizing before set 11 attributes that say what it did without."""
    if node.op_type in ("Resize", "Upsample") and node.domain in ("", "ai.onnx"):
        modes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": OLD}
        kept = [each for each in node.attribute if each.name not in modes]
        del node.attribute[:]
        node.attribute.extend(kept)
        node.attribute.extend(helper.make_attribute(name, value) for name, value in modes.items())
    return [node]


def flattened(node: Any) -> Sequence[Any]:
    """Hardmax before set 13 as one along the rows that it took: all dimensions from its axis on are one."""
    if node.op_type != "Hardmax" or node.domain not in ("", "ai.onnx") or len(node.input) != 1 or len(node.output) != 1:
        return [node]
    value, result = node.input[0], node.output[0]
    axis = next((each.i for each in node.attribute if each.name == "axis"), 1)
    rows, largest, shape = (f"{result}/{part}" for part in ("rows", "largest", "shape"))
    return [
        helper.make_node("Flatten", [value], [rows], name=node.name, axis=axis),
        helper.make_node("Hardmax", [rows], [largest], name=node.name, axis=1),
        helper.make_node("Shape", [value], [shape], name=node.name),
        helper.make_node("Reshape", [largest, shape], [result], name=node.name),
    ]

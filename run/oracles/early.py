"""Quantisation in front of what does the same to integers as to reals: bounds, largest elements, movement.

A product whose result such operators pass on to QuantizeLinear is quantised at once, as compilers do, onnxruntime's
optimiser among them. In float32 a tie would turn the other way now and then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_PASSES = (
    *("Relu", "Clip", "MaxPool", "GlobalMaxPool"),
    *("Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout", "Slice", "Gather"),
    *("DepthToSpace", "SpaceToDepth", "Pad", "Tile", "Expand"),
)
"""Operators whose results are elements of their first input, or ends of their range."""


def quantised_early(
    node: Any, readers: dict[str, list[Any]], shown: set[str], constants: Mapping[str, Any]
) -> Sequence[Any]:
    """Let the readers of a product read it quantised and dequantised again.

    Args:
        node: the product, of one result.
        readers: of each tensor by name; they change.
        shown: the graph's outputs.
        constants: initialisers of the graph by name.

    Returns:
        QuantizeLinear, which alone reads the product, and DequantizeLinear, for the others; nothing where it is
        quantised at once, or not with one scale for all that reads it.
    """
    from onnx import helper

    name = node.output[0]
    found = _ends(name, readers, shown)
    if not found or readers[name] == found[:1] or len({_way(one, constants) for one in found}) != 1:
        return ()
    way = list(found[0].input[1:])
    scale = constants.get(way[0])
    if scale is None or any(extent != 1 for extent in scale.dims):
        return ()
    integers, reals = f"{name}/integers", f"{name}/reals"
    made = [
        helper.make_node("QuantizeLinear", [name, *way], [integers]),
        helper.make_node("DequantizeLinear", [integers, *way], [reals]),
    ]
    for reader in readers[name]:
        inputs = [reals if each == name else each for each in reader.input]
        del reader.input[:]
        reader.input.extend(inputs)
    readers[reals], readers[name], readers[integers] = readers[name], made[:1], made[1:]
    return made


def _ends(name: str, readers: Mapping[str, Sequence[Any]], shown: set[str]) -> list[Any]:
    """The QuantizeLinear that read a tensor, at once or behind other operators; none if anything else reads it, too."""
    found: list[Any] = []
    for reader in () if name in shown else readers.get(name, ()):
        if reader.input[0] != name or reader.domain:
            return []
        if reader.op_type == "QuantizeLinear":
            found.append(reader)
            continue
        behind = _ends(reader.output[0], readers, shown) if reader.op_type in _PASSES else []
        if not behind:
            return []
        found += behind
    return found


def _way(quantize: Any, constants: Mapping[str, Any]) -> tuple[Any, ...]:
    """What decides how it quantises: the numbers, as far as they are constants."""
    from onnx import numpy_helper

    known = [(name, constants.get(name)) for name in quantize.input[1:]]
    arrays = [name if one is None else numpy_helper.to_array(one) for name, one in known]
    return tuple(each if isinstance(each, str) else (each.dtype.name, each.tobytes()) for each in arrays)

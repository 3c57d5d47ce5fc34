"""Zero points that QuantizeLinear and DequantizeLinear leave out: operators on integers need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .exact_products import element_types

_QUANTISED = ("int8", "uint8", "int16", "uint16")


def give_zero_points(model: Any, constants: Mapping[str, Any]) -> None:
    """Give a zero to those of a graph that have none.

    Args:
        model: with one graph, which changes.
        constants: its constants by name.
    """
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    bare = [
        node
        for node in graph.node
        if node.op_type in ("QuantizeLinear", "DequantizeLinear") and not any(node.input[2:3])
    ]
    types = element_types(model) if bare else {}
    types |= {name: tensor.data_type for name, tensor in constants.items()}
    for node in bare:
        kind = types.get(node.input[0], 0)
        if node.op_type == "QuantizeLinear":
            kind = next((a.i for a in node.attribute if a.name == "output_dtype"), 0) or TensorProto.UINT8
        dtype, scale = helper.tensor_dtype_to_np_dtype(kind) if kind else None, constants.get(node.input[1])
        if scale is None or dtype is None or dtype.name not in _QUANTISED:
            continue
        name = f"{node.output[0]}/zero"
        graph.initializer.append(numpy_helper.from_array(np.zeros(tuple(scale.dims), dtype), name))
        del node.input[2:]
        node.input.append(name)

"""How compiled models hold the tensors of ONNX files: in integers where they are quantised, with channels last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...driver.models.model_file import Layout
from ..samples import Array


def in_steps(data: bytes, names: Sequence[str], layouts: Mapping[str, Layout]) -> Mapping[str, str]:
    """The tensor of a file that a compiled operator leaves: the quantised one where it leaves integers."""
    import onnx

    model = onnx.ModelProto()
    model.ParseFromString(data)
    readers: dict[str, list[Any]] = defaultdict(list)
    for node in model.graph.node:
        for name in node.input:
            readers[name].append(node)
    made: dict[str, str] = {}
    for name in names:
        users = readers[name]
        is_quantised = len(users) == 1 and users[0].op_type == "QuantizeLinear" and layouts.get(name, ((), False))[1]
        made[name] = users[0].output[0] if is_quantised else name
    return made


def as_held(array: Array, layout: Layout | None) -> Array | None:
    """Stacked samples of a tensor of the file as the compiled model holds them; None where that is not known."""
    if layout is None:
        return None
    if array.dtype.kind == "u" and array.dtype.itemsize <= 2:
        half = np.iinfo(array.dtype).max // 2 + 1
        array = (array.astype(np.int32) - half).astype(f"i{array.dtype.itemsize}")
    shape, given = layout[0], array.shape[1:]
    last = (given[0], *given[2:], given[1]) if len(given) > 2 else given
    if shape == given and (last != given or sum(extent > 1 for extent in given[1:]) < 2):
        return array
    if shape == last and last != given:
        return np.moveaxis(array, 2, -1)
    # Both would do: which one it is cannot be seen.
    return None

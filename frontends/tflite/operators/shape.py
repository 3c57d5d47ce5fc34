"""RESHAPE."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects.nn.shape import ReshapeOp
from ..node import Node, tensor_type
from .movement import TYPES
from .registry import operator


@operator("RESHAPE", inputs=(1, 2), types=TYPES)
def reshape(node: Node) -> Operation:
    """The shape comes from a constant tensor, else from the options; one extent may be -1."""
    data, output = node.input(0), node.output
    node.check_same_type((data, output), TYPES)
    shape = _resolve(node, _requested(node), math.prod(data.shape))
    if shape != output.shape:
        raise node.malformed(f"{output} has shape {list(output.shape)}, the operator makes {list(shape)}")
    return node.emit(ReshapeOp(node.value(data), tensor_type(output)))


def _requested(node: Node) -> Sequence[int]:
    tensor = node.optional_input(1)
    if tensor is None:
        shape = node.operator.options.get("NewShape", ())
        assert isinstance(shape, tuple), "NewShape is a vector in the schema"
        if not shape and math.prod(node.input(0).shape) != 1:
            raise node.malformed("neither a shape tensor nor the options give a shape")
        extents = [int(extent) for extent in shape]
        # Old converters write [0] for a scalar.
        return [] if extents == [0] else extents
    if len(tensor.shape) > 1:
        raise node.malformed(f"the shape {tensor} is not a vector")
    return node.integers(tensor)


def _resolve(node: Node, shape: Sequence[int], elements: int) -> tuple[int, ...]:
    """Replace the -1 by what remains of `elements`."""
    rest = math.prod(extent for extent in shape if extent != -1)
    if any(extent < -1 or extent == 0 for extent in shape) or list(shape).count(-1) > 1 or elements % rest:
        raise node.malformed(f"{elements} elements cannot take the shape {list(shape)}")
    return tuple(elements // rest if extent == -1 else extent for extent in shape)

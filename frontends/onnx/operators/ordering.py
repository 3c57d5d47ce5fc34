"""TopK and CumSum."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64

from ....dialects.nn.element_functions import Unary
from ....dialects.nn.ordering import TopKOp
from ....dialects.nn.quantise import CastOp
from ....dialects.nn.scan import CumulativeSumOp
from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..stored import Stored, permuted, typed
from ..tensors import Lazy, Tensor
from .unary import unary_op


@operator("TopK")
def top_k(node: Node) -> Sequence[Tensor]:
    """The largest or smallest elements along an axis in order, and their places."""
    data, rank = node.input(0), len(node.input(0).shape)
    count = int(node.constant(1).reshape(-1)[0])
    axis, largest = node.axis(int(node.attributes.get("axis", -1)), rank), bool(node.attributes.get("largest", 1))
    if data.dtype != "float32":
        raise Unsupported(f"an order of {data.dtype} cannot be compiled")
    if not 1 <= count <= data.shape[axis]:
        raise node.malformed(f"there are no {count} of {data.shape[axis]} elements")
    shape = [count if d == axis else extent for d, extent in enumerate(data.shape)]
    order = (*(d for d in range(rank) if d != axis), axis)

    @functools.cache
    def emitted() -> tuple[Stored, Stored]:
        value = node.real(data, order)
        types = [typed(kind, permuted(shape, order)) for kind in (Stored.plain(value).element, i32, i64)]
        values, indices = node.emit_all(TopKOp(value if largest else unary_op(node, Unary.NEG, value), *types[:2]))
        values = values if largest else unary_op(node, Unary.NEG, values)
        return Stored(values, order), Stored(node.emit(CastOp(indices, types[2])), order)

    names = [*node.output_names, ""]
    made = node.made(lambda: emitted()[0], shape)
    return [made, Tensor(names[1], made.shape, "int64", Lazy(lambda: emitted()[1]))]


@operator("CumSum")
def cumulative_sum(node: Node) -> Tensor:
    """Sums of all elements up to each place along a constant axis."""
    data = node.input(0)
    axis = node.axis(int(node.constant(1).reshape(-1)[0]), len(data.shape))
    if data.dtype not in ("float32", "int32", "int64"):
        raise Unsupported(f"sums of {data.dtype} cannot be compiled")
    exclusive, reverse = (bool(node.attributes.get(name, 0)) for name in ("exclusive", "reverse"))

    def real() -> Stored:
        stored = data.value.stored
        type = typed(stored.element, stored.extents)
        made = CumulativeSumOp(stored.value, stored.axis(axis), type, exclusive=exclusive, reverse=reverse)
        return Stored(node.emit(made), stored.order)

    return node.made(real, data.shape, data.dtype)

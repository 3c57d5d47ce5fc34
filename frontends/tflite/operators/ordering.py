"""Places of extreme elements and running sums: ARG_MAX, ARG_MIN, TOPK_V2, CUMSUM."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.ordering import ArgExtremum, ArgMaxOp, ArgMinOp, TopKOp
from ....dialects.nn.scan import CumulativeSumOp
from ..node import Node, tensor_type
from ..quantisation import QuantisationError, rescale
from ..scales import per_tensor
from ..schema import Tensor
from .movement import TYPES, expect_output
from .registry import operator

INT8_LEFT_SHIFT = 20
"""Head room that CUMSUM gives int8 elements before it rescales them."""

ORDERED = tuple(name for name in TYPES if name != "BOOL")


def _single(node: Node, tensor: Tensor) -> int:
    values = node.integers(tensor)
    if len(values) != 1:
        raise node.malformed(f"{tensor} has {len(values)} elements, not 1")
    return values[0]


@operator("ARG_MAX", inputs=2, types=tuple(f"{name} to INT32" for name in TYPES))
def arg_max(node: Node) -> Operation:
    """Index of the first largest element."""
    return _arg(node, ArgMaxOp)


@operator("ARG_MIN", inputs=2, types=tuple(f"{name} to INT32" for name in TYPES))
def arg_min(node: Node) -> Operation:
    """Index of the first smallest element."""
    return _arg(node, ArgMinOp)


def _arg(node: Node, kind: type[ArgExtremum]) -> Operation:
    data, shape = node.input(0), node.input(0).shape
    supported = [f"{name} {index}" for name in TYPES for index in ("INT32", "INT64")]
    node.check_types((data, node.output), supported=supported)
    node.refuse_empty(data)
    axis = node.axis(_single(node, node.input(1)), len(shape))
    expect_output(node, (*shape[:axis], *shape[axis + 1 :]))
    return node.emit(kind(node.value(data), axis, tensor_type(node.output)))


@operator("TOPK_V2", inputs=2, outputs=2, types=tuple(f"{name} to {name}, INT32" for name in ORDERED))
def top_k(node: Node) -> Operation:
    """The largest elements of every row, and their indices."""
    data, (values, indices) = node.input(0), node.outputs
    others = [f"{name} {name} {index}" for name in (*ORDERED, "BOOL") for index in ("INT16", "INT64")]
    node.check_types((data, values, indices), supported=[f"{name} {name} INT32" for name in ORDERED], others=others)
    count = _single(node, node.input(1))
    if not data.shape or not 1 <= count <= data.shape[-1]:
        raise node.malformed(f"{count} elements cannot be taken from rows of shape {list(data.shape)}")
    expect_output(node, (*data.shape[:-1], count))
    return node.emit(TopKOp(node.value(data), tensor_type(values), tensor_type(indices)))


@operator("CUMSUM", inputs=2, types=("FLOAT32", "INT8", "INT32", "INT64"))
def cumsum(node: Node) -> Operation:
    """Running sums along an axis."""
    data, output = node.input(0), node.output
    node.check_same_type((data, output), ("FLOAT32", "INT8", "INT32", "INT64"))
    expect_output(node, data.shape)
    axis = node.axis(_single(node, node.input(1)), len(data.shape))
    exclusive, reverse = bool(node.integer("Exclusive")), bool(node.integer("Reverse"))
    type_ = tensor_type(output)
    if data.element_type.name != "INT8":
        return node.emit(CumulativeSumOp(node.value(data), axis, type_, exclusive=exclusive, reverse=reverse))
    scale, zero_point = per_tensor(node, data)
    output_scale, output_zero_point = per_tensor(node, output)
    last = 2 * scale / ((1 << INT8_LEFT_SHIFT) * output_scale)
    if not last < 1:
        raise QuantisationError(f"the output scale {output_scale:g} is too small beside the input's {scale:g}")
    return node.emit(
        CumulativeSumOp(
            node.value(data),
            axis,
            type_,
            exclusive=exclusive,
            reverse=reverse,
            zero_points=(zero_point, output_zero_point),
            left_shift=INT8_LEFT_SHIFT,
            rescale=rescale([scale / (2 * scale), last]),
            clamp=ClampAttr.get(*integer_range(type_.element_type)),
        )
    )

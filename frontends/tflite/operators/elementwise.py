"""Elementwise operators of two operands: ADD."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.elementwise import AddOp
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..quantisation import rescale_add
from ..scales import per_tensor
from .registry import operator

INT8_LEFT_SHIFT = 20
"""Head room that ADD gives int8 operands before it rescales them."""


@operator("ADD", inputs=2)
def add(node: Node) -> Operation:
    """Sum with broadcasting."""
    lhs, rhs, output = node.input(0), node.input(1), node.output
    others = [f"{name} {name} {name}" for name in ("INT32", "INT64", "UINT8", "INT16")]
    node.check_types((lhs, rhs, output), supported=("FLOAT32 FLOAT32 FLOAT32", "INT8 INT8 INT8"), others=others)
    type_, clamp = tensor_type(output), fused_clamp(node)
    if output.element_type.name == "FLOAT32":
        return node.emit(AddOp(node.value(lhs), node.value(rhs), output_type=type_, clamp=clamp))
    lhs_scale, lhs_zero_point = per_tensor(node, lhs)
    rhs_scale, rhs_zero_point = per_tensor(node, rhs)
    output_scale, output_zero_point = per_tensor(node, output)
    return node.emit(
        AddOp(
            node.value(lhs),
            node.value(rhs),
            output_type=type_,
            zero_points=(lhs_zero_point, rhs_zero_point, output_zero_point),
            left_shift=INT8_LEFT_SHIFT,
            rescale=rescale_add(lhs_scale, rhs_scale, output_scale, INT8_LEFT_SHIFT),
            clamp=clamp,
        )
    )

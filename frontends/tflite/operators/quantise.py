"""QUANTIZE and DEQUANTIZE."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.quantise import DequantizeOp, QuantizeOp, RescaleOp
from ....dialects.nn.quantised import integer_range
from ..node import Node, tensor_type
from ..quantisation import rescale
from ..scales import per_tensor
from .registry import operator

_INTEGERS = ("INT8", "UINT8", "INT16", "INT32")


@operator("QUANTIZE", inputs=1, types=("FLOAT32 to INT8", "INT8"))
def quantize(node: Node) -> Operation:
    """Float to integer, or integer to integer of another scale."""
    data, output = node.input(0), node.output
    others = [f"{source} {target}" for source in ("FLOAT32", *_INTEGERS) for target in (*_INTEGERS, "INT4")]
    node.check_types((data, output), supported=("FLOAT32 INT8", "INT8 INT8"), others=others)
    scale, zero_point = per_tensor(node, output)
    type_ = tensor_type(output)
    if data.element_type.name == "FLOAT32":
        return node.emit(QuantizeOp(node.value(data), scale=scale, zero_point=zero_point, output_type=type_))
    input_scale, input_zero_point = per_tensor(node, data)
    return node.emit(
        RescaleOp(
            node.value(data),
            zero_points=(input_zero_point, zero_point),
            rescale=rescale([input_scale / scale]),
            clamp=ClampAttr.get(*integer_range(type_.element_type)),
            output_type=type_,
        )
    )


@operator("DEQUANTIZE", inputs=1, types=("INT8 to FLOAT32",))
def dequantize(node: Node) -> Operation:
    """Integer to float."""
    data, output = node.input(0), node.output
    others = [f"{source} FLOAT32" for source in ("UINT8", "INT16", "INT32", "FLOAT16", "INT4")]
    node.check_types((data, output), supported=("INT8 FLOAT32",), others=others)
    scale, zero_point = per_tensor(node, data)
    return node.emit(
        DequantizeOp(node.value(data), scale=scale, zero_point=zero_point, output_type=tensor_type(output))
    )

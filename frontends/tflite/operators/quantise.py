"""QUANTIZE, DEQUANTIZE and CAST."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.quantise import CastOp, DequantizeOp, QuantizeOp, RescaleOp
from ....dialects.nn.shape import ReshapeOp
from ..node import Node, tensor_type
from ..quantisation import rescale
from ..scales import per_tensor
from .creation import constant_output
from .registry import operator

_INTEGERS = ("INT8", "UINT8", "INT16", "INT32")
_REAL = tuple(f"FLOAT32 {target}" for target in ("INT8", "UINT8", "INT16"))
_RESCALED = tuple(f"{source} {target}" for source in _INTEGERS for target in _INTEGERS)
_NUMBERS = ("FLOAT32", *_INTEGERS, "INT64", "BOOL")
_OTHER_NUMBERS = ("FLOAT16", "FLOAT64", "UINT16", "UINT32", "UINT64", "COMPLEX64", "INT4")


def _titles(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row.replace(" ", " to ") for row in rows)


@operator("QUANTIZE", inputs=1, types=_titles((*_REAL, *_RESCALED)))
def quantize(node: Node) -> Operation:
    """Float to integer, or integer to integer of another scale."""
    data, output = node.input(0), node.output
    others = [f"{source} {target}" for source in ("FLOAT32", *_INTEGERS) for target in (*_INTEGERS, "INT4")]
    node.check_types((data, output), supported=(*_REAL, *_RESCALED), others=others)
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


_DEQUANTIZED = tuple(f"{source} FLOAT32" for source in ("INT8", "UINT8", "INT16", "FLOAT16"))


@operator("DEQUANTIZE", inputs=1, types=_titles(_DEQUANTIZED))
def dequantize(node: Node) -> Operation:
    """Integer to float; constants of half precision to single precision."""
    data, output = node.input(0), node.output
    others = [f"{source} FLOAT32" for source in ("INT4", "INT32")]
    node.check_types((data, output), supported=_DEQUANTIZED, others=others)
    if data.element_type.name == "FLOAT16":
        return constant_output(node, node.constant(data))
    scale, zero_point = per_tensor(node, data)
    return node.emit(
        DequantizeOp(node.value(data), scale=scale, zero_point=zero_point, output_type=tensor_type(output))
    )


@operator("CAST", inputs=1, types=_NUMBERS)
def cast(node: Node) -> Operation:
    """Convert numbers to another type; scales do not count."""
    data, output = node.input(0), node.output
    rows = [f"{source} {target}" for source in _NUMBERS for target in _NUMBERS]
    both = (*_NUMBERS, *_OTHER_NUMBERS)
    node.check_types(
        (data, output), supported=rows, others=[f"{source} {target}" for source in both for target in both]
    )
    if data.element_type is output.element_type:
        return node.emit(ReshapeOp(node.value(data), tensor_type(output)))
    return node.emit(CastOp(node.value(data), tensor_type(output)))

"""BATCH_MATMUL."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.matmul import BatchMatmulOp
from ..node import Node, Unsupported, tensor_type
from .accumulate import Operands
from .registry import operator

SUPPORTED = ("FLOAT32 FLOAT32 FLOAT32", "INT8 INT8 INT8", "INT16 INT16 INT16")


@operator("BATCH_MATMUL", inputs=2, types=("FLOAT32", "INT8", "INT16"))
def batch_matmul(node: Node) -> Operation:
    """Leading extents broadcast; each operand may be given transposed."""
    data, weights, output = node.input(0), node.input(1), node.output
    if (data.element_type.name, weights.element_type.name) == ("INT16", "INT8"):
        raise Unsupported("no kernel of TFLite multiplies INT16 by INT8 matrices: TFLite Micro refuses, LiteRT gives 0")
    others = ("FLOAT32 INT8 FLOAT32", "INT8 INT8 INT32", "UINT8 UINT8 UINT8")
    node.check_types((data, weights, output), supported=SUPPORTED, others=others)
    element = tensor_type(output).get_element_type()
    return node.emit(
        BatchMatmulOp(
            node.value(data),
            node.value(weights),
            output_type=tensor_type(output),
            adjoint=(bool(node.integer("AdjX")), bool(node.integer("AdjY"))),
            clamp=ClampAttr.get(*integer_range(element)) if isinstance(element, IntegerType) else None,
            **Operands(node, data, weights).per_tensor(),
        )
    )

"""AVERAGE_POOL_2D and MAX_POOL_2D."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp, Pool2D
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..padding import explicit_pads
from ..scales import same_quantisation
from .registry import operator
from .window import padding_scheme, rank4, strides_of


@operator("AVERAGE_POOL_2D", inputs=1)
def average_pool2d(node: Node) -> Operation:
    """Mean over a window."""
    return _pool(node, AveragePool2DOp)


@operator("MAX_POOL_2D", inputs=1)
def max_pool2d(node: Node) -> Operation:
    """Maximum over a window."""
    return _pool(node, MaxPool2DOp)


def _pool(node: Node, kind: type[Pool2D]) -> Operation:
    data, output = node.input(0), node.output
    supported = ("FLOAT32 FLOAT32", "INT8 INT8")
    node.check_types((data, output), supported=supported, others=("UINT8 UINT8", "INT16 INT16"))
    if output.element_type.name == "INT8":
        same_quantisation(node, data, output)
    kernel = node.positive("FilterHeight"), node.positive("FilterWidth")
    strides = strides_of(node)
    return node.emit(
        kind(
            node.value(data),
            kernel=kernel,
            strides=strides,
            pads=explicit_pads(rank4(node, data)[1:3], kernel, strides, (1, 1), padding_scheme(node)),
            output_type=tensor_type(output),
            clamp=fused_clamp(node),
        )
    )

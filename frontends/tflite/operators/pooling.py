"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects.nn.pooling import AveragePool2DOp, L2Pool2DOp, MaxPool2DOp, Pool2D
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..padding import explicit_pads
from ..scales import same_quantisation
from .registry import operator
from .window import padding_scheme, rank4, strides_of

TYPES = ("FLOAT32", "INT8", "UINT8", "INT16")


@operator("AVERAGE_POOL_2D", inputs=1, types=TYPES)
def average_pool2d(node: Node) -> Operation:
    """Mean over a window."""
    return _pool(node, AveragePool2DOp)


@operator("MAX_POOL_2D", inputs=1, types=TYPES)
def max_pool2d(node: Node) -> Operation:
    """Maximum over a window."""
    return _pool(node, MaxPool2DOp)


@operator("L2_POOL_2D", inputs=1, types=("FLOAT32",))
def l2_pool2d(node: Node) -> Operation:
    """Root of the mean square over a window, of floats."""
    return _pool(node, L2Pool2DOp, ("FLOAT32",))


def _pool(node: Node, kind: type[Pool2D], supported: Sequence[str] = TYPES) -> Operation:
    data, output = node.input(0), node.output
    node.check_types((data, output), supported=[f"{name} {name}" for name in supported])
    if output.element_type.name != "FLOAT32":
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

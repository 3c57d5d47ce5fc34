"""SVDF."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.svdf import SvdfOp
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..quantisation import rescale
from ..scales import per_tensor, symmetric_scale
from .registry import operator

HYBRID = "FLOAT32 INT8 INT8 FLOAT32 FLOAT32 FLOAT32"

SUPPORTED = (
    "FLOAT32 FLOAT32 FLOAT32 FLOAT32 FLOAT32 FLOAT32",
    "INT8 INT8 INT8 INT32 INT8 INT8",
    "INT8 INT8 INT16 INT32 INT16 INT8",
    HYBRID,
)
"""Input, feature weights, time weights, bias, state, output."""

OTHERS = tuple(
    f"FLOAT32 {weights} FLOAT32 FLOAT32 FLOAT32" for weights in ("INT8 FLOAT32", "UINT8 UINT8", "UINT8 FLOAT32")
)
"""Hybrid ones that TFLite misreads: it takes all weights for int8."""


@operator("SVDF", inputs=5, types=("FLOAT32", "INT8"), states=(4,))
def svdf(node: Node) -> Operation:
    """Dense layer over features and time; its state is a variable."""
    data, features, time, state = (node.input(position) for position in (0, 1, 2, 4))
    bias, output = node.optional_input(3), node.output
    node.check_types((data, features, time, bias, state, output), supported=SUPPORTED, others=OTHERS)
    rank = node.positive("Rank")
    if len(features.shape) != 2 or len(output.shape) != 2 or features.shape[0] != rank * output.shape[1]:
        raise node.malformed(
            f"{rank} of the filters {features} of shape {list(features.shape)} do not make each unit of {output} of "
            f"shape {list(output.shape)}"
        )
    return node.emit(
        SvdfOp(
            node.value(data),
            node.value(features),
            node.value(time),
            None if bias is None else node.value(bias, (output.shape[1],)),
            node.state(state, (output.shape[0], features.shape[0] * time.shape[-1])),
            output_type=tensor_type(output),
            **_quantised(node),
        )
    )


def _quantised(node: Node) -> dict[str, Any]:
    """The factors of TFLite Micro follow from doubles; the integer kernel knows no activation."""
    if node.output.element_type.name != "INT8":
        return {"clamp": fused_clamp(node), **_hybrid(node)}
    (input_scale, input_zero), (feature_scale, _), (time_scale, _), (state_scale, state_zero) = (
        per_tensor(node, node.input(position)) for position in (0, 1, 2, 4)
    )
    output_scale, output_zero = per_tensor(node, node.output)
    return {
        "zero_points": (input_zero, state_zero, output_zero),
        "rescale": rescale([input_scale * feature_scale / state_scale, state_scale * time_scale / output_scale]),
        "clamp": ClampAttr.get(*integer_range(tensor_type(node.output).element_type)),
    }


def _hybrid(node: Node) -> dict[str, Any]:
    weights = node.input(1), node.input(2)
    if any(tensor.element_type.name == "FLOAT32" for tensor in weights):
        return {}
    features, time = (symmetric_scale(node, tensor) for tensor in weights)
    return {"scales": (features, time), "asymmetric": bool(node.integer("AsymmetricQuantizeInputs"))}

"""UNIDIRECTIONAL_SEQUENCE_LSTM."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from ....dialects.nn.attributes import RescaleAttr
from ....dialects.nn.lstm import LstmOp
from ..node import Node, Unsupported, tensor_type
from ..quantisation import QuantisationError, rescale, rescale_per_channel
from ..scales import per_tensor, symmetric_scale
from ..schema import Tensor
from .registry import operator

GATES = range(4)
INPUT, INPUT_WEIGHTS, RECURRENT_WEIGHTS, BIASES, HIDDEN, CELL = 0, 1, 5, 12, 18, 19
"""Positions of inputs."""

LEFT_OUT: Sequence[tuple[str, range]] = (
    ("peephole weights", range(9, 12)),
    ("projection weights", range(16, 18)),
    ("layer normalisation", range(20, 24)),
)
"""Inputs of variants that TensorFlow Lite Micro does not run, either."""

SUPPORTED = (
    "FLOAT32 FLOAT32 FLOAT32 FLOAT32 FLOAT32 FLOAT32 FLOAT32",
    "INT8 INT8 INT8 INT32 INT8 INT16 INT8",
    "INT16 INT8 INT8 INT64 INT16 INT16 INT16",
    "FLOAT32 INT8 INT8 FLOAT32 FLOAT32 FLOAT32 FLOAT32",
)
"""Input, input weights, recurrent weights, bias, hidden state, cell state, output; the last ones are hybrid."""

STEP = 2.0**-12
"""Scale of what gates sum up."""

ACTIVATED = 2.0**-15
"""Scale of activated gates."""

TANH = 4
"""TFLite's number of what the cell gate applies."""


@operator("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs=(20, 24), types=("FLOAT32", "INT8", "INT16"), states=(HIDDEN, CELL))
def lstm(node: Node) -> Operation:
    """Four gates over a whole sequence; hidden and cell state are variables."""
    for what, positions in LEFT_OUT:
        if any(node.optional_input(position) is not None for position in positions):
            raise Unsupported(f"{what} cannot be compiled")
    if node.optional_input(INPUT_WEIGHTS) is None:
        raise Unsupported("a coupled input and forget gate (no input gate) cannot be compiled")
    data, hidden, cell, output = node.input(INPUT), node.input(HIDDEN), node.input(CELL), node.output
    weights, recurrent, biases = (_of_gates(node, first) for first in (INPUT_WEIGHTS, RECURRENT_WEIGHTS, BIASES))
    for gate in GATES:
        node.check_types(
            (data, weights[gate], recurrent[gate], biases[gate], hidden, cell, output),
            supported=SUPPORTED,
            others=(
                "FLOAT32 UINT8 UINT8 FLOAT32 FLOAT32 FLOAT32 FLOAT32",
                "INT8 INT8 INT8 INT32 INT8 INT8 INT8",
            ),
        )
    if node.real("ProjClip"):
        raise Unsupported("clipping of the projection cannot be compiled")
    if node.real("CellClip") < 0:
        raise node.malformed(f"option CellClip is {node.real('CellClip'):g}")
    if node.integer("FusedActivationFunction") != TANH:
        raise Unsupported("an activation of the cell gate other than TANH cannot be compiled")
    if len(output.shape) != 3 or len(data.shape) != 3:
        raise node.malformed(f"input and output have the ranks {len(data.shape)} and {len(output.shape)}, not 3")
    time_major = bool(node.integer("TimeMajor"))
    state = data.shape[1 if time_major else 0], output.shape[2]
    return node.emit(
        LstmOp(
            node.value(data),
            [node.value(tensor) for tensor in weights],
            [node.value(tensor) for tensor in recurrent],
            [node.value(tensor) for tensor in biases],
            node.state(hidden, state),
            node.state(cell, state),
            output_type=tensor_type(output),
            time_major=time_major,
            **_quantised(node, weights, recurrent),
        )
    )


def _of_gates(node: Node, first: int) -> list[Tensor]:
    return [node.input(first + gate) for gate in GATES]


def _quantised(node: Node, weights: Sequence[Tensor], recurrent: Sequence[Tensor]) -> dict[str, Any]:
    """`PrepareGateParametersInteger`, `CreateLstmCellStateInfo`."""
    clip = node.real("CellClip")
    if node.output.element_type.name == "FLOAT32":
        return {"clip": clip or None, **_hybrid(node, (*weights, *recurrent))}
    input_scale, input_zero = per_tensor(node, node.input(INPUT))
    hidden_scale, hidden_zero = per_tensor(node, node.input(HIDDEN))
    cell_scale, cell_zero = per_tensor(node, node.input(CELL))
    if cell_zero:
        raise QuantisationError(f"the cell state has the zero point {cell_zero}, it must be 0")
    of_input, of_hidden = ([per_tensor(node, tensor) for tensor in side] for side in (weights, recurrent))
    exponent = round(math.log2(cell_scale))
    if not -24 <= exponent <= 2:
        raise QuantisationError(f"the cell state has the scale {cell_scale:g}, out of the range of its 16 bits")
    limit = int(min(clip / cell_scale, 32767.0))
    return {
        "zero_points": (input_zero, hidden_zero, *(zero for _, zero in (*of_input, *of_hidden))),
        "input_rescale": _gate_factors(input_scale, of_input),
        "recurrent_rescale": _gate_factors(hidden_scale, of_hidden),
        "state_rescale": rescale(
            [
                ACTIVATED * cell_scale / cell_scale,
                ACTIVATED * ACTIVATED / cell_scale,
                ACTIVATED * ACTIVATED / hidden_scale,
            ]
        ),
        "cell_exponent": exponent,
        **({"clip": limit} if clip else {}),
    }


def _hybrid(node: Node, weights: Sequence[Tensor]) -> dict[str, Any]:
    if weights[0].element_type.name == "FLOAT32":
        return {}
    return {
        "weight_scales": [symmetric_scale(node, tensor) for tensor in weights],
        "asymmetric": bool(node.integer("AsymmetricQuantizeInputs")),
    }


def _gate_factors(scale: float, weights: Sequence[tuple[float, int]]) -> RescaleAttr:
    return rescale_per_channel(scale, [weight for weight, _ in weights], STEP)

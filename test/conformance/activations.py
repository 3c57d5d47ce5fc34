"""Any case with an activation behind its first result: as an operator of its own, or as the last operator's option."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import ai_edge_litert.schema_py_generated as schema
import flatbuffers
import numpy as np
from case import Case
from numpy.typing import NDArray

BOUNDS = {"RELU": (0.0, np.inf), "RELU_N1_TO_1": (-1.0, 1.0), "RELU6": (0.0, 6.0)}
"""Activations that are clamps, in the order of the schema's enumeration from 1 on, with their bounds."""

CODES = {name: number for number, name in enumerate(BOUNDS, 1)}

Clip = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Activated:
    """A case whose first result goes through an activation."""

    case: Case
    reference: Case
    """What to ask the reference interpreter for: without the activation, if not every interpreter has the operator."""
    clip: Clip
    """What the activation does to the reference's first result."""


def by_operator(case: Case, activation: str) -> Activated | None:
    """With one operator more, whose result keeps the scale; None for elements that activations do not take."""
    model = _read(case)
    graph = model.subgraphs[0]
    last = graph.outputs[0]
    clip = _clip(graph.tensors[last], activation)
    if clip is None:
        return None
    made = copy.copy(graph.tensors[last])
    made.name = b"activated"
    graph.tensors.append(made)
    operator = schema.OperatorT()
    operator.opcodeIndex = len(model.operatorCodes)
    operator.inputs, operator.outputs = [last], [len(graph.tensors) - 1]
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, activation)
    code.version = 1
    model.operatorCodes.append(code)
    graph.operators.append(operator)
    graph.outputs = [len(graph.tensors) - 1, *graph.outputs[1:]]
    return Activated(_written(case, model), case, clip)


def by_option(case: Case, activation: str) -> Activated | None:
    """With the option of the operator that makes the result; None if it has none, or has an activation already."""
    model = _read(case)
    graph = model.subgraphs[0]
    maker = next((operator for operator in graph.operators if graph.outputs[0] in operator.outputs), None)
    made = getattr(maker, "builtinOptions", None)
    if getattr(made, "fusedActivationFunction", None) != 0 or not _clip(graph.tensors[graph.outputs[0]], activation):
        return None
    made.fusedActivationFunction = CODES[activation]
    changed = _written(case, model)
    return Activated(changed, changed, lambda values: values)


def _clip(tensor: Any, activation: str) -> Clip | None:
    """The activation on elements of a tensor; None for types that it does not take."""
    lower, upper = BOUNDS[activation]
    if tensor.type == schema.TensorType.FLOAT32:
        return lambda values: np.clip(values, np.float32(lower), np.float32(upper))
    limits = {schema.TensorType.INT8: np.int8, schema.TensorType.UINT8: np.uint8, schema.TensorType.INT16: np.int16}
    if tensor.type not in limits or tensor.quantization is None or tensor.quantization.scale is None:
        return None
    scale, zero_point = float(tensor.quantization.scale[0]), int(tensor.quantization.zeroPoint[0])
    info = np.iinfo(limits[tensor.type])

    def steps(bound: float, otherwise: int) -> int:
        # TfLiteRound of a quotient of float32: halves away from zero.
        quotient = float(np.float32(bound) / np.float32(scale)) if np.isfinite(bound) else 0.0
        rounded = int(np.floor(abs(quotient) + 0.5) * np.sign(quotient))
        return int(np.clip(zero_point + rounded, info.min, info.max)) if np.isfinite(bound) else otherwise

    return lambda values: np.clip(values, steps(lower, info.min), steps(upper, info.max)).astype(values.dtype)


def _read(case: Case) -> Any:
    return schema.ModelT.InitFromObj(schema.Model.GetRootAs(case.model, 0))


def _written(case: Case, model: Any) -> Case:
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return replace(case, model=bytes(builder.Output()))

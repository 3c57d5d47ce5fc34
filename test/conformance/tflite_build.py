"""Writes TFLite files without TensorFlow, through the schema classes that LiteRT ships."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ai_edge_litert.schema_py_generated as schema
import flatbuffers
import numpy as np
from numpy.typing import NDArray

TYPES = {
    "float64": schema.TensorType.FLOAT64,
    "float16": schema.TensorType.FLOAT16,
    "float32": schema.TensorType.FLOAT32,
    "int4": schema.TensorType.INT4,
    "int8": schema.TensorType.INT8,
    "uint8": schema.TensorType.UINT8,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
    "int64": schema.TensorType.INT64,
    "bool": schema.TensorType.BOOL,
    "resource": schema.TensorType.RESOURCE,
}
NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3
SAME, VALID = 0, 1


@dataclass(frozen=True)
class Tensor:
    """A tensor to write; with `data` it is a constant."""

    shape: tuple[int, ...]
    dtype: str = "int8"
    scales: tuple[float, ...] = ()
    zero_points: tuple[int, ...] = ()
    axis: int = 0
    data: NDArray[Any] | None = None
    name: str = ""
    sparsity: Any = None
    """Sparsity parameters of the schema; `data` are the stored elements then."""
    variable: bool = False
    """Whether it keeps state between runs."""


@dataclass(frozen=True)
class Operator:
    """An operator to write; tensors by index, -1 for one that is left out."""

    opcode: str
    """The built-in's name, or `CUSTOM` and the name of a custom one."""
    inputs: Sequence[int]
    outputs: Sequence[int]
    options: Any = None
    """An options object of the schema, such as `schema.Conv2DOptionsT`; bytes for a custom operator."""


@dataclass(frozen=True)
class Graph:
    """A subgraph to write; tensors by index."""

    tensors: Sequence[Tensor]
    operators: Sequence[Operator]
    inputs: Sequence[int]
    outputs: Sequence[int]


def constant(data: NDArray[Any], scales: Sequence[float] = (), axis: int = 0, zero_point: int = 0) -> Tensor:
    """A constant tensor, quantised when it has scales."""
    zero_points = (zero_point,) * len(scales)
    return Tensor(data.shape, data.dtype.name, tuple(scales), zero_points, axis, data)


def nibbles(data: NDArray[Any]) -> NDArray[Any]:
    """Integers of 4 bits packed two to a byte, the first one in its low half."""
    halves = np.append(data.reshape(-1), np.zeros(data.size % 2, data.dtype)).astype(np.uint8) & 15
    return halves[::2] | halves[1::2] << 4


def options(name: str, **fields: Any) -> Any:
    """An options object: `options("Pool2D", strideW=2)`."""
    made = getattr(schema, f"{name}OptionsT")()
    for field, value in fields.items():
        assert hasattr(made, field), f"{name}Options has no field {field}"
        setattr(made, field, value)
    return made


def write_model(
    tensors: Sequence[Tensor],
    operators: Sequence[Operator],
    inputs: Sequence[int],
    outputs: Sequence[int],
    *,
    signature: tuple[Sequence[str], Sequence[str]] | None = None,
) -> bytes:
    """The bytes of a model of one subgraph; `signature` names its inputs and outputs."""
    names = () if signature is None else (("serving_default", signature),)
    return write_graphs([Graph(tensors, operators, inputs, outputs)], names)


def write_graphs(
    graphs: Sequence[Graph], signatures: Sequence[tuple[str, tuple[Sequence[str], Sequence[str]]]] = ()
) -> bytes:
    """The bytes of a model of several subgraphs; the signatures are a key and names for each of the first ones."""
    model = schema.ModelT()
    model.version, model.description = 3, "conformance"
    codes = sorted({operator.opcode for graph in graphs for operator in graph.operators})
    model.operatorCodes = [_code(opcode) for opcode in codes]
    model.buffers = [schema.BufferT()]
    model.subgraphs = [_graph(model, graph, codes) for graph in graphs]
    model.signatureDefs = [_signature(index, *named, graphs[index]) for index, named in enumerate(signatures)]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _graph(model: Any, graph: Graph, codes: Sequence[str]) -> Any:
    made = schema.SubGraphT()
    made.name = f"graph_{len(model.buffers)}"
    made.tensors = [_tensor(model, tensor, index) for index, tensor in enumerate(graph.tensors)]
    made.operators = [_operator(operator, codes) for operator in graph.operators]
    made.inputs, made.outputs = list(graph.inputs), list(graph.outputs)
    return made


def one_operator(opcode: str, made: Any, inputs: Sequence[Tensor | None], output: Tensor | Sequence[Tensor]) -> bytes:
    """A model of one operator; its inputs that are no constants are the model's inputs, in order."""
    outputs = [output] if isinstance(output, Tensor) else list(output)
    tensors = [tensor for tensor in inputs if tensor is not None]
    indices = iter(range(len(tensors)))
    positions = [-1 if tensor is None else next(indices) for tensor in inputs]
    given = [index for index, tensor in enumerate(tensors) if tensor.data is None and not tensor.variable]
    results = list(range(len(tensors), len(tensors) + len(outputs)))
    operator = Operator(opcode, positions, results, made)
    return write_model([*tensors, *outputs], [operator], given, results)


def _code(opcode: str) -> Any:
    code = schema.OperatorCodeT()
    builtin, _, custom = opcode.partition(" ")
    code.builtinCode = getattr(schema.BuiltinOperator, builtin)
    code.customCode = custom or None
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    code.version = 1
    return code


def _tensor(model: Any, tensor: Tensor, index: int) -> Any:
    made = schema.TensorT()
    made.shape, made.type = list(tensor.shape), TYPES[tensor.dtype]
    made.name = tensor.name or f"t{index}"
    made.isVariable = tensor.variable
    if tensor.data is not None:
        buffer = schema.BufferT()
        data = nibbles(tensor.data) if tensor.dtype == "int4" else np.ascontiguousarray(tensor.data)
        buffer.data = np.frombuffer(data.tobytes(), np.uint8)
        made.buffer = len(model.buffers)
        model.buffers.append(buffer)
    made.sparsity = tensor.sparsity
    if tensor.scales:
        made.quantization = schema.QuantizationParametersT()
        made.quantization.scale = list(tensor.scales)
        made.quantization.zeroPoint = list(tensor.zero_points)
        made.quantization.quantizedDimension = tensor.axis
    return made


def _operator(operator: Operator, codes: Sequence[str]) -> Any:
    made = schema.OperatorT()
    made.opcodeIndex = codes.index(operator.opcode)
    made.inputs, made.outputs = list(operator.inputs), list(operator.outputs)
    if isinstance(operator.options, bytes):
        made.customOptions = list(operator.options)
    elif operator.options is not None:
        name = type(operator.options).__name__.removesuffix("T")
        if hasattr(schema.BuiltinOptions, name):
            made.builtinOptionsType = getattr(schema.BuiltinOptions, name)
            made.builtinOptions = operator.options
        else:
            made.builtinOptions2Type = getattr(schema.BuiltinOptions2, name)
            made.builtinOptions2 = operator.options
    return made


def _signature(index: int, key: str, names: tuple[Sequence[str], Sequence[str]], graph: Graph) -> Any:
    made = schema.SignatureDefT()
    made.signatureKey, made.subgraphIndex = key, index
    made.inputs = [_named(name, index) for name, index in zip(names[0], graph.inputs, strict=True)]
    made.outputs = [_named(name, index) for name, index in zip(names[1], graph.outputs, strict=True)]
    return made


def _named(name: str, index: int) -> Any:
    entry = schema.TensorMapT()
    entry.name, entry.tensorIndex = name, index
    return entry
